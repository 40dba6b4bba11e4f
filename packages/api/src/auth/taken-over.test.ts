import { NIL_ID } from '@switchyard/db';
import superjson from 'superjson';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type { Switchyard } from '../process.ts';
import { connectAgent } from '../testing/agent.ts';
import { serveOverHttp } from '../testing/served.ts';
import {
  Browser,
  createStaffWithGrants,
  createTestMerchant,
  ORIGIN,
  oneTimeCode,
  openTestSwitchyard,
  PASSWORD,
} from '../testing/switchyard.ts';
import { handleTrpc } from '../trpc/trpc.ts';

/* The steps of the runbook for an account that an intruder has signed in to, in its order, over HTTP. */

const EMAIL = 'bola@example.com';
const NEW_PASSWORD = 'another horse battery';
let switchyard: Switchyard;
let close: () => Promise<void>;
let served: Awaited<ReturnType<typeof serveOverHttp>>;
let merchantId: string;

beforeAll(async () => {
  ({ switchyard, close } = await openTestSwitchyard());
  served = await serveOverHttp(switchyard);
  merchantId = await createTestMerchant(switchyard, 'Balogun Books');
});
afterAll(async () => {
  await served.close();
  await close();
});
// A code is valid for its half minute and the ones beside it: the clock stands still, so that none ends within a test.
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: Date.now() }));
afterEach(() => void vi.useRealTimers());

/** Calls a procedure of the dashboard as a browser does. */
async function ask(browser: Browser, procedure: string, input: unknown = null): Promise<{ status: number; data: unknown }> {
  const headers = browser.headers({ 'content-type': 'application/json' });
  const body = superjson.stringify(input);
  const request = new Request(`${ORIGIN}/api/trpc/${procedure}`, { method: 'POST', headers, body });
  const response = await handleTrpc(switchyard, request);
  const answer: { result?: { data: { json?: unknown } } } = await response.json();
  return { status: response.status, data: answer.result?.data.json };
}

async function done<Data = Record<string, string>>(browser: Browser, procedure: string, input: unknown = null): Promise<Data> {
  const { status, data } = await ask(browser, procedure, input);
  expect(status, procedure).toBe(200);
  return data as Data;
}

async function signedIn(email: string, password = PASSWORD): Promise<Browser> {
  const browser = new Browser(switchyard);
  expect((await browser.signIn(email, password)).status).toBe(200);
  return browser;
}

const read = async (path: string, bearer: string, init: RequestInit = {}) => {
  const headers = { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' };
  return (await fetch(`${served.url}${path}`, { ...init, headers })).status;
};
const exportWith = (token: string) =>
  read(`/api/export/payments?format=ndjson&filter=${encodeURIComponent(JSON.stringify({ mode: 'test' }))}`, token);
const agentWith = (token: string) =>
  connectAgent(served.url, token).then(
    () => 'connected',
    () => 'refused',
  );

/** A link to a file of a schedule that works without a sign-in. */
async function makeDownload(scheduleId: string): Promise<string> {
  const [id, day, now] = [switchyard.newId(), new Date('2026-11-25'), new Date()];
  const times = { createdAt: now, updatedAt: now, linkExpiresAt: new Date(now.getTime() + 86_400_000) };
  const run = { merchantId, id, scheduleId, firstDay: day, lastDay: day, requestId: NIL_ID, state: 'SENT' as const };
  const { reportRun } = switchyard.resources.database.prisma;
  await reportRun.create({ data: { ...run, ...times, linkHash: new Uint8Array(32), nextAttemptAt: null } });
  return id;
}

test('after the runbook nothing that an intruder had of an account reads or changes anything', async () => {
  await createStaffWithGrants(switchyard, 'ada@example.com', [{ merchantId: null, role: 'owner' }]);
  await createStaffWithGrants(switchyard, EMAIL, [{ merchantId: null, role: 'owner' }]);
  const owner = await signedIn('ada@example.com');
  const { staffId } = await switchyard.resources.database.prisma.staffUser
    .findUniqueOrThrow({ where: { email: EMAIL } })
    .then(({ id }) => ({ staffId: id }));

  // The intruder has the password, sets up a second step of their own, and gives out whatever the account may.
  const intruder = await signedIn(EMAIL);
  const enabled = await (await intruder.post('/two-factor/enable', { password: PASSWORD })).json();
  const uri = String(enabled.totpURI);
  expect((await intruder.post('/two-factor/verify-totp', { code: oneTimeCode(uri, Date.now() - 30_000) })).status).toBe(200);
  const expiresAt = new Date(Date.now() + 86_400_000);
  const reach = { merchantIds: [merchantId], modes: ['test'] };
  const token = async (scopes: readonly string[], more = {}) =>
    (await done(intruder, 'machineTokens.issue', { name: scopes.join(' '), scopes, expiresAt, ...more })).token ?? '';
  const reports = await token(['reports'], reach);
  const tools = await token(['tools', 'drafts']);
  const key = await done(intruder, 'keys.issue', {
    merchantId,
    mode: 'test',
    name: 'Till',
    expiresAt: null,
    scopes: ['full_access'],
  });
  const invited = { email: 'eve@example.com', name: 'Eve', grants: [{ merchantId: null, role: 'owner' }] };
  const invitation = (await done(intruder, 'team.invite', invited)).address?.split('#')[1];
  const joined = (await done(intruder, 'team.invite', { ...invited, email: 'mallory@example.com' })).address?.split('#')[1];
  const mallory = { token: joined, name: 'Mallory', password: NEW_PASSWORD };
  expect((await new Browser(switchyard).post('/link/accept', mallory)).status).toBe(200);
  const endpoint = {
    merchantId,
    mode: 'test',
    url: 'https://evil.example/hook',
    description: '',
    types: [],
    format: 'switchyard',
  };
  await done(intruder, 'webhooks.create', endpoint);
  const fields = {
    name: 'All',
    format: 'csv',
    frequency: 'daily',
    hour: 3,
    timeZone: 'Africa/Lagos',
    recipients: ['eve@evil.example'],
  };
  const schedule = { merchantId, mode: 'test', list: 'payments', filter: {}, fields };
  const report = await done(intruder, 'scheduledReports.create', schedule);
  const runId = await makeDownload(report.scheduleId ?? '');
  const channel = { merchantId: null, target: { kind: 'email', to: ['eve@evil.example'] }, settings: { name: 'Eve' } };
  await done(intruder, 'alerts.createChannel', channel);
  expect([await exportWith(reports), await agentWith(tools), await read('/v1/payments', key.secretKey ?? '')]).toEqual([
    200,
    'connected',
    200,
  ]);

  // 1. Disable.
  await done(owner, 'team.setDisabled', { staffId, disabled: true });
  expect((await ask(intruder, 'team.list')).status).toBe(401);
  expect((await new Browser(switchyard).post('/link/accept', { ...mallory, token: invitation })).status).toBe(410);
  // 2. Reset two-factor sign-in.
  await done(owner, 'team.resetTwoFactor', { staffId });
  // 3. Issued by.
  type Issued = Record<'keys' | 'roles' | 'endpoints' | 'schedules' | 'channels', Record<string, string>[]>;
  const issued = await done<Issued>(owner, 'team.issued', { staffId });
  expect(issued).toMatchObject({
    tokens: [],
    invitations: [],
    keys: [{ name: 'Till', merchantId }],
    roles: [{ name: 'Mallory', merchantId: null, role: 'owner' }],
    endpoints: [{ url: 'https://evil.example/hook' }],
    channels: [{ name: 'Eve', merchantId: NIL_ID }],
    schedules: [{ name: 'All', recipients: 1 }],
    downloads: [{ runId, name: 'All' }],
  });
  const keyIds = issued.keys.map(({ keyId }) => keyId);
  expect(await done(owner, 'team.revokeIssued', { staffId, keyIds, runIds: [runId] })).toEqual({ revoked: 2 });
  expect(await done(owner, 'team.issued', { staffId })).toMatchObject({ keys: [], downloads: [] });
  for (const { staffId: other } of issued.roles) await done(owner, 'team.setDisabled', { staffId: other, disabled: true });
  for (const { endpointId } of issued.endpoints) await done(owner, 'webhooks.remove', { merchantId, endpointId });
  for (const { channelId } of issued.channels) await done(owner, 'alerts.removeChannel', { merchantId: null, channelId });
  for (const { scheduleId } of issued.schedules) await done(owner, 'scheduledReports.remove', { scheduleId });
  expect(await done(owner, 'team.issued', { staffId })).toMatchObject({ roles: [], endpoints: [], schedules: [], channels: [] });
  // 4. Create reset link: the password is chosen while the account is off.
  const reset = (await done(owner, 'team.makeResetLink', { staffId })).address?.split('#')[1];
  const person = new Browser(switchyard);
  expect((await person.post('/link/reset', { token: reset, password: NEW_PASSWORD })).status).toBe(200);
  expect((await person.post('/link/reset', { token: reset, password: NEW_PASSWORD })).status).toBe(410);
  expect((await person.signIn(EMAIL, NEW_PASSWORD)).status).toBe(403);
  // 5. Enable.
  await done(owner, 'team.setDisabled', { staffId, disabled: false });
  expect((await person.signIn(EMAIL, NEW_PASSWORD)).status).toBe(200);
  await done(person, 'team.list');

  expect((await ask(intruder, 'team.list')).status).toBe(401);
  expect((await new Browser(switchyard).signIn(EMAIL)).status).toBe(401);
  expect((await new Browser(switchyard).signIn('mallory@example.com', NEW_PASSWORD)).status).toBe(403);
  expect([await exportWith(reports), await agentWith(tools)]).toEqual([401, 'refused']);
  await expect.poll(() => read('/v1/payments', key.secretKey ?? '')).toBe(401);
  const audited = await switchyard.resources.database.prisma.auditEntry.findMany({
    where: {
      tenantId: { in: [NIL_ID, merchantId] },
      action: { in: ['staff.disabled', 'api_key.revoked', 'staff.password_reset'] },
    },
    orderBy: { createdAt: 'asc' },
  });
  expect(new Set(audited.map(({ action }) => action)).size).toBe(3);
});
