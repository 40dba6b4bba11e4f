import { randomBytes, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { createTestDatabase, type TestDatabase } from '@switchyard/db/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { eventually } from '../harness/eventually.ts';
import { type Gateways, PAIR, startGateways } from '../harness/gateways.ts';
import { order } from '../harness/orders.ts';
import { lastRelease, releasedVersion, runThere } from './released.ts';
import { type SpawnedWeb, spawnWeb } from './web-processes.ts';
import { spawnWorker } from './worker-process.ts';

/*
 * The upgrade of docs/upgrades.md: the last released version with its data, the migrations of this one while it runs, then this one's
 * worker, then this one's web beside the other's.
 */

/** Nine starts of processes, on a machine that is busy with other suites. */
const TIMEOUT_MS = 480_000;
const ROOT = join(import.meta.dirname, '..', '..');
const WEB_MAIN = 'e2e/operations/web-main.ts';
const WORKER_MAIN = 'apps/worker/src/main.ts';

const merchantSchema = z.object({
  merchantId: z.uuid(),
  testKey: z.string(),
  accounts: z.record(z.string(), z.string()),
  gatewayKeys: z.record(z.string(), z.record(z.string(), z.string())),
});
const paymentSchema = z.object({
  data: z.object({
    paymentId: z.uuid(),
    status: z.string(),
    recommendedGateway: z.object({ name: z.enum(PAIR), session: z.object({ reference: z.string() }).nullable() }),
  }),
});
const recordSchema = z.object({
  data: z.object({ id: z.uuid(), type: z.string(), data: z.object({ paymentId: z.uuid(), status: z.string() }) }),
});

type Payment = z.output<typeof paymentSchema>['data'];

let database: TestDatabase;
let gateways: Gateways;
let released: string;
let environment: Record<string, string>;
let merchant: z.output<typeof merchantSchema>;
const webs: SpawnedWeb[] = [];

beforeAll(async () => {
  released = releasedVersion(lastRelease());
  database = await createTestDatabase();
  await database.pool.query('DROP SCHEMA graphile_worker CASCADE; DROP SCHEMA public CASCADE; CREATE SCHEMA public');
  gateways = await startGateways();
  environment = {
    DATABASE_URL: database.url,
    SWITCHYARD_PUBLIC_URL: 'http://127.0.0.1:1',
    SWITCHYARD_ENCRYPTION_KEYS: `k1:${randomBytes(32).toString('base64')}`,
    SWITCHYARD_AUDIT_KEYS: `a1:${randomBytes(32).toString('base64')}`,
    SWITCHYARD_KEY_PEPPER: randomBytes(32).toString('base64'),
    SWITCHYARD_AUTH_SECRET: randomBytes(32).toString('base64'),
    SWITCHYARD_PRIVATE_ADDRESSES: 'allow',
  };
}, TIMEOUT_MS);
afterAll(async () => {
  await Promise.all(webs.map((web) => web.terminate()));
  await gateways?.close();
  await database?.close();
}, TIMEOUT_MS);

async function start(main?: string): Promise<SpawnedWeb> {
  const web = await spawnWeb(environment, {}, undefined, main);
  webs.push(web);
  return web;
}

/** Runs a program of a version to its end, which has to be a good one. Returns its output. */
function succeed(folder: string, program: string, args: readonly string[], more: Readonly<Record<string, string>> = {}): string {
  const { status, stdout, output } = runThere(folder, program, args, { ...environment, ...more });
  expect(status, output).toBe(0);
  return stdout;
}

/** Has the gateways send their webhooks to a web process. */
async function sendWebhooksTo({ url }: SpawnedWeb): Promise<void> {
  for (const gateway of PAIR) {
    const webhookUrl = `${url}/webhooks/${gateway}/${merchant.accounts[gateway]}`;
    await gateways.register(gateway, { ...merchant.gatewayKeys[gateway], webhookUrl });
  }
}

async function call({ url }: SpawnedWeb, method: string, path: string, body?: object, more: Record<string, string> = {}) {
  const headers = { authorization: `Bearer ${merchant.testKey}`, 'content-type': 'application/json', ...more };
  const response = await fetch(url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  const text = await response.text();
  expect(response.status, text).toBe(200);
  const json: unknown = JSON.parse(text);
  return json;
}

async function initiate(web: SpawnedWeb, body = order(), headers: Record<string, string> = {}): Promise<Payment> {
  const { data } = paymentSchema.parse(await call(web, 'POST', '/v1/payments/initiate', body, headers));
  expect(data.status).toBe('PENDING');
  return data;
}

async function statusOf(web: SpawnedWeb, { paymentId }: Payment): Promise<string> {
  return paymentSchema.parse(await call(web, 'GET', `/v1/payments/${paymentId}`)).data.status;
}

async function verify(web: SpawnedWeb, { paymentId }: Payment) {
  return recordSchema.parse(await call(web, 'POST', `/v1/payments/${paymentId}/verify`)).data;
}

async function pay({ recommendedGateway: { name, session } }: Payment): Promise<void> {
  await gateways.settle(name, session?.reference ?? '', 'success');
}

test('the version before serves beside this one, on the migrated database, each with what the other began', {
  timeout: TIMEOUT_MS,
}, async () => {
  succeed(released, 'scripts/db-deploy.ts', []);
  const baseUrls = Object.fromEntries(PAIR.map((gateway) => [gateway, gateways.baseUrlOf(gateway)]));
  const created = succeed(released, 'e2e/operations/released-merchant.ts', [], { GATEWAY_BASE_URLS: JSON.stringify(baseUrls) });
  merchant = merchantSchema.parse(JSON.parse(created));
  const before = await start(join(released, WEB_MAIN));
  await sendWebhooksTo(before);
  const workerBefore = spawnWorker(environment, join(released, WORKER_MAIN));
  const paid = await initiate(before);
  await pay(paid);
  await eventually('the payment of the version before', async () => ((await statusOf(before, paid)) === 'SUCCESS' ? true : null));
  const open = await initiate(before);

  succeed(ROOT, 'scripts/admin/main.ts', ['database', 'deploy']);
  const migrated = await initiate(before);
  expect(await workerBefore.terminate()).toBe(0);
  spawnWorker(environment);
  await pay(open);
  await eventually('the webhook that the other version took', async () =>
    (await statusOf(before, open)) === 'SUCCESS' ? true : null,
  );

  const after = await start();
  expect(await statusOf(after, paid)).toBe('SUCCESS');
  for (const [one, other] of [
    [before, after],
    [after, before],
  ] as const) {
    await sendWebhooksTo(other);
    const key = { 'idempotency-key': randomUUID() };
    const body = order();
    const first = await initiate(one, body, key);
    expect((await initiate(other, body, key)).paymentId).toBe(first.paymentId);
    await pay(first);
    const verified = await verify(other, first);
    expect(verified).toMatchObject({ type: 'payment.succeeded', data: { paymentId: first.paymentId, status: 'SUCCESS' } });
    expect(await statusOf(one, first)).toBe('SUCCESS');
    expect(await verify(one, first)).toEqual(verified);
  }
  await pay(migrated);
  expect((await verify(after, migrated)).data.status).toBe('SUCCESS');

  expect(await before.terminate()).toBe(0);
  for (const command of ['key', 'verify']) succeed(ROOT, 'scripts/admin/main.ts', ['audit', command]);
  succeed(ROOT, 'scripts/admin/main.ts', ['reports', 'check']);
});

test('the commit of the last release is in the history of this clone, and says so where it is not', () => {
  expect(lastRelease().commit).toMatch(/^[0-9a-f]{40}$/);
  const missing = { version: '0.0.0', commit: '0123456789012345678901234567890123456789' };
  expect(() => releasedVersion(missing)).toThrow('is not in this clone');
});
