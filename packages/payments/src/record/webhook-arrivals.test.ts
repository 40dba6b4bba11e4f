import { newId } from '@switchyard/db';
import { createTestDatabase, type TestDatabase } from '@switchyard/db/testing';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type WebhookArrivals, watchWebhookArrivals } from './webhook-arrivals.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
let time = new Date('2026-11-20T12:00:00Z');
const pass = (ms: number) => {
  time = new Date(time.getTime() + ms);
};
const watch = (): WebhookArrivals =>
  watchWebhookArrivals(database, {
    now: () => time,
    refreshMs: null,
    onError: (error) => {
      throw error;
    },
  });

let ours: WebhookArrivals;
let account: { merchantId: string; accountId: string };
beforeEach(() => {
  ours = watch();
  account = { merchantId: newId(), accountId: newId() };
});

test('an account’s webhooks are not relied on before one has arrived', async () => {
  await ours.refresh();
  expect(ours.arrive(account.accountId)).toBe(false);
  await ours.arrived(account, time);
  expect(ours.arrive(account.accountId)).toBe(true);
});

test('they are relied on for a day', async () => {
  await ours.arrived(account, time);
  pass(24 * HOUR_MS);
  expect(ours.arrive(account.accountId)).toBe(true);
  pass(1);
  expect(ours.arrive(account.accountId)).toBe(false);
});

test('one that was missed ends that, until the next arrives', async () => {
  await ours.arrived(account, time);
  pass(MINUTE_MS / 2);
  await ours.missed(account, time);
  expect(ours.arrive(account.accountId)).toBe(false);
  pass(1);
  await ours.arrived(account, time);
  expect(ours.arrive(account.accountId)).toBe(true);
});

test('another process has the same state once it has read it', async () => {
  const theirs = watch();
  await ours.arrived(account, time);
  expect(theirs.arrive(account.accountId)).toBe(false);
  await theirs.refresh();
  expect(theirs.arrive(account.accountId)).toBe(true);
  pass(1);
  await theirs.missed(account, time);
  await ours.refresh();
  expect(ours.arrive(account.accountId)).toBe(false);
  pass(1);
  await ours.arrived(account, time);
  await theirs.refresh();
  expect(theirs.arrive(account.accountId)).toBe(true);
});

test('a busy account is written once a minute, and stays known for a day from its last write', async () => {
  for (let second = 0; second < 120; second++) {
    await ours.arrived(account, time);
    pass(1_000);
  }
  const { rows } = await database.pool.query<{ at: Date }>('SELECT arrived_at AS at FROM webhook_arrival WHERE account_id = $1', [
    account.accountId,
  ]);
  expect(rows).toHaveLength(1);
  expect(time.getTime() - (rows[0]?.at.getTime() ?? 0)).toBeLessThanOrEqual(MINUTE_MS + 1_000);
});
