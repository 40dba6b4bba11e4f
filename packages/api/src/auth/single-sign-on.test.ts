import { NIL_ID } from '@switchyard/db';
import type { GroupRole } from '@switchyard/staff/group-roles';
import { type ProviderFields, removeProvider, saveProvider, setBreakGlass } from '@switchyard/staff/single-sign-on';
import { openTestProvider, type ProviderAccount, type TamperedToken, type TestProvider } from '@switchyard/staff/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { watchClientAddresses } from '../client-address.ts';
import type { Switchyard } from '../process.ts';
import {
  Browser,
  createStaffWithGrants,
  createTestMerchant,
  ORIGIN,
  oneTimeCode,
  openTestSwitchyard,
  PASSWORD,
} from '../testing/switchyard.ts';

const OWNER = [{ merchantId: null, role: 'owner' as const }];
const actor = 'staff:ada';
let switchyard: Switchyard;
let close: () => Promise<void>;
let idp: TestProvider;
let providerId: string;
let merchantId: string;
let people = 0;

const fields = (): ProviderFields & { readonly type: 'oidc' } => ({
  type: 'oidc',
  name: 'Test provider',
  issuer: idp.issuer,
  clientId: idp.clientId,
  clientSecret: idp.clientSecret,
  domains: ['example.com'],
  groupClaim: 'groups',
  required: false,
  secondFactorRequired: false,
});

beforeAll(async () => {
  watchClientAddresses({});
  vi.stubEnv('SWITCHYARD_PRIVATE_ADDRESSES', 'allow');
  ({ switchyard, close } = await openTestSwitchyard());
  idp = await openTestProvider(`${ORIGIN}/api/auth/sso/callback`);
  merchantId = await createTestMerchant(switchyard, 'Balogun Books');
  providerId = await saved(fields());
});
afterAll(async () => {
  await close();
  await idp.close();
  vi.unstubAllEnvs();
});
beforeEach(async () => {
  idp.tamper = null;
  await saved(fields(), providerId);
});

const FINANCE = (): GroupRole[] => [{ group: 'Finance', merchantId, role: 'finance' }];

async function saved(given: ProviderFields, id: string | null = null, groupRoles = FINANCE()): Promise<string> {
  const outcome = await save(given, id, groupRoles);
  if (outcome.kind !== 'saved') throw new Error(JSON.stringify(outcome));
  return outcome.providerId;
}

/** Asks to save a provider, without roles of groups. */
const save = (given: ProviderFields, id: string | null, groupRoles: readonly GroupRole[] = []) =>
  saveProvider(switchyard, { ...given, providerId: id, groupRoles, grants: OWNER, actor });

/** An account at the provider, in the group Finance. */
function account(over: ProviderAccount = {}): { readonly subject: string; readonly email: string } {
  people += 1;
  const email = over.email ?? `finance-${people}@example.com`;
  idp.accounts.set(`subject-${people}`, { email, email_verified: true, name: 'Bola Ade', groups: ['Finance'], ...over });
  return { subject: `subject-${people}`, email };
}

async function begin(browser: Browser, next = '/overview'): Promise<string> {
  const response = await browser.post('/sign-in/sso', { providerId, next });
  const { url } = await response.json();
  if (typeof url !== 'string') throw new Error(`sign-in did not begin: ${response.status}`);
  return url;
}

/** Where the dashboard leads after an account signed in at the provider. */
async function signIn(subject: string, browser = new Browser(switchyard)): Promise<string> {
  const response = await browser.follow(await idp.signIn(await begin(browser), subject));
  expect(response.status).toBe(302);
  return (response.headers.get('location') ?? '').replace(ORIGIN, '');
}

const refusedWith = (code: string) => expect.stringMatching(new RegExp(`^/sign-in\\?error=${code}(&|$)`));
const sessionIn = (browser: Browser) => switchyard.signIn().readSession(browser.headers());
const personOf = (email: string) =>
  switchyard.resources.database.prisma.staffUser.findUnique({ where: { email }, include: { accounts: true, grants: true } });
const entriesOf = async (objectId: string) =>
  (
    await switchyard.resources.database.prisma.auditEntry.findMany({
      where: { objectId },
      orderBy: [{ createdAt: 'asc' }, { position: 'asc' }],
    })
  ).map(({ action, actor: by, after, tenantId }) => ({ action, by, after, tenantId }));

describe('a first sign-in by a provider', () => {
  test('creates the person with the roles of their groups, each step in the audit log', async () => {
    const { subject, email } = account({ name: 'Bola Ade' });
    const browser = new Browser(switchyard);
    expect(await signIn(subject, browser)).toBe('/overview');
    expect(await sessionIn(browser)).toMatchObject({
      email,
      name: 'Bola Ade',
      mustSetUpTwoFactor: false,
      grants: [{ merchantId, role: 'finance' }],
    });
    const person = await personOf(email);
    const by = `system:provider:${providerId}`;
    expect(await entriesOf(person?.id ?? '')).toEqual(
      expect.arrayContaining([
        { action: 'staff.created', by, tenantId: NIL_ID, after: expect.objectContaining({ email, subject }) },
        { action: 'staff.role_granted', by, tenantId: merchantId, after: { merchantId, role: 'finance', group: 'Finance' } },
        {
          action: 'staff.signed_in',
          by: `staff:${person?.id}`,
          tenantId: NIL_ID,
          after: expect.objectContaining({ with: 'Test provider' }),
        },
      ]),
    );
    expect(person?.accounts).toMatchObject([{ providerId, accountId: subject, password: null }]);
  });

  test('is refused without a group that has a role, and creates no person', async () => {
    const other = account({ groups: ['Kitchen'] });
    expect(await signIn(other.subject)).toEqual(refusedWith('no_group'));
    const none = account({ groups: undefined });
    expect(await signIn(none.subject)).toEqual(refusedWith('groups_missing'));
    expect([await personOf(other.email), await personOf(none.email)]).toEqual([null, null]);
  });

  test('reads a claim with one group as text', async () => {
    const { subject, email } = account({ groups: 'Finance' });
    await signIn(subject);
    expect(await personOf(email)).toMatchObject({ grants: [{ merchantId, group: 'Finance' }] });
  });
});

describe('a later sign-in by a provider', () => {
  test('makes roles by groups equal to the groups, and leaves those given by hand', async () => {
    const { subject, email } = account();
    await signIn(subject);
    await saved(fields(), providerId, [...FINANCE(), { group: 'Everyone', merchantId: null, role: 'viewer' }]);
    idp.accounts.set(subject, { ...idp.accounts.get(subject), groups: ['Everyone'] });
    const browser = new Browser(switchyard);
    await signIn(subject, browser);
    expect((await sessionIn(browser))?.grants).toEqual([{ merchantId: null, role: 'viewer' }]);
    const entries = await entriesOf((await personOf(email))?.id ?? '');
    expect(entries.filter(({ action }) => action === 'staff.role_revoked')).toMatchObject([
      { tenantId: merchantId, after: null },
    ]);
  });

  test('leaves the groups of a person to the directory that provisions them', async () => {
    const { subject, email } = account();
    await signIn(subject);
    const userId = (await personOf(email))?.id ?? '';
    const at = new Date();
    const group = { id: switchyard.newId(), displayName: 'Finance', displayNameKey: subject };
    const { prisma } = switchyard.resources.database;
    await prisma.scimUser.create({ data: { userId, providerId, active: true, createdAt: at, updatedAt: at } });
    await prisma.scimGroup.create({ data: { ...group, providerId, createdAt: at, updatedAt: at } });
    await prisma.scimGroupMember.create({ data: { groupId: group.id, userId } });
    idp.accounts.set(subject, { ...idp.accounts.get(subject), groups: undefined });
    const browser = new Browser(switchyard);
    await signIn(subject, browser);
    expect((await sessionIn(browser))?.grants).toEqual([{ merchantId, role: 'finance' }]);
  });

  test('finds the person by the subject when the address changed, and keeps the address they have here', async () => {
    const { subject, email } = account();
    await signIn(subject);
    const renamed = `renamed-${people}@example.com`;
    idp.accounts.set(subject, { ...idp.accounts.get(subject), email: renamed });
    const browser = new Browser(switchyard);
    await signIn(subject, browser);
    expect((await sessionIn(browser))?.email).toBe(email);
    expect(await personOf(renamed)).toBeNull();
  });

  test('is refused when the address changed to another domain', async () => {
    const { subject } = account();
    await signIn(subject);
    idp.accounts.set(subject, { ...idp.accounts.get(subject), email: 'someone@elsewhere.example' });
    expect(await signIn(subject)).toEqual(refusedWith('foreign_domain'));
  });

  test('is refused for a disabled person', async () => {
    const { subject, email } = account();
    await signIn(subject);
    await switchyard.resources.database.prisma.staffUser.update({ where: { email }, data: { disabledAt: new Date() } });
    expect(await signIn(subject)).toEqual(refusedWith('account_disabled'));
  });

  test('goes on after the provider changed its keys', async () => {
    const { subject } = account();
    expect(await signIn(subject)).toBe('/overview');
    await idp.rotateKeys();
    expect(await signIn(subject)).toBe('/overview');
  });
});

describe('linking a provider’s account to a person there is', () => {
  test('needs an address that the provider has verified', async () => {
    const email = await createStaffWithGrants(switchyard, `linked-${++people}@example.com`, [{ merchantId, role: 'viewer' }]);
    const unverified = account({ email, email_verified: false });
    expect(await signIn(unverified.subject)).toEqual(refusedWith('email_unverified'));
    const unsaid = account({ email, email_verified: undefined });
    expect(await signIn(unsaid.subject)).toEqual(refusedWith('email_unverified'));
    expect((await personOf(email))?.accounts).toHaveLength(1);
    const verified = account({ email });
    expect(await signIn(verified.subject)).toBe('/overview');
    const person = await personOf(email);
    expect(person?.accounts).toHaveLength(2);
    expect((await entriesOf(person?.id ?? '')).map(({ action }) => action)).toContain('staff.provider_linked');
  });

  test('needs an address of the provider’s domains', async () => {
    const email = await createStaffWithGrants(switchyard, `owner-${++people}@elsewhere.example`, OWNER);
    const { subject } = account({ email });
    expect(await signIn(subject)).toEqual(refusedWith('foreign_domain'));
    const below = account({ email: `x-${people}@sub.example.com` });
    expect(await signIn(below.subject)).toEqual(refusedWith('foreign_domain'));
  });

  test('is refused to a second account of the provider', async () => {
    const first = account();
    await signIn(first.subject);
    const second = account({ email: first.email });
    expect(await signIn(second.subject)).toEqual(refusedWith('linked_elsewhere'));
  });
});

describe('an identity token', () => {
  const seconds = () => Math.floor(Date.now() / 1_000);
  test.each<[string, string, (token: TamperedToken) => void]>([
    ['with the nonce of another sign-in', 'wrong_token', ({ claims }) => Object.assign(claims, { nonce: 'of another' })],
    ['without a nonce', 'wrong_token', ({ claims }) => delete claims.nonce],
    ['for another audience', 'invalid_provider', ({ claims }) => Object.assign(claims, { aud: 'another-client' })],
    [
      'for several audiences and another party',
      'invalid_provider',
      ({ claims }) => Object.assign(claims, { aud: ['switchyard', 'another'], azp: 'another' }),
    ],
    ['of another issuer', 'invalid_provider', ({ claims }) => Object.assign(claims, { iss: 'https://id.elsewhere.example' })],
    ['of another person than the claims', 'invalid_provider', ({ claims }) => Object.assign(claims, { sub: 'another' })],
    ['past its end', 'invalid_provider', ({ claims }) => Object.assign(claims, { exp: seconds() - 1 })],
    ['without an end', 'wrong_token', ({ claims }) => delete claims.exp],
    ['not valid yet', 'invalid_provider', ({ claims }) => Object.assign(claims, { nbf: seconds() + 120 })],
    ['issued by a clock that is ahead', 'wrong_time', ({ claims }) => Object.assign(claims, { iat: seconds() + 120 })],
    ['issued long ago', 'wrong_time', ({ claims }) => Object.assign(claims, { iat: seconds() - 3_600 })],
    [
      'signed with a key that is not the provider’s',
      'invalid_provider',
      (token) => Object.assign(token, { signedBy: 'stranger' }),
    ],
    ['without a signature', 'invalid_provider', (token) => Object.assign(token, { signedBy: 'no one' })],
    [
      'that says the address is not verified',
      'email_unverified',
      ({ claims }) => Object.assign(claims, { email_verified: false }),
    ],
  ])('%s is refused', async (_, code, tamper) => {
    const { subject, email } = account();
    idp.tamper = tamper;
    const browser = new Browser(switchyard);
    expect(await signIn(subject, browser)).toEqual(refusedWith(code));
    expect([await sessionIn(browser), await personOf(email)]).toEqual([null, null]);
  });

  test('issued by a clock half a minute ahead is accepted', async () => {
    const { subject } = account();
    idp.tamper = ({ claims }) => Object.assign(claims, { iat: seconds() + 30 });
    expect(await signIn(subject)).toBe('/overview');
  });
});

describe('the way to a provider and back', () => {
  test('carries a state, a nonce and a challenge, which the provider requires', async () => {
    const url = new URL(await begin(new Browser(switchyard)));
    const { searchParams } = url;
    expect(`${url.origin}${url.pathname}`).toBe(`${idp.issuer}/auth`);
    expect(searchParams.get('code_challenge_method')).toBe('S256');
    for (const name of ['state', 'nonce', 'code_challenge']) expect(searchParams.get(name)).toMatch(/^[\w-]{32,}$/);
  });

  test('works once: a replayed answer is refused, and so is its code in another sign-in', async () => {
    const { subject } = account();
    const browser = new Browser(switchyard);
    const back = await idp.signIn(await begin(browser), subject);
    expect((await browser.follow(back)).headers.get('location')).toBe(`${ORIGIN}/overview`);
    expect((await browser.follow(back)).headers.get('location')).toContain('error=state_mismatch');
    const next = new URL(await idp.signIn(await begin(browser), subject));
    next.searchParams.set('code', new URL(back).searchParams.get('code') ?? '');
    const replayed = await browser.follow(next.toString());
    expect(replayed.headers.get('location')).toContain('error=invalid_provider');
  });

  test('ends in the browser that began it: another one is refused', async () => {
    const { subject } = account();
    const back = await idp.signIn(await begin(new Browser(switchyard)), subject);
    const victim = new Browser(switchyard);
    expect((await victim.follow(back)).headers.get('location')).toContain('error=state_mismatch');
    expect(await sessionIn(victim)).toBeNull();
  });

  test('leads to our own pages alone', async () => {
    for (const next of ['https://elsewhere.example', '//elsewhere.example', '/\\elsewhere.example', 'overview']) {
      expect((await new Browser(switchyard).post('/sign-in/sso', { providerId, next })).status).toBe(404);
    }
  });

  test('is limited per network, with the passwords tried from it', async () => {
    const browser = new Browser(switchyard);
    const statuses: number[] = [];
    for (let count = 0; count <= 100; count += 1) {
      browser.address = `2001:db8:7:7::${count + 1}`;
      statuses.push((await browser.post('/sign-in/sso', { providerId: NIL_ID, next: '/' })).status);
    }
    expect(statuses.filter((status) => status === 404)).toHaveLength(100);
    expect(statuses.at(-1)).toBe(429);
  });
});

describe('a sign-in by a provider that is refused', () => {
  const refusals = async () =>
    (await entriesOf(providerId)).filter(({ action }) => action === 'sso_provider.sign_in_refused').map(({ after }) => after);

  test.each<[string, string, ProviderAccount, ((token: TamperedToken) => void) | null]>([
    ['by us', 'foreign_domain', { email: 'eve@elsewhere.example' }, null],
    ['by the library', 'invalid_provider', {}, (token) => Object.assign(token, { signedBy: 'stranger' })],
  ])('%s is in the audit log: the reason and the address, and nothing of the token', async (_, reason, over, tamper) => {
    const { subject, email } = account(over);
    const before = (await refusals()).length;
    idp.tamper = tamper;
    expect(await signIn(subject)).toEqual(refusedWith(reason));
    const after = (await refusals()).slice(before);
    expect(after).toEqual([{ reason, address: null }]);
    expect(JSON.stringify(after)).not.toContain(email);
  });

  test('at the provider is in the audit log, whatever text the provider writes', async () => {
    const before = (await refusals()).length;
    const browser = new Browser(switchyard);
    const state = new URL(await begin(browser)).searchParams.get('state');
    const error = encodeURIComponent('<b>call 0800 …</b>');
    await browser.follow(`${ORIGIN}/api/auth/sso/callback?state=${state}&error=${error}`);
    expect((await refusals()).slice(before)).toEqual([{ reason: 'invalid_provider', address: null }]);
  });
});

describe('a provider', () => {
  test('is stored with the roles of its groups and one audit entry, or not at all', async () => {
    const count = async () => (await entriesOf(providerId)).length;
    const entries = await count();
    const unknown = [...FINANCE(), { group: 'Other', merchantId: switchyard.newId(), role: 'viewer' }];
    expect(await save({ ...fields(), name: 'Renamed' }, providerId, unknown)).toEqual({ kind: 'unknown_merchant' });
    const { prisma } = switchyard.resources.database;
    const row = () => prisma.ssoProvider.findUniqueOrThrow({ where: { id: providerId }, include: { groupRoles: true } });
    expect([await count(), await row()]).toMatchObject([entries, { name: 'Test provider', groupRoles: [{ group: 'Finance' }] }]);
    const roles = [{ group: 'Everyone', merchantId: null, role: 'viewer' }];
    expect(await save({ ...fields(), name: 'Renamed' }, providerId, roles)).toMatchObject({ kind: 'saved' });
    expect([await count(), await row()]).toMatchObject([entries + 1, { name: 'Renamed', groupRoles: [{ group: 'Everyone' }] }]);
    expect((await entriesOf(providerId)).at(-1)).toMatchObject({
      action: 'sso_provider.changed',
      after: { name: 'Renamed', groupRoles: roles },
    });
  });

  test('keeps its secret sealed, and neither shows nor records it', async () => {
    const { prisma } = switchyard.resources.database;
    const row = await prisma.ssoProvider.findUniqueOrThrow({ where: { id: providerId } });
    expect(JSON.stringify(row)).not.toContain(idp.clientSecret);
    expect(JSON.stringify(await entriesOf(providerId))).not.toContain(idp.clientSecret);
  });

  test('is not called at an address of a private network unless that is set up', async () => {
    vi.stubEnv('SWITCHYARD_PRIVATE_ADDRESSES', undefined);
    onTestFinished(() => void vi.stubEnv('SWITCHYARD_PRIVATE_ADDRESSES', 'allow'));
    const before = idp.calls.length;
    for (const issuer of [idp.issuer, 'https://127.0.0.1:1', 'https://169.254.169.254', 'https://localhost', 'https://[::1]']) {
      const outcome = await save({ ...fields(), issuer, name: 'Private' }, null);
      expect(outcome).toMatchObject({ kind: 'invalid', problems: [{ field: 'issuer' }] });
    }
    const { subject } = account();
    const browser = new Browser(switchyard);
    const begun = await browser.post('/sign-in/sso', { providerId, next: '/' });
    expect(begun.status).not.toBe(200);
    expect(subject).not.toBe('');
    expect(idp.calls).toHaveLength(before);
  });

  test('is registered, read and changed by none of the library’s own paths', async () => {
    const browser = new Browser(switchyard);
    await browser.signIn(await createStaffWithGrants(switchyard, `owner-${++people}@example.org`, OWNER));
    for (const path of [
      '/sso/register',
      '/sso/providers',
      '/sso/update-provider',
      '/sso/delete-provider',
      '/sso/saml2/sp/acs/x',
    ]) {
      expect((await browser.post(path, {})).status).toBe(404);
    }
  });

  test('is removed with the roles that its groups gave and the sessions by it', async () => {
    const keep = providerId;
    onTestFinished(() => {
      providerId = keep;
    });
    providerId = await saved({ ...fields(), name: 'Second', domains: ['second.example'] });
    const { subject, email } = account({ email: 'bola@second.example' });
    const browser = new Browser(switchyard);
    expect(await signIn(subject, browser)).toBe('/overview');
    expect(await removeProvider(switchyard, { providerId, actor })).toEqual({ kind: 'removed' });
    expect(await sessionIn(browser)).toBeNull();
    expect(await personOf(email)).toMatchObject({ grants: [], accounts: [] });
  });
});

/** An owner with two-factor sign-in, and the address that their codes are made from. */
async function ownerWithTwoFactor(): Promise<{ readonly email: string; readonly staffId: string; readonly uri: string }> {
  const email = await createStaffWithGrants(switchyard, `break-glass-${++people}@example.com`, OWNER);
  const browser = new Browser(switchyard);
  await browser.signIn(email);
  const { totpURI } = await (await browser.post('/two-factor/enable', { password: PASSWORD })).json();
  const uri = String(totpURI);
  await browser.post('/two-factor/verify-totp', { code: oneTimeCode(uri, Date.now() - 30_000) });
  return { email, uri, staffId: (await personOf(email))?.id ?? '' };
}

describe('a provider that is required for a domain', () => {
  test('cannot be required before one owner can sign in without it', async () => {
    await switchyard.resources.database.prisma.staffUser.updateMany({ data: { breakGlass: false } });
    expect(await save({ ...fields(), required: true }, providerId)).toEqual({ kind: 'no_break_glass' });
    const email = await createStaffWithGrants(switchyard, `plain-${++people}@example.com`, OWNER);
    const staffId = (await personOf(email))?.id ?? '';
    expect(await setBreakGlass(switchyard, { staffId, actor })).toEqual({ kind: 'not_eligible' });
  });

  test('refuses right, wrong and unknown passwords of the domain alike, and none of another domain', async () => {
    const { staffId } = await ownerWithTwoFactor();
    await setBreakGlass(switchyard, { staffId, actor });
    await saved({ ...fields(), required: true }, providerId);
    const email = await createStaffWithGrants(switchyard, `person-${++people}@example.com`, OWNER);
    const other = await createStaffWithGrants(switchyard, `person-${people}@example.org`, OWNER);
    const answers = [];
    for (const [who, password] of [
      [email, PASSWORD],
      [email.toUpperCase(), PASSWORD],
      [email, 'a wrong password'],
      ['unknown@example.com', PASSWORD],
    ] as const) {
      const response = await new Browser(switchyard).signIn(who, password);
      answers.push(`${response.status} ${await response.text()}`);
    }
    expect(new Set(answers).size).toBe(1);
    expect(answers[0]).toContain('PROVIDER_REQUIRED');
    const meant = await entriesOf((await personOf(email))?.id ?? '');
    expect(meant.filter(({ action }) => action === 'staff.sign_in_refused').map(({ after }) => after)).toEqual(
      Array.from({ length: 3 }, () => ({ reason: 'provider_required', address: null })),
    );
    expect((await new Browser(switchyard).signIn(other)).status).toBe(200);
    const { subject } = account({ email });
    expect(await signIn(subject)).toBe('/overview');
  });

  test('lets the break-glass owner in with password and second factor, which is recorded as such', async () => {
    const { email, staffId, uri } = await ownerWithTwoFactor();
    expect(await setBreakGlass(switchyard, { staffId, actor })).toEqual({ kind: 'set' });
    await saved({ ...fields(), required: true }, providerId);
    const browser = new Browser(switchyard);
    expect(await (await browser.signIn(email, 'a wrong password')).json()).toMatchObject({ code: 'PROVIDER_REQUIRED' });
    expect(await (await browser.signIn(email)).json()).toMatchObject({ twoFactorRedirect: true });
    expect(await sessionIn(browser)).toBeNull();
    expect((await browser.post('/two-factor/verify-totp', { code: oneTimeCode(uri, Date.now()) })).status).toBe(200);
    expect((await entriesOf(staffId)).at(-1)).toMatchObject({ action: 'staff.signed_in', after: { breakGlass: true } });
    const disabled = await browser.post('/two-factor/disable', { password: PASSWORD });
    expect(await disabled.json()).toMatchObject({ code: 'TWO_FACTOR_REQUIRED' });
  });
});

describe('our second factor after a provider’s sign-in', () => {
  test('is not asked for unless the provider is set so, though an owner requires one of the person', async () => {
    const { subject, email } = account();
    await signIn(subject);
    await switchyard.resources.database.prisma.staffUser.update({ where: { email }, data: { twoFactorRequired: true } });
    const browser = new Browser(switchyard);
    await signIn(subject, browser);
    expect(await sessionIn(browser)).toMatchObject({ mustSetUpTwoFactor: false, grants: [{ role: 'finance' }] });
  });

  test('is set up first by who has none, and no role applies until then', async () => {
    await saved({ ...fields(), secondFactorRequired: true }, providerId);
    const { subject, email } = account();
    const browser = new Browser(switchyard);
    await signIn(subject, browser);
    expect(await sessionIn(browser)).toMatchObject({ mustSetUpTwoFactor: true, grants: [] });
    const { totpURI } = await (await browser.post('/two-factor/enable', {})).json();
    await browser.post('/two-factor/verify-totp', { code: oneTimeCode(String(totpURI), Date.now() - 30_000) });
    expect(await sessionIn(browser)).toMatchObject({ mustSetUpTwoFactor: false, grants: [{ role: 'finance' }] });
    const again = new Browser(switchyard);
    await signIn(subject, again);
    expect(await sessionIn(again)).toMatchObject({ mustSetUpTwoFactor: true, twoFactorEnabled: true, grants: [] });
    expect((await again.post('/two-factor/verify-totp', { code: '000000' })).status).toBe(401);
    const code = oneTimeCode(String(totpURI), Date.now());
    expect((await again.post('/two-factor/verify-totp', { code })).status).toBe(200);
    expect(await sessionIn(again)).toMatchObject({ mustSetUpTwoFactor: false, grants: [{ role: 'finance' }] });
    const third = new Browser(switchyard);
    await signIn(subject, third);
    expect((await third.post('/two-factor/verify-totp', { code })).status).toBe(401);
    expect(await sessionIn(third)).toMatchObject({ mustSetUpTwoFactor: true });
    const entries = await entriesOf((await personOf(email))?.id ?? '');
    expect(entries.map(({ action }) => action)).toEqual(expect.arrayContaining(['staff.provider_step_taken', 'staff.signed_in']));
    const refused = entries.filter(({ action }) => action === 'staff.sign_in_refused');
    expect(refused.map(({ after }) => after)).toEqual(
      Array.from({ length: 2 }, () => ({ reason: 'invalid_code', address: null })),
    );
  });
});
