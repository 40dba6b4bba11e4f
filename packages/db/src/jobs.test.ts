import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import type { ChangeHints } from './change-hints.ts';
import type { Hint, Wake } from './job-payloads.ts';
import { listenForWakes } from './job-pools.ts';
import { hintAfterCommit, hintWorkers, transactWithHints, untilHintsGiven } from './jobs.ts';
import { createTestDatabase, type TestDatabase } from './testing/database.ts';
import { newId } from './uuid.ts';

let database: TestDatabase;
let listening: ChangeHints;
const woken: Wake[] = [];
const errors: unknown[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  listening = listenForWakes(database, { onWake: (wake) => woken.push(wake), onError: (error) => errors.push(error) });
  const isListening = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND query = 'LISTEN work'`;
  await vi.waitUntil(async () => (await database.pool.query(isListening)).rowCount === 1, { timeout: 120_000 });
});
afterAll(async () => {
  listening.close();
  await database.close();
});
afterEach(() => {
  database.takeHint = undefined;
  expect(errors.splice(0)).toEqual([]);
});

const deliver = (): Wake => ({ name: 'deliver-events', payload: { merchantId: newId(), endpointId: newId() } });
const follow = (): Wake => ({ name: 'follow-webhooks', payload: { merchantId: newId() } });

/** The wakes that hints lead to: those that come before one that is sent after them. */
async function wakesOf(hints: readonly Hint[]): Promise<readonly Wake[]> {
  hintWorkers(database, hints);
  await untilHintsGiven(database);
  const last = follow();
  await database.pool.query(`SELECT pg_notify('work', $1)`, [JSON.stringify(last)]);
  await expect.poll(() => woken.at(-1)).toEqual(last);
  return woken.splice(0).slice(0, -1);
}

async function jobs(): Promise<readonly unknown[]> {
  const { rows } = await database.pool.query('SELECT task_identifier AS name, key FROM graphile_worker.jobs');
  return rows;
}

test('a wake reaches those who listen, once for each row that it is about, and adds no job', async () => {
  const [one, other] = [deliver(), follow()];
  expect(await wakesOf([one, other, one])).toEqual([one, other]);
  expect(await jobs()).toEqual([]);
});

test('a hint that its own process takes wakes no other, one that it leaves does, and so do all once it takes none', async () => {
  const [taken, left] = [deliver(), deliver()];
  const offered: Hint[] = [];
  database.takeHint = (hint) => {
    offered.push(hint);
    return hint === taken;
  };
  expect(await wakesOf([taken, left])).toEqual([left]);
  expect(offered).toEqual([taken, left]);
  database.takeHint = undefined;
  expect(await wakesOf([taken, left])).toEqual([taken, left]);
});

test('a refund to be sent is a job, of one process', async () => {
  const refundId = newId();
  const hint = { name: 'send-refund', payload: { merchantId: newId(), refundId }, key: `send-refund:${refundId}` } as const;
  expect(await wakesOf([hint])).toEqual([]);
  expect(await jobs()).toEqual([{ name: 'send-refund', key: hint.key }]);
});

test('a transaction that is rolled back wakes no listener', async () => {
  const fails = transactWithHints(database, async (transaction) => {
    hintAfterCommit(transaction, [deliver()]);
    throw new Error('no');
  });
  await expect(fails).rejects.toThrow('no');
  expect(await wakesOf([])).toEqual([]);
});

test('what is no wake is reported, and not taken for one', async () => {
  await database.pool.query(`SELECT pg_notify('work', 'now')`);
  expect(await wakesOf([])).toEqual([]);
  expect(errors.splice(0)).toMatchObject([{ message: 'a wake that is none: now' }]);
});
