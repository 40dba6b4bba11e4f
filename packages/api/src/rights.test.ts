import { newId } from '@switchyard/db';
import { KEY_SCOPES } from '@switchyard/merchants/api-keys';
import { issueKey, revokeKey } from '@switchyard/merchants/console/api-keys';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { watchClientAddresses } from './client-address.ts';
import { DIALECT_ROUTES } from './compat/serve-compat.ts';
import type { Switchyard } from './process.ts';
import { describeRest } from './rest/openapi.ts';
import { V1_ROUTES } from './rest/v1.ts';
import { isProcedure } from './testing/input-fields.ts';
import { KEY_RIGHTS, linesOf } from './testing/rights.ts';
import { serveOverHttp } from './testing/served.ts';
import {
  Browser,
  createStaffWithGrants,
  createTestMerchant,
  ORIGIN,
  openTestSwitchyard,
  PASSWORD,
  recordPayment,
} from './testing/switchyard.ts';
import { appRouter } from './trpc/router.ts';
import { handleTrpc } from './trpc/trpc.ts';

/*
 * Every route for API keys, from the tables of routes, and every procedure over HTTP: with keys and sessions that are good, that ended, of
 * another merchant and of the other mode. Roles are tested with the transports; all compare with the one table of rights.
 */

interface Endpoint {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** `GET /v1/events` */
  readonly line: string;
}

const ENDPOINTS: readonly Endpoint[] = [
  { base: '', routes: V1_ROUTES },
  ...Object.entries(DIALECT_ROUTES).map(([dialect, routes]) => ({ base: `/compat/${dialect}`, routes })),
].flatMap(({ base, routes }) =>
  routes.flatMap(({ path, endpoints }) =>
    endpoints.map(({ method }) => ({ method, path: `${base}${path}`, line: `${method} ${base}${path}` })),
  ),
);

/** A merchant with a payment, its refund, and its API keys. */
interface Target {
  readonly merchantId: string;
  readonly paymentId: string;
  readonly refundId: string;
  /** Order id, and the reference that dialects know it by. */
  readonly reference: string;
  /** The numbers that dialects know payment and refund by. */
  readonly number: string;
  readonly id: string;
}

let switchyard: Switchyard;
let close: () => Promise<void>;
let served: Awaited<ReturnType<typeof serveOverHttp>>;
let ours: Target;
let theirs: Target;

beforeAll(async () => {
  watchClientAddresses({});
  ({ switchyard, close } = await openTestSwitchyard());
  served = await serveOverHttp(switchyard);
  ours = await createTarget('ours', 4_100_000_001);
  theirs = await createTarget('theirs', 4_200_000_002);
});
afterAll(async () => {
  await served.close();
  await close();
});

async function createTarget(name: string, number: number): Promise<Target> {
  const { prisma } = switchyard.resources.database;
  const merchantId = await createTestMerchant(switchyard, `${name} books`);
  const reference = `${name}-order`;
  const paymentId = await recordPayment(switchyard, merchantId, reference);
  const at = new Date();
  const times = { createdAt: at, updatedAt: at };
  const refundId = newId();
  const accountId = switchyard.resources.configuration.merchant(merchantId)?.accounts[0]?.id ?? '';
  const attempt = { id: newId(), paymentId, accountId, gateway: 'paystack', reference: `${name}-attempt` };
  await prisma.attempt.create({ data: { ...times, ...attempt, merchantId, position: 0, state: 'PAID', latencyMs: 100 } });
  const paid = {
    attemptId: attempt.id,
    paymentId,
    accountId,
    gateway: 'paystack',
    reference: `${name}-part`,
    transactionId: name,
  };
  const refund = { ...paid, id: refundId, mode: 'test', currency: 'NGN', amount: 5n, requestedBy: 'api', reason: name } as const;
  await prisma.refund.create({ data: { ...times, ...refund, merchantId, state: 'SUCCEEDED' } });
  for (const [kind, objectId, of] of [
    ['payment', paymentId, number],
    ['refund', refundId, number + 1],
  ] as const) {
    await switchyard.resources.database.pool.query(NUMBER, [merchantId, kind, objectId, of]);
  }
  return { merchantId, paymentId, refundId, reference, number: String(number), id: String(number + 1) };
}

const NUMBER = `INSERT INTO compat_number (merchant_id, kind, object_id, number) VALUES ($1, $2, $3, $4)`;

async function issue({ merchantId }: Target, mode: 'test' | 'live' = 'test', scopes: readonly string[] = [...KEY_SCOPES]) {
  const command = { merchantId, mode, name: 'server', expiresAt: null, scopes, actor: 'staff:ada' } as const;
  const outcome = await issueKey(switchyard, command);
  if (outcome.kind !== 'issued') throw new Error(outcome.kind);
  return { key: outcome.secretKey, keyId: outcome.key.id };
}

/** Calls an endpoint about a target. Streams are cut after their first bytes. */
async function call({ method, path }: Endpoint, about: Target, key: string | null) {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: keyof Target) => about[name]);
  const query = method === 'GET' && filled.startsWith('/compat') ? `?tx_ref=${about.reference}&reference=${about.reference}` : '';
  const isCheckout = /initiate|initialize|\/v3\/payments/.test(path);
  const refund = path.includes('paystack') ? { transaction: about.reference, amount: 1 } : { amount: 1 };
  const body = JSON.stringify(isCheckout ? { amount: 'none' } : /\/refunds?$/.test(path) ? refund : {});
  const headers = { 'content-type': 'application/json', ...(key !== null && { authorization: `Bearer ${key}` }) };
  const answer = await fetch(`${served.url}${filled}${query}`, { method, headers, ...(method === 'POST' && { body }) });
  const isStream = answer.headers.get('content-type')?.startsWith('text/event-stream') === true;
  if (isStream) await answer.body?.cancel();
  return { status: answer.status, text: isStream ? '' : await answer.text() };
}

test('the table of rights has a line for every route, and the routes of /v1 are those that are documented', () => {
  expect(ENDPOINTS.map(({ line }) => line).toSorted()).toEqual(Object.keys(KEY_RIGHTS).toSorted());
  expect(new Set(Object.values(KEY_RIGHTS))).toEqual(new Set(KEY_SCOPES));
  const documented = Object.entries(describeRest(ORIGIN).paths ?? {}).flatMap(([path, operations]) =>
    Object.keys(operations ?? {}).map((method) => `${method.toUpperCase()} ${path}`),
  );
  expect(documented.toSorted()).toEqual(ENDPOINTS.flatMap(({ line }) => (line.includes('/compat/') ? [] : [line])).toSorted());
});

describe('scopes', () => {
  // Full access reaches everything but the rules, which have to be granted by name.
  test.each([...KEY_SCOPES, 'full_access'])('a key with %s reaches the endpoints that need it, and no other', async (scope) => {
    const { key } = await issue(ours, 'test', [scope]);
    for (const endpoint of ENDPOINTS) {
      const needed = KEY_RIGHTS[endpoint.line];
      const { status, text } = await call(endpoint, ours, key);
      const isGranted = scope === 'full_access' ? !needed?.startsWith('rules:') : scope === needed;
      if (isGranted) expect(status, endpoint.line).not.toBe(403);
      else {
        expect(status, endpoint.line).toBe(403);
        expect(text).toContain(`lacks the scope ${needed}`);
      }
    }
  });

  test('several are each enough', async () => {
    const { key } = await issue(ours, 'test', ['payments:read', 'refunds:read']);
    for (const endpoint of ENDPOINTS) {
      const isGranted = /^(payments|refunds):read$/.test(KEY_RIGHTS[endpoint.line] ?? '');
      expect((await call(endpoint, ours, key)).status === 403, endpoint.line).toBe(!isGranted);
    }
  });
});

describe('keys', () => {
  const unknown: Target = {
    merchantId: newId(),
    paymentId: newId(),
    refundId: newId(),
    reference: 'unknown-order',
    number: '4300000003',
    id: '4300000004',
  };
  const wrong = new Map<string, string | null>();
  let ownKey: string;
  let liveKey: string;

  beforeAll(async () => {
    const { prisma } = switchyard.resources.database;
    const [own, live, revoked, expired] = [await issue(ours), await issue(ours, 'live'), await issue(ours), await issue(ours)];
    [ownKey, liveKey] = [own.key, live.key];
    await revokeKey(switchyard, { merchantId: ours.merchantId, keyId: revoked.keyId, actor: 'staff:ada' });
    await prisma.apiKey.updateMany({ where: { id: expired.keyId }, data: { expiresAt: new Date(Date.now() - 1_000) } });
    await prisma.configurationRevision.updateMany({ data: { revision: { increment: 1 } } });
    await switchyard.resources.configuration.refresh();
    wrong.set('none', null).set('one that was revoked', revoked.key).set('one that expired', expired.key);
    wrong.set('one with another last character', `${own.key.slice(0, -1)}${own.key.endsWith('0') ? '1' : '0'}`);
    wrong.set('one of the other mode by its name', own.key.replace('sk_test_', 'sk_live_'));
  });

  test.each(ENDPOINTS)(
    '$line reads its own merchant’s with a key that is good, and refuses keys that are not',
    async (endpoint) => {
      expect((await call(endpoint, ours, ownKey)).status).not.toBe(401);
      for (const [name, key] of wrong) {
        const { status, text } = await call(endpoint, ours, key);
        expect(status, name).toBe(401);
        expect(text).not.toMatch(/ours|order|4100000001/);
      }
    },
  );

  test.each(ENDPOINTS)(
    '$line says of another merchant’s and of the other mode’s what it says of what does not exist',
    async (endpoint) => {
      const asked = /\{|\/refund$|verify_by_reference/.test(endpoint.path);
      const expected = await call(endpoint, unknown, ownKey);
      const foreign = await call(endpoint, theirs, ownKey);
      const otherMode = await call(endpoint, ours, liveKey);
      if (asked) {
        expect(expected.status).toBeGreaterThanOrEqual(400);
        expect(withoutIds(foreign, theirs)).toEqual(withoutIds(expected, unknown));
        expect(withoutIds(otherMode, ours)).toEqual(withoutIds(await call(endpoint, unknown, liveKey), unknown));
      }
      expect(withoutIds(foreign, theirs).text).not.toMatch(/theirs/);
      expect(withoutIds(otherMode, ours).text).not.toMatch(/ours-/);
    },
  );

  test.each(ENDPOINTS.filter(({ path }) => path.startsWith('/v1/payments/{')))(
    '$line answers 404 for another merchant’s',
    async (endpoint) => {
      expect((await call(endpoint, theirs, ownKey)).status).toBe(404);
      expect((await call(endpoint, { ...theirs, paymentId: ours.paymentId }, ownKey)).status === 404).toBe(
        endpoint.path.includes('{refundId}'),
      );
      expect((await call(endpoint, ours, ownKey)).status).not.toBe(404);
    },
  );
});

/** An answer with what was asked for taken out. */
function withoutIds({ status, text }: { readonly status: number; readonly text: string }, asked: Target) {
  const said = [asked.paymentId, asked.refundId, asked.reference, asked.number, asked.id];
  return { status, text: said.reduce((rest, id) => rest.replaceAll(id, '…'), text) };
}

describe('sessions of staff', () => {
  const browsers = new Map<string, Browser>();
  const PROCEDURES = Object.entries(appRouter._def.procedures).flatMap(([path, procedure]) =>
    isProcedure(procedure) ? [{ path, type: String(procedure._def.type) }] : [],
  );
  const BATCH = 20;
  /** Procedures that are called by one request. */
  const BATCHES = ['query', 'mutation'].flatMap((type) => {
    const paths = PROCEDURES.filter((procedure) => procedure.type === type).map(({ path }) => path);
    return Array.from({ length: Math.ceil(paths.length / BATCH) }, (_, at) => ({
      type,
      paths: paths.slice(at * BATCH, (at + 1) * BATCH),
    }));
  });

  beforeAll(async () => {
    const { prisma, pool } = switchyard.resources.database;
    for (const name of ['good', 'expired', 'idle', 'ended', 'disabled']) {
      const email = await createStaffWithGrants(switchyard, `${name}@example.com`, [{ merchantId: null, role: 'owner' }]);
      const browser = new Browser(switchyard);
      await browser.signIn(email, PASSWORD);
      browsers.set(name, browser);
    }
    const of = (name: string) => ({ user: { email: `${name}@example.com` } });
    expect(await prisma.staffSession.count({ where: of('good') })).toBe(1);
    await prisma.staffSession.updateMany({ where: of('expired'), data: { expiresAt: new Date(Date.now() - 1_000) } });
    await prisma.staffSession.updateMany({ where: of('idle'), data: { updatedAt: new Date(Date.now() - 31 * 60_000) } });
    await prisma.staffSession.deleteMany({ where: of('ended') });
    await pool.query(`UPDATE staff_user SET disabled_at = now() WHERE email = 'disabled@example.com'`);
  });

  const send = async ({ type, paths }: (typeof BATCHES)[number], headers: Headers) => {
    const url = `${ORIGIN}/api/trpc/${paths.join(',')}?batch=1`;
    headers.set('content-type', 'application/json');
    const init = type === 'mutation' ? { method: 'POST', headers, body: '{}' } : { headers };
    const response = await handleTrpc(switchyard, new Request(url, init));
    return { status: response.status, text: await response.text() };
  };
  const codesOf = (text: string) => errorsSchema.parse(JSON.parse(text)).map(({ error }) => error?.json.data.code ?? 'ok');

  test.each(BATCHES)('that ended, and pages of another site, get no $type of $paths', async (batch) => {
    for (const [name, browser] of browsers) {
      const { status, text } = await send(batch, browser.headers());
      const codes = codesOf(text);
      expect(codes).toHaveLength(batch.paths.length);
      if (name === 'good') expect(codes).not.toContain('UNAUTHORIZED');
      else expect([name, status, new Set(codes)]).toEqual([name, 401, new Set(['UNAUTHORIZED'])]);
    }
    const good = browsers.get('good') ?? new Browser(switchyard);
    const elsewhere = good.headers({ origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' });
    // A page of another site can send queries, but its browser does not show it the answers.
    expect((await send(batch, elsewhere)).status === 403).toBe(batch.type === 'mutation');
  });

  test.each(PROCEDURES.filter(({ type }) => type === 'subscription'))('that ended get no stream of $path', async ({ path }) => {
    for (const [name, browser] of browsers) {
      if (name === 'good') continue;
      const headers = browser.headers({ accept: 'text/event-stream' });
      const response = await handleTrpc(switchyard, new Request(`${ORIGIN}/api/trpc/${path}`, { headers }));
      expect(await response.text(), name).toContain('UNAUTHORIZED');
    }
  });

  test('are tested with every line of the table', () => {
    const called = [
      ...BATCHES.flatMap(({ paths }) => paths),
      ...PROCEDURES.filter(({ type }) => type === 'subscription').map(({ path }) => path),
    ];
    expect(called.toSorted()).toEqual(linesOf('trpc').toSorted());
  });
});

const errorsSchema = z.array(
  z.object({ error: z.object({ json: z.object({ data: z.object({ code: z.string() }) }) }).optional() }),
);
