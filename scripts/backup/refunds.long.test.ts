import { randomBytes } from 'node:crypto';
import { openSwitchyard } from '@switchyard/api/process';
import { TEST_CONNECTION } from '@switchyard/db/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { order } from '../../e2e/harness/contract.ts';
import { eventually } from '../../e2e/harness/eventually.ts';
import { type GatewayName, type Gateways, startGateways } from '../../e2e/harness/gateways.ts';
import { createTestMerchant, type TestMerchant } from '../../e2e/harness/merchants.ts';
import { type SpawnedWeb, type SpawnedWorker, spawnWeb, spawnWorker } from '../../e2e/operations/processes.ts';
import { type RestorableDatabase, startRestorableDatabase } from './testing/restorable-database.ts';

/** Each command of a backup is a process of its own, and a restore starts a server and three more. */
const TIMEOUT_MS = 900_000;
/** One gateway that takes two refunds with one reference for two, and one that refuses the second. */
const AT = ['paystack', 'kora'] as const satisfies readonly GatewayName[];

const paymentSchema = z.object({
  data: z.object({
    paymentId: z.uuid(),
    status: z.string(),
    recommendedGateway: z.object({ session: z.object({ reference: z.string() }) }).nullish(),
  }),
});

const SUCCEEDED = { data: { type: 'payment.succeeded' } };

/** A refund that was asked for, to be asked for again. */
interface Asked {
  readonly merchant: TestMerchant;
  readonly paymentId: string;
  readonly amount: number;
  readonly key: string | null;
}

const secret = () => randomBytes(32).toString('base64');
const keys = {
  SWITCHYARD_PUBLIC_URL: 'http://127.0.0.1:1',
  SWITCHYARD_ENCRYPTION_KEYS: `k1:${secret()}`,
  SWITCHYARD_KEY_PEPPER: secret(),
  SWITCHYARD_AUTH_SECRET: secret(),
  SWITCHYARD_PRIVATE_ADDRESSES: 'allow',
};

let gateways: Gateways;
let database: RestorableDatabase;
let merchants: readonly TestMerchant[];
let web: SpawnedWeb;
let worker: SpawnedWorker;
const environment = () => ({ ...keys, DATABASE_URL: database.url() });

beforeAll(async () => {
  [gateways, database] = await Promise.all([startGateways(), startRestorableDatabase(keys)]);
  const switchyard = openSwitchyard(environment(), { write: () => undefined }, TEST_CONNECTION);
  merchants = await Promise.all(AT.map((gateway) => createTestMerchant(switchyard, gateways, [], { order: [gateway] })));
  await switchyard.close();
}, TIMEOUT_MS);
afterAll(async () => {
  web?.child.kill('SIGKILL');
  await gateways?.close();
  await database?.close();
}, TIMEOUT_MS);

async function post(merchant: TestMerchant, path: string, body: object, key: string | null = null) {
  const headers = {
    authorization: `Bearer ${merchant.testKey}`,
    'content-type': 'application/json',
    ...(key !== null && { 'idempotency-key': key }),
  };
  const response = await fetch(web.url + path, { method: 'POST', headers, body: JSON.stringify(body) });
  const text = await response.text();
  expect(response.status, text).toBe(200);
  const json: unknown = JSON.parse(text);
  return json;
}

/** Payments of NGN 2,500 each, paid. */
async function pay(count: number): Promise<readonly (readonly [TestMerchant, string])[]> {
  const paid: (readonly [TestMerchant, string])[] = [];
  for (const [at, merchant] of merchants.entries()) {
    for (let n = 0; n < count; n++) {
      const { data } = paymentSchema.parse(await post(merchant, '/v1/payments/initiate', order({ amount: 2_500 })));
      await gateways.settle(AT[at] ?? 'paystack', data.recommendedGateway?.session.reference ?? '', 'success');
      expect(await post(merchant, `/v1/payments/${data.paymentId}/verify`, {})).toMatchObject(SUCCEEDED);
      paid.push([merchant, data.paymentId]);
    }
  }
  return paid;
}

async function ask({ merchant, paymentId, amount, key }: Asked): Promise<void> {
  await post(merchant, `/v1/payments/${paymentId}/refunds`, { amount }, key);
}

/** Refunds at the gateways: their number, and their sum in kobo. */
async function atGateways() {
  const journals = await Promise.all(AT.map((gateway) => gateways.journal(gateway)));
  const refunds = journals.flatMap(({ refunds: each, transactions }) => {
    const inNaira = transactions.some(({ unit }) => unit === 'naira');
    return each.map(({ amount, status }) => ({ kobo: inNaira ? amount * 100 : amount, status }));
  });
  return { count: refunds.length, kobo: refunds.reduce((sum, { kobo }) => sum + kobo, 0) };
}

/** The same as recorded here, of those that did not fail. */
async function here() {
  const [row] = await database.query<{ count: number; kobo: number }>(
    "SELECT count(*)::int AS count, coalesce(sum(amount), 0)::int * 100 AS kobo FROM refund WHERE state <> 'FAILED'",
  );
  return row;
}

const untilSent = (count: number) =>
  eventually(`${count} refunds at the gateways`, async () => ((await atGateways()).count >= count ? true : null));

async function countHere(condition: string): Promise<number> {
  const [row] = await database.query<{ count: number }>(`SELECT count(*)::int AS count FROM refund WHERE ${condition}`);
  return row?.count ?? 0;
}

/** A look-up that a busy machine did not answer in time is tried again at once, and not minutes later. */
async function hurry(): Promise<void> {
  await database.query(
    "UPDATE refund SET next_check_at = now() WHERE held_at IS NULL AND state <> 'SUCCEEDED' AND next_check_at > now() + interval '2 s'",
  );
}

async function start(): Promise<void> {
  web = await spawnWeb(environment());
  worker = spawnWorker(environment());
}

test.each(['first', 'second'])(
  'after the %s restore, refunds at the gateways are those here, to the kobo',
  {
    timeout: TIMEOUT_MS,
  },
  async (round) => {
    await database.backUp();
    await start();
    const before = await atGateways();
    const refunds = (paid: readonly (readonly [TestMerchant, string])[], part: string, amount: number, keyed = true): Asked[] =>
      paid.map(([merchant, paymentId]) => ({ merchant, paymentId, amount, key: keyed ? `${round}-${part}-${paymentId}` : null }));
    const paid = await pay(8);
    const half = (from: number) => paid.filter((_, n) => n % 4 === from);
    const done = refunds(half(0), 'done', 900);
    for (const each of done) await ask(each);
    await untilSent(before.count + done.length);

    // Recorded before the moment, and sent after it.
    await worker.terminate();
    const recorded = refunds(half(1), 'recorded', 800);
    for (const each of recorded) await ask(each);
    const moment = await database.moment();
    worker = spawnWorker(environment());
    // Lost with the rows: two of one payment, under a key, and without.
    const lost = [...refunds(half(2), 'lost', 700), ...refunds(half(2), 'more', 600)];
    const nameless = refunds(half(3), 'nameless', 500, false);
    for (const each of [...lost, ...nameless]) await ask(each);
    await untilSent(before.count + done.length + recorded.length + lost.length + nameless.length);
    // Taken by the gateway while everything is killed, and requested but not sent.
    for (const gateway of AT) await gateways.setFault(gateway, 'timeout_after_create', 30_000);
    const killed = refunds(half(0), 'killed', 400);
    for (const each of killed) await ask(each);
    const sent = before.count + done.length + recorded.length + lost.length + nameless.length + killed.length;
    await untilSent(sent);
    worker.kill();
    const unsent = refunds(half(1), 'unsent', 300);
    for (const each of unsent) await ask(each);
    web.child.kill('SIGKILL');
    await gateways.heal();

    await database.restoreTo(moment);
    await start();
    for (const each of [...lost, ...nameless, ...killed, ...unsent, ...done]) await ask(each);

    await eventually('what the gateways have to be found there', async () => {
      await hurry();
      const known = await countHere("gateway_refund_id IS NOT NULL OR state = 'SUCCEEDED'");
      return known >= sent - nameless.length ? true : null;
    });
    await eventually('what a lost one may be to wait for a person', async () => {
      await hurry();
      return (await countHere('held_at IS NOT NULL')) >= nameless.length ? true : null;
    });
    expect(await countHere('held_at IS NOT NULL')).toBe(nameless.length);
    expect(await atGateways()).toMatchObject({ count: sent });
    expect(await countHere("state IN ('REQUESTED', 'PROCESSING') AND gateway_refund_id IS NULL")).toBe(unsent.length);

    // Ten minutes later nothing from before can arrive any more.
    await database.query(`UPDATE database_epoch SET began_at = began_at - interval '11 minutes'`);
    await database.query(
      `UPDATE refund SET sent_at = sent_at - interval '11 minutes', next_check_at = now() WHERE gateway_refund_id IS NULL AND held_at IS NULL AND state <> 'SUCCEEDED'`,
    );
    await eventually('the refund that had not been sent to be sent once', async () => {
      await hurry();
      return (await atGateways()).count >= sent + unsent.length ? true : null;
    });
    await eventually('all of them to be known', async () =>
      (await countHere("gateway_refund_id IS NULL AND held_at IS NULL AND state <> 'SUCCEEDED'")) === 0 ? true : null,
    );

    console.log(
      `${round} restore: at the gateways ${JSON.stringify(await atGateways())}, here ${JSON.stringify(await here())}, for a person ${nameless.length}`,
    );
    expect(await here()).toEqual(await atGateways());
    await database.query("UPDATE refund SET held_at = NULL, state = 'SUCCEEDED', next_check_at = NULL WHERE held_at IS NOT NULL");
    web.child.kill('SIGKILL');
    worker.kill();
  },
);
