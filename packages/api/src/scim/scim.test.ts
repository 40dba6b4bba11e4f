import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { NIL_ID } from '@switchyard/db';
import { statementsDuring } from '@switchyard/db/testing';
import { listApproversWhoLeft } from '@switchyard/staff/grants';
import { putGroupRoles } from '@switchyard/staff/group-roles';
import { issueScimToken, revokeScimToken } from '@switchyard/staff/provisioning';
import { setStaffDisabled } from '@switchyard/staff/users';
import superjson from 'superjson';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Switchyard } from '../process.ts';
import { serveOverHttp } from '../testing/served.ts';
import {
  Browser,
  createStaffWithGrants,
  createTestMerchant,
  ORIGIN,
  openTestSwitchyard,
  PASSWORD,
} from '../testing/switchyard.ts';
import { handleTrpc } from '../trpc/trpc.ts';
import { serveScim } from './serve-scim.ts';

/*
 * Requests of Entra ID, Okta and Google Workspace, over HTTP: Okta's published suites (developer.okta.com/standards/SCIM/SCIMFiles), Entra
 * ID's documented requests, and what Better Auth's suites of the three expect.
 */

const USER_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:User';
const GROUP_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:Group';
const PATCH_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';
const ERROR_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:Error';

let switchyard: Switchyard;
let close: () => Promise<void>;
let served: Awaited<ReturnType<typeof serveOverHttp>>;
let merchantId: string;
let token: string;
let providerId: string;
let otherToken: string;

const actor = 'system:test';
const OWNER = [{ merchantId: null, role: 'owner' as const }];

beforeAll(async () => {
  ({ switchyard, close } = await openTestSwitchyard());
  served = await serveOverHttp(switchyard);
  merchantId = await createTestMerchant(switchyard, 'Balogun Books');
  await createStaffWithGrants(switchyard, 'owner@example.com', OWNER);
  providerId = await addProvider('Entra ID');
  token = await issue(providerId);
  otherToken = await issue(await addProvider('Okta'));
});
afterAll(async () => {
  await served.close();
  await close();
});

async function addProvider(name: string, at: Switchyard = switchyard): Promise<string> {
  const id = at.newId();
  const now = new Date();
  const texts = { name, providerId: name.toLowerCase().replace(' ', '-'), issuer: 'https://idp.example', domain: 'example.com' };
  await at.resources.database.prisma.ssoProvider.create({
    data: { id, ...texts, groupClaim: 'groups', createdBy: actor, createdAt: now, updatedAt: now },
  });
  return id;
}

async function issue(of: string): Promise<string> {
  const outcome = await issueScimToken(switchyard, { providerId: of, actor });
  if (outcome.kind !== 'issued') throw new Error(outcome.kind);
  return outcome.token;
}

// biome-ignore lint/suspicious/noExplicitAny: answers are read as clients read them, by their documents.
type Answered = { readonly status: number; readonly headers: Headers; readonly body: any };

/** A request to the service. */
async function ask(method: string, path: string, body?: unknown, bearer: string | null = token): Promise<Answered> {
  const headers = {
    accept: 'application/scim+json',
    'content-type': 'application/scim+json',
    ...(bearer !== null && { authorization: `Bearer ${bearer}` }),
  };
  const response = await fetch(`${served.url}/scim/v2${path}`, {
    method,
    headers,
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  if (text !== '') expect(response.headers.get('content-type')).toContain('application/scim+json');
  return { status: response.status, headers: response.headers, body: text === '' ? null : JSON.parse(text) };
}

const filtered = (path: string, filter: string) => ask('GET', `${path}?${new URLSearchParams({ filter })}`);
const patch = (path: string, ...Operations: object[]) => ask('PATCH', path, { schemas: [PATCH_SCHEMA], Operations });

let people = 0;
/** A user as Okta sends one. */
function newUser(more: object = {}) {
  people += 1;
  const userName = `person.${people}@example.com`;
  return {
    schemas: [USER_SCHEMA],
    userName,
    name: { givenName: 'Jordan', familyName: 'Rivera' },
    emails: [{ primary: true, value: userName, type: 'work' }],
    displayName: 'Jordan Rivera',
    active: true,
    ...more,
  };
}

async function provision(more: object = {}): Promise<{ id: string; userName: string }> {
  const { status, body } = await ask('POST', '/Users', newUser(more));
  expect(status, JSON.stringify(body)).toBe(201);
  return body;
}

async function addGroup(displayName: string, ...members: string[]): Promise<string> {
  const { status, body } = await ask('POST', '/Groups', {
    schemas: [GROUP_SCHEMA],
    displayName,
    members: members.map((value) => ({ value })),
  });
  expect(status, JSON.stringify(body)).toBe(201);
  return body.id;
}

const readStaff = (id: string) =>
  switchyard.resources.database.prisma.staffUser.findUniqueOrThrow({ where: { id }, include: { grants: true, accounts: true } });
const lastAudit = async (objectId: string) =>
  switchyard.resources.database.prisma.auditEntry.findFirstOrThrow({ where: { objectId }, orderBy: { position: 'desc' } });

/** Gives a person a session and returns a browser that has it, and a machine token of theirs. */
async function signIn(staffId: string): Promise<{ readonly browser: Browser; readonly email: string }> {
  const { email } = await readStaff(staffId);
  const { prisma } = switchyard.resources.database;
  const owner = await prisma.staffCredential.findFirstOrThrow({ where: { user: { email: 'owner@example.com' } } });
  const credential = { accountId: staffId, providerId: 'credential', password: owner.password };
  await prisma.staffCredential.create({
    data: { id: switchyard.newId(), userId: staffId, ...credential, createdAt: new Date(), updatedAt: new Date() },
  });
  const browser = new Browser(switchyard);
  expect((await browser.signIn(email, PASSWORD)).status).toBe(200);
  return { browser, email };
}

async function call(browser: Browser, procedure: string): Promise<number> {
  const headers = browser.headers({ 'content-type': 'application/json' });
  return (await handleTrpc(switchyard, new Request(`${ORIGIN}/api/trpc/${procedure}`, { headers }))).status;
}

describe("Okta's SPEC suite", () => {
  let user: { id: string; userName: string };
  beforeAll(async () => {
    user = await provision();
  });

  test('lists users a page at a time', async () => {
    const { status, body } = await ask('GET', '/Users?count=1&startIndex=1');
    expect(status).toBe(200);
    expect(body).toMatchObject({ startIndex: 1, itemsPerPage: 1, totalResults: expect.any(Number) });
    expect(body.schemas).toContain('urn:ietf:params:scim:api:messages:2.0:ListResponse');
    expect(body.Resources[0]).toMatchObject({
      id: expect.any(String),
      name: { familyName: 'Rivera', givenName: 'Jordan' },
      active: true,
      emails: [{ value: expect.any(String) }],
    });
  });

  test('reads a user, and finds none by an unknown id or name', async () => {
    expect((await ask('GET', `/Users/${user.id}`)).body).toMatchObject({ id: user.id, userName: user.userName });
    for (const id of ['00919288221112222', switchyard.newId()]) {
      const { status, body } = await ask('GET', `/Users/${id}`);
      expect(status).toBe(404);
      expect(body).toMatchObject({ schemas: [ERROR_SCHEMA], status: '404', detail: expect.any(String) });
    }
    const none = await filtered('/Users', 'userName eq "unknown@example.com"');
    expect(none.body).toMatchObject({ totalResults: 0, Resources: [] });
  });

  test('creates a user with a password that is not kept, and not twice', async () => {
    const sent = newUser({ password: 'N3verSt0red!', title: 'Engineer', phoneNumbers: [{ value: '415.123.4567' }] });
    const { status, body, headers } = await ask('POST', '/Users', sent);
    expect(status).toBe(201);
    expect(body).toMatchObject({ userName: sent.userName, active: true, schemas: [USER_SCHEMA] });
    expect(headers.get('location')).toBe(`${ORIGIN}/scim/v2/Users/${body.id}`);
    expect(JSON.stringify(body)).not.toContain('N3verSt0red!');
    expect((await readStaff(body.id)).accounts).toEqual([]);
    const again = await ask('POST', '/Users', sent);
    expect(again.status).toBe(409);
    expect(again.body).toMatchObject({ scimType: 'uniqueness', status: '409' });
  });

  test('does not distinguish cases of a user name', async () => {
    const { body } = await filtered('/Users', `userName eq "${user.userName.toUpperCase()}"`);
    expect(body).toMatchObject({ totalResults: 1, Resources: [{ id: user.id }] });
    expect((await ask('POST', '/Users', newUser({ userName: user.userName.toUpperCase() }))).status).toBe(409);
  });

  test('refuses other credentials', async () => {
    for (const authorization of ['Bearer non-token', `Basic ${btoa(`okta:${token}`)}`, '']) {
      const response = await fetch(`${served.url}/scim/v2/Users`, { headers: { authorization } });
      expect(response.status).toBe(401);
      expect(await response.json()).toMatchObject({ schemas: [ERROR_SCHEMA], status: '401' });
    }
  });
});

describe("Okta's CRUD suite", () => {
  test('replaces, deactivates, reactivates, and deactivates a user again', async () => {
    const { id } = await provision();
    const { body: before } = await ask('GET', `/Users/${id}`);
    const replaced = await ask('PUT', `/Users/${id}`, {
      ...before,
      displayName: undefined,
      name: { ...before.name, givenName: 'Riley' },
    });
    expect(replaced.body).toMatchObject({ id, name: { givenName: 'Riley', familyName: 'Rivera' }, displayName: 'Riley Rivera' });
    for (const active of [false, true, false]) {
      const { status, body } = await patch(`/Users/${id}`, { op: 'replace', value: { active } });
      expect(status).toBe(200);
      expect(body.active).toBe(active);
      expect((await readStaff(id)).disabledAt === null).toBe(active);
    }
  });

  test('pushes a group, renames it by an object with its id, and changes members one by one', async () => {
    const [ada, obi] = [(await provision()).id, (await provision()).id];
    const id = await addGroup('Okta people', ada);
    const renamed = await patch(`/Groups/${id}`, { op: 'replace', value: { id, displayName: 'Okta staff' } });
    expect(renamed.body).toMatchObject({ id, displayName: 'Okta staff' });
    await patch(`/Groups/${id}`, { op: 'add', path: 'members', value: [{ value: obi, display: 'obi@example.com' }] });
    const { body } = await patch(`/Groups/${id}`, { op: 'remove', path: `members[value eq "${ada}"]` });
    expect(body.members).toMatchObject([{ value: obi }]);
    expect((await ask('GET', `/Users/${obi}`)).body.groups).toMatchObject([{ value: id, display: 'Okta staff' }]);
  });
});

describe('Entra ID', () => {
  test('deactivates by text, ignores extensions, and sets an address by its type', async () => {
    const { id } = await provision({ externalId: 'entra-1' });
    expect((await filtered('/Users', 'externalId eq "entra-1"')).body.Resources).toMatchObject([{ id }]);
    const extension = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
    const { status, body } = await patch(
      `/Users/${id}`,
      { op: 'Add', path: `${extension}:department`, value: 'Finance' },
      { op: 'Replace', path: 'emails[type eq "work"].value', value: 'Renamed@example.com' },
      { op: 'Replace', path: 'name.familyName', value: 'King' },
      { op: 'Replace', path: 'displayName', value: 'Jordan King' },
      { op: 'Replace', path: 'active', value: 'False' },
    );
    expect(status, JSON.stringify(body)).toBe(200);
    expect(body).toMatchObject({ active: false, displayName: 'Jordan King', emails: [{ value: 'renamed@example.com' }] });
    expect(await readStaff(id)).toMatchObject({ name: 'Jordan King', email: 'renamed@example.com' });
    const { body: back } = await patch(`/Users/${id}`, { op: 'Replace', path: 'active', value: 'True' });
    expect(back.active).toBe(true);
  });

  test('reads a group without its members, and changes these by lists', async () => {
    const [ada, obi] = [(await provision()).id, (await provision()).id];
    const id = await addGroup('Entra people');
    await patch(`/Groups/${id}`, {
      op: 'Add',
      path: 'members',
      value: [
        { $ref: null, value: ada },
        { $ref: null, value: obi },
      ],
    });
    expect((await ask('GET', `/Groups/${id}?excludedAttributes=members`)).body).not.toHaveProperty('members');
    expect((await filtered('/Groups', 'displayName eq "entra PEOPLE"')).body.Resources).toMatchObject([{ id }]);
    expect((await filtered('/Groups', `id eq "${id}" and members[value eq "${ada}"]`)).body.totalResults).toBe(1);
    const { body } = await patch(`/Groups/${id}`, { op: 'Remove', path: 'members', value: [{ $ref: null, value: ada }] });
    expect(body.members).toMatchObject([{ value: obi }]);
    expect((await filtered('/Groups', `members[value eq "${ada}"]`)).body.totalResults).toBe(0);
  });

  test('learns what is wrong with a request', async () => {
    const { id } = await provision();
    const wrong = async (...operations: object[]) => {
      const { status, body } = await patch(`/Users/${id}`, ...operations);
      return `${status} ${body.scimType}`;
    };
    expect(await wrong({ op: 'Remove', value: { displayName: 'Ada' } })).toBe('400 noTarget');
    expect(await wrong({ op: 'Replace', path: 'shoeSize', value: 4 })).toBe('400 invalidPath');
    expect(await wrong({ op: 'Replace', path: 'id', value: 'x' })).toBe('400 mutability');
    expect(await wrong({ op: 'Move', path: 'displayName', value: 'x' })).toBe('400 invalidSyntax');
    expect(await wrong({ op: 'Replace', path: 'active', value: 'perhaps' })).toBe('400 invalidValue');
    expect(await wrong({ op: 'Remove', path: 'userName' })).toBe('400 invalidValue');
    expect((await filtered('/Users', 'userName co "a"')).body.scimType).toBe('invalidFilter');
    expect((await filtered('/Users', 'title eq "a"')).body.scimType).toBe('invalidFilter');
    expect((await ask('POST', '/Users', newUser({ userName: 'unknown', emails: [] }))).body.scimType).toBe('invalidValue');
    expect((await ask('POST', '/Users', '{')).body.scimType).toBe('invalidSyntax');
    const member = await patch(`/Groups/${await addGroup('Wrong')}`, {
      op: 'add',
      path: 'members',
      value: [{ value: 'unknown' }],
    });
    expect(member).toMatchObject({ status: 400, body: { scimType: 'invalidValue' } });
  });
});

describe('Google Workspace', () => {
  test('deletes a user who is active, or was suspended weeks before, out of their groups', async () => {
    for (const suspend of [false, true]) {
      const { id } = await provision();
      const group = await addGroup(`Google ${suspend}`, id);
      if (suspend) expect((await patch(`/Users/${id}`, { op: 'replace', value: { active: false } })).status).toBe(200);
      const deleted = await ask('DELETE', `/Users/${id}`);
      expect(deleted).toMatchObject({ status: 204, body: null });
      expect((await ask('GET', `/Users/${id}`)).status).toBe(404);
      expect((await ask('DELETE', `/Users/${id}`)).status).toBe(404);
      expect((await ask('GET', `/Groups/${group}`)).body.members).toEqual([]);
      expect((await readStaff(id)).disabledAt).not.toBeNull();
    }
  });

  test('makes its mapping of attributes from the schema, and finds what the service can do', async () => {
    const { body } = await ask('GET', `/Schemas/${encodeURIComponent(USER_SCHEMA)}`);
    const byName = new Map(body.attributes.map((one: { name: string }) => [one.name, one]));
    expect(byName.get('userName')).toMatchObject({ required: true, type: 'string' });
    expect(byName.get('active')).toMatchObject({ type: 'boolean', mutability: 'readWrite' });
    expect(byName.get('emails')).toMatchObject({ multiValued: true });
    expect((await ask('GET', '/Schemas')).body.totalResults).toBe(2);
    expect((await ask('GET', '/ResourceTypes')).body.Resources).toMatchObject([{ endpoint: '/Users' }, { endpoint: '/Groups' }]);
    expect((await ask('GET', '/ResourceTypes/Group')).body).toMatchObject({ schema: GROUP_SCHEMA });
    expect((await ask('GET', '/ServiceProviderConfig')).body).toMatchObject({
      patch: { supported: true },
      filter: { supported: true, maxResults: 200 },
      bulk: { supported: false },
    });
  });
});

describe('the service', () => {
  test('answers methods, paths, types and sizes that it does not have in its own form', async () => {
    const { id } = await provision();
    expect((await ask('PUT', '/Users', newUser())).status).toBe(405);
    expect((await ask('GET', '/Nothing')).status).toBe(404);
    expect((await ask('GET', `/Users/${id}/groups`)).status).toBe(404);
    expect((await ask('POST', '/Bulk', {})).status).toBe(501);
    expect((await filtered('/Schemas', 'id eq "a"')).status).toBe(403);
    expect((await ask('GET', '/Users?count=many')).body.scimType).toBe('invalidValue');
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'text/plain' };
    expect((await fetch(`${served.url}/scim/v2/Users`, { method: 'POST', headers, body: '{}' })).status).toBe(415);
    expect((await ask('POST', '/Users', `{"userName":"${'a'.repeat(600_000)}"}`)).status).toBe(413);
    const many = Array.from({ length: 1_001 }, () => ({ op: 'add', path: 'displayName', value: 'a' }));
    expect((await patch(`/Users/${id}`, ...many)).body.scimType).toBe('invalidSyntax');
  });

  test('pages from 1 on, and lists no more than is asked for', async () => {
    await provision();
    const { body } = await ask('GET', '/Users?startIndex=2&count=1');
    const all = (await ask('GET', '/Users')).body;
    expect(body).toMatchObject({ startIndex: 2, itemsPerPage: 1, Resources: [{ id: all.Resources[1].id }] });
    expect((await ask('GET', '/Users?startIndex=-1&count=-1')).body).toMatchObject({ startIndex: 1, itemsPerPage: 0 });
    expect((await ask('GET', '/Users?count=0')).body).toMatchObject({ totalResults: all.totalResults, Resources: [] });
    expect((await ask('GET', '/Users?count=1&attributes=userName')).body.Resources[0]).not.toHaveProperty('emails');
  });

  test("knows nothing of another provider's users and groups", async () => {
    const { id, userName } = await provision();
    const group = await addGroup('Ours', id);
    for (const path of [`/Users/${id}`, `/Groups/${group}`]) {
      for (const method of ['GET', 'DELETE']) expect((await ask(method, path, undefined, otherToken)).status).toBe(404);
    }
    expect((await ask('GET', '/Users', undefined, otherToken)).body.totalResults).toBe(0);
    expect((await ask('POST', '/Users', newUser({ emails: [{ value: userName }] }), otherToken)).status).toBe(409);
    const theirs = { displayName: 'Theirs', members: [{ value: id }] };
    expect((await ask('POST', '/Groups', theirs, otherToken)).body.scimType).toBe('invalidValue');
  });

  test('takes two tokens at once, and none that was revoked', async () => {
    const second = await issue(providerId);
    expect((await issueScimToken(switchyard, { providerId, actor })).kind).toBe('too_many_tokens');
    expect((await ask('GET', '/Users?count=1', undefined, second)).status).toBe(200);
    const { prisma } = switchyard.resources.database;
    const { id: tokenId } = await prisma.scimToken.findFirstOrThrow({ where: { providerId }, orderBy: { createdAt: 'desc' } });
    expect((await revokeScimToken(switchyard, { tokenId, actor })).kind).toBe('revoked');
    expect((await ask('GET', '/Users?count=1', undefined, second)).status).toBe(401);
    expect((await ask('GET', '/Users?count=1')).status).toBe(200);
    const kept = await prisma.scimToken.findUniqueOrThrow({ where: { id: tokenId } });
    expect(JSON.stringify(kept)).not.toContain(second.slice(20, 40));
    expect(await lastAudit(tokenId)).toMatchObject({ action: 'scim_token.revoked', before: { name: 'Entra ID' } });
  });

  test('refuses what a token asks beyond its rate, with the seconds to wait', async () => {
    const limited = await openTestSwitchyard(ORIGIN, { SWITCHYARD_REQUESTS_PER_SECOND: '2' });
    const issued = await issueScimToken(limited.switchyard, { providerId: await addProvider('Okta', limited.switchyard), actor });
    const headers = { authorization: `Bearer ${issued.kind === 'issued' ? issued.token : ''}` };
    const request = {
      method: 'GET',
      path: '/scim/v2/Users',
      query: '',
      headers,
      body: { kind: 'bytes', bytes: new Uint8Array() },
    } as const;
    // A second may end while they are asked.
    const answers = await Promise.all(Array.from({ length: 8 }, () => serveScim(limited.switchyard, request)));
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThanOrEqual(4);
    expect(JSON.parse(refused[0]?.body ?? '')).toMatchObject({ schemas: [ERROR_SCHEMA], status: '429' });
    expect(Number(refused[0]?.headers['retry-after'])).toBeGreaterThanOrEqual(1);
    await limited.close();
  });
});

describe('docs/provisioning.md', () => {
  const page = readFileSync(join(import.meta.dirname, '../../../../docs/provisioning.md'), 'utf8');
  const rows = (pattern: RegExp) => [...page.matchAll(pattern)].map(([, first = '', second = '']) => [first, second] as const);

  test('has the attributes that are kept, as each provider sends them', async () => {
    const kept = rows(/^\| [^|]+ \| `([^`]+)` \| (yes|no) \|$/gm);
    expect(kept.length).toBeGreaterThan(15);
    for (const [path, isKept] of kept) {
      const { id } = await provision();
      const text = `kept.${people}@example.com`;
      const value = path === 'active' ? 'True' : path === 'emails' ? [{ value: text, primary: true }] : text;
      const { status, body } = await patch(`/Users/${id}`, { op: 'Add', path, value });
      expect(status, path).toBe(200);
      if (path !== 'active') expect(JSON.stringify(body).includes(text), path).toBe(isKept === 'yes');
      await ask('DELETE', `/Users/${id}`);
    }
  });

  test('has the address, the identifying field and the requests that are answered', async () => {
    const { headers } = await ask('POST', '/Users', newUser());
    expect(headers.get('location')?.replace(ORIGIN, 'https://pay.example.com')).toMatch(
      /^https:\/\/pay\.example\.com\/scim\/v2\//,
    );
    expect(
      rows(/^\| (?:Tenant|SCIM connector base|Endpoint) URL \| `(https:\/\/pay\.example\.com\/scim\/v2)` \|$/gm),
    ).toHaveLength(3);
    const requests = rows(/^\| `((?:GET|POST) [^`]+)` \| (\d+) \|$/gm);
    expect(requests).toHaveLength(6);
    for (const [request, status] of requests) {
      const [, method = '', path = '', query = ''] = /^(\w+) \/scim\/v2([^?]+)\??(.*)$/.exec(request) ?? [];
      const encoded =
        query === ''
          ? ''
          : `?${query
              .split('&')
              .map((one) => one.replace(/=(.*)$/, (_, value) => `=${encodeURIComponent(value)}`))
              .join('&')}`;
      expect((await ask(method, `${path}${encoded}`, method === 'POST' ? {} : undefined)).status, request).toBe(Number(status));
    }
  });
});

describe('a person who is provisioned', () => {
  test('has the roles of their groups, and none of a group that they left or that was deleted', async () => {
    const groupRoles = [{ group: 'Finance', merchantId, role: 'finance' }];
    await switchyard.resources.database.prisma.$transaction((transaction) =>
      putGroupRoles(switchyard, transaction, { providerId, groupRoles }),
    );
    const { id } = await provision();
    const roles = async () => (await readStaff(id)).grants.map(({ role, group }) => `${role} by ${group}`);
    const group = await addGroup('Finance', id);
    expect(await roles()).toEqual(['finance by Finance']);
    expect(await lastAudit(group)).toMatchObject({ action: 'scim_group.created', after: { rolesChanged: 1, added: [id] } });
    await patch(`/Groups/${group}`, { op: 'replace', value: { displayName: 'Cash' } });
    expect(await roles()).toEqual([]);
    await patch(`/Groups/${group}`, { op: 'replace', value: { displayName: 'Finance' } });
    expect(await roles()).toEqual(['finance by Finance']);
    await patch(`/Groups/${group}`, { op: 'remove', path: 'members' });
    expect(await roles()).toEqual([]);
    await ask('PUT', `/Groups/${group}`, { displayName: 'Finance', members: [{ value: id }] });
    expect(await roles()).toEqual(['finance by Finance']);
    expect((await ask('DELETE', `/Groups/${group}`)).status).toBe(204);
    expect(await roles()).toEqual([]);
  });

  test('loses session, machine tokens and what they issued with the answer to the deactivation', async () => {
    for (const deactivate of [
      (id: string) => patch(`/Users/${id}`, { op: 'Replace', path: 'active', value: 'False' }),
      (id: string) => ask('PUT', `/Users/${id}`, newUser({ active: false })),
      (id: string) => ask('DELETE', `/Users/${id}`),
    ]) {
      const { id } = await provision();
      const { prisma } = switchyard.resources.database;
      await prisma.staffGrant.create({
        data: { staffId: id, merchantId: NIL_ID, role: 'owner', grantedBy: actor, createdAt: new Date() },
      });
      const { browser } = await signIn(id);
      expect(await call(browser, 'team.list')).toBe(200);
      const expiresAt = new Date(Date.now() + 86_400_000);
      const issuing = { name: 'Agent', scopes: ['tools'], expiresAt };
      const headers = browser.headers({ 'content-type': 'application/json' });
      const invited = { email: `eve.${people}@example.com`, name: 'Eve', grants: [{ merchantId: null, role: 'viewer' }] };
      for (const [procedure, input] of [
        ['machineTokens.issue', issuing],
        ['team.invite', invited],
      ] as const) {
        const body = superjson.stringify(input);
        expect(
          (await handleTrpc(switchyard, new Request(`${ORIGIN}/api/trpc/${procedure}`, { method: 'POST', headers, body })))
            .status,
        ).toBe(200);
      }
      expect((await deactivate(id)).status).toBeLessThan(300);
      expect(await call(browser, 'team.list')).toBe(401);
      expect(await prisma.machineToken.count({ where: { staffId: id, revokedAt: null } })).toBe(0);
      expect(await prisma.staffLink.count({ where: { createdBy: `staff:${id}`, revokedAt: null } })).toBe(0);
      expect(await lastAudit(id)).toMatchObject({
        actor: 'system:provisioning',
        after: { sessionsEnded: 1, tokensRevoked: 1, invitationsWithdrawn: 1 },
      });
      expect((await new Browser(switchyard).signIn((await readStaff(id)).email, PASSWORD)).status).toBe(403);
    }
  });

  test('is refused to leave as the last owner, with a sentence and unchanged', async () => {
    const { prisma } = switchyard.resources.database;
    const { id: ownerId } = await prisma.staffUser.findUniqueOrThrow({ where: { email: 'owner@example.com' } });
    await prisma.staffGrant.deleteMany({ where: { role: 'owner', staffId: { not: ownerId } } });
    const { body } = await ask(
      'POST',
      '/Users',
      newUser({ userName: 'owner@example.com', emails: [], displayName: 'Ada Owner' }),
    );
    expect(body).toMatchObject({ id: ownerId, active: true });
    for (const [method, sent] of [
      ['PATCH', { Operations: [{ op: 'replace', value: { active: false, displayName: 'Gone' } }] }],
      ['DELETE', undefined],
    ] as const) {
      const refusal = await ask(method, `/Users/${ownerId}`, sent);
      expect(refusal.status).toBe(403);
      expect(refusal.body.detail).toMatch(/^Ada Owner has to stay: the last owner of the workspace/);
    }
    expect((await ask('GET', `/Users/${ownerId}`)).body).toMatchObject({ active: true, displayName: 'Ada Owner' });
    expect(await readStaff(ownerId)).toMatchObject({ disabledAt: null });
  });

  test('is of the provider’s domains: no other colleague is taken over, and no address leads away', async () => {
    const { prisma } = switchyard.resources.database;
    await createStaffWithGrants(switchyard, 'owner@elsewhere.example', OWNER);
    const foreign = {
      status: 400,
      body: { scimType: 'invalidValue', detail: expect.stringMatching(/domains: example\.com\.$/) },
    };
    expect(await ask('POST', '/Users', newUser({ userName: 'owner@elsewhere.example', emails: [] }))).toMatchObject(foreign);
    const { id, userName } = await provision();
    const away = { op: 'replace', path: 'emails[type eq "work"].value', value: 'away@elsewhere.example' };
    expect(await ask('PATCH', `/Users/${id}`, { Operations: [away] })).toMatchObject(foreign);
    expect(await readStaff(id)).toMatchObject({ email: userName });
    await prisma.staffUser.update({ where: { email: 'owner@example.com' }, data: { breakGlass: true } });
    await prisma.scimUser.deleteMany({ where: { staff: { email: 'owner@example.com' } } });
    const taken = await ask('POST', '/Users', newUser({ userName: 'owner@example.com', emails: [] }));
    expect([taken.status, taken.body.detail]).toEqual([
      403,
      'The break-glass owner is not provisioned: their sign-in depends on no provider.',
    ]);
    await prisma.staffUser.update({ where: { email: 'owner@example.com' }, data: { breakGlass: false } });
    await prisma.staffUser.delete({ where: { email: 'owner@elsewhere.example' } });
  });

  test('whom the directory deleted comes back as themselves, without the roles of groups', async () => {
    const { id, userName } = await provision({ externalId: 'before' });
    await ask('DELETE', `/Users/${id}`);
    expect(await switchyard.resources.database.prisma.scimUser.findUniqueOrThrow({ where: { userId: id } })).toMatchObject({
      userName: null,
      externalId: null,
      familyName: null,
    });
    const back = await ask('POST', '/Users', newUser({ userName, emails: [{ value: userName }], externalId: 'after' }));
    expect(back).toMatchObject({ status: 201, body: { id, active: true } });
    expect(await readStaff(id)).toMatchObject({ disabledAt: null, grants: [] });
  });

  test('whom an owner disabled stays so, whatever the directory repeats', async () => {
    const { id, userName } = await provision();
    const scope = { merchantScope: { everywhere: true, merchantIds: [] }, actor };
    await setStaffDisabled(switchyard, { staffId: id, disabled: true, ...scope });
    const whole = newUser({ userName, emails: [{ value: userName }] });
    expect((await ask('PUT', `/Users/${id}`, whole)).body.active).toBe(false);
    await patch(`/Users/${id}`, { op: 'replace', value: { active: false } });
    expect((await patch(`/Users/${id}`, { op: 'replace', value: { active: true } })).body.active).toBe(false);
    expect((await readStaff(id)).disabledAt).not.toBeNull();
    // Whom the directory deactivated no owner lets in.
    const other = await provision();
    await patch(`/Users/${other.id}`, { op: 'replace', value: { active: false } });
    const outcome = await setStaffDisabled(switchyard, { staffId: other.id, disabled: false, ...scope });
    expect(outcome).toEqual({ kind: 'inactive_at_provider', provider: 'Entra ID' });
  });

  test('who alone could decide what waits is named with it', async () => {
    const { prisma } = switchyard.resources.database;
    const { id } = await provision();
    const grant = { staffId: id, merchantId, role: 'finance' as const, grantedBy: actor, createdAt: new Date() };
    const owner = await prisma.staffGrant.findFirstOrThrow({
      where: { role: 'owner', merchantId: NIL_ID, staff: { disabledAt: null } },
    });
    await prisma.staffGrant.create({ data: grant });
    await prisma.refundControl.create({ data: { merchantId, secondPersonAbove: 1_000n, dailyLimits: {}, reasonCodes: [] } });
    await prisma.refundApproval.create({
      data: {
        merchantId,
        id: switchyard.newId(),
        mode: 'live',
        paymentId: switchyard.newId(),
        kind: 'own',
        amount: 5_000n,
        currency: 'NGN',
        gateway: 'paystack',
        state: 'WAITING',
        requestedBy: `staff:${owner.staffId}`,
        createdAt: new Date(),
        expiresAt: new Date(Date.now() + 86_400_000),
      },
    });
    expect((await patch(`/Users/${id}`, { op: 'replace', value: { active: false } })).status).toBe(200);
    expect(await lastAudit(id)).toMatchObject({
      action: 'staff.disabled',
      after: { neededFor: [{ of: 'refunds', merchantId, merchantName: 'Balogun Books', waiting: 1 }] },
    });
    expect(await listApproversWhoLeft(switchyard, [merchantId])).toMatchObject([
      { of: 'refunds', merchantId, name: 'Jordan Rivera', waiting: 1 },
    ]);
    expect(await listApproversWhoLeft(switchyard, [])).toEqual([]);
    await patch(`/Users/${id}`, { op: 'replace', value: { active: true } });
    expect(await listApproversWhoLeft(switchyard, [merchantId])).toEqual([]);
  });
});

/** People whom a provider provisions, in two statements. */
async function seedPeople(of: string, count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, () => switchyard.newId());
  const { prisma } = switchyard.resources.database;
  await prisma.$executeRaw`INSERT INTO staff_user (id, name, email, created_at, updated_at)
    SELECT id, 'Many', id || '@example.com', now(), now() FROM unnest(${ids}::uuid[]) AS id`;
  await prisma.$executeRaw`INSERT INTO scim_user (user_id, provider_id, active, created_at, updated_at)
    SELECT id, ${of}::uuid, true, now(), now() FROM unnest(${ids}::uuid[]) AS id`;
  return ids;
}

test('a mapped group of 2,000 people comes, changes and goes by one request each, in as many statements as one of 20', async () => {
  const { database } = switchyard.resources;
  const { prisma } = database;
  const schemas = [PATCH_SCHEMA];
  /** The statements of each request about a group of so many people, who all get and lose its roles. */
  const statementsFor = async (count: number): Promise<number[]> => {
    const of = await addProvider(`Of ${count}`);
    const bearer = await issue(of);
    const groupRoles = [
      { group: 'Everyone', merchantId, role: 'viewer' },
      { group: 'Renamed', merchantId, role: 'support' },
    ];
    await prisma.$transaction((transaction) => putGroupRoles(switchyard, transaction, { providerId: of, groupRoles }));
    const ids = await seedPeople(of, count);
    const members = ids.map((value) => ({ value }));
    const held = (role: 'viewer' | 'support') => prisma.staffGrant.count({ where: { providerId: of, role } });
    const counts: number[] = [];
    const send = async (method: string, path: string, body: object, status = 200): Promise<Answered> => {
      const answered: Answered[] = [];
      const texts = await statementsDuring(database, async () => void answered.push(await ask(method, path, body, bearer)));
      // Without what the process reads now and then.
      counts.push(texts.filter((text) => /scim_|staff_|audit_|group_role/.test(text)).length);
      const [answer] = answered;
      if (answer?.status !== status) throw new Error(JSON.stringify(answer?.body).slice(0, 300));
      return answer;
    };
    const created = await send('POST', '/Groups', { schemas: [GROUP_SCHEMA], displayName: 'Everyone', members }, 201);
    expect([created.body.members.length, await held('viewer')]).toEqual([count, count]);
    const path = `/Groups/${created.body.id}`;
    await send('PUT', path, { schemas: [GROUP_SCHEMA], displayName: 'Renamed', members });
    expect([await held('viewer'), await held('support')]).toEqual([0, count]);
    await send('PATCH', path, { schemas, Operations: [{ op: 'remove', path: 'members', value: members }] });
    expect(await held('support')).toBe(0);
    await send('PATCH', path, { schemas, Operations: [{ op: 'add', path: 'members', value: members }] });
    expect(await held('support')).toBe(count);
    expect(await prisma.auditEntry.count({ where: { tenantId: merchantId, objectId: { in: ids } } })).toBe(4 * count);
    return counts;
  };
  expect(await statementsFor(2_000)).toEqual(await statementsFor(20));
}, 60_000);
