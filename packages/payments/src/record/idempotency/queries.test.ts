import { newId, type ProcessHeartbeat } from '@switchyard/db';
import { openProcessHeartbeat } from '@switchyard/db/process';
import { createTestDatabase, type TestDatabase } from '@switchyard/db/testing';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { openTestPayments, type TestPayments } from '../../testing/context.ts';
import {
  claimIdempotencyKey,
  completeIdempotentRequest,
  deleteExpiredIdempotencyRecords,
  type IdempotentRequest,
  releaseIdempotentRequest,
} from './queries.ts';

const LOCK_MS = 60_000;
const NOW = new Date('2026-11-20T12:00:00Z');
const at = (seconds: number) => new Date(NOW.getTime() + seconds * 1_000);

let database: TestDatabase;
let heartbeat: ProcessHeartbeat;
let other: ProcessHeartbeat;
const troubles: unknown[] = [];
beforeAll(async () => {
  database = await createTestDatabase();
  heartbeat = openProcessHeartbeat(database, (error) => troubles.push(error));
  other = openProcessHeartbeat(database, (error) => troubles.push(error));
});
afterAll(async () => {
  heartbeat.close();
  other.close();
  await database.close();
});

const request = (): IdempotentRequest => ({
  merchantId: newId(),
  mode: 'test',
  key: newId(),
  requestHash: new Uint8Array([1]),
  resourceId: newId(),
});
const claim = (of: IdempotentRequest, now: Date, by = heartbeat) =>
  claimIdempotencyKey({ database, heartbeat: by }, of, now, LOCK_MS);

describe('a locked key', () => {
  test('is released at the end of its lock, and not before, to a request that gets the same id', async () => {
    const first = request();
    await claim(first, NOW);
    const second = { ...first, resourceId: newId() };
    expect(await claim(second, at(59))).toEqual({ kind: 'in_flight' });
    expect(await claim(second, at(60))).toMatchObject({ kind: 'run', resumed: true, resourceId: first.resourceId });
  });

  test('is not taken over once its request was answered, be that at the last moment', async () => {
    const first = request();
    await claim(first, NOW);
    const { prisma } = database;
    const findUnique = async (query: Parameters<typeof prisma.idempotencyRecord.findUnique>[0]) => {
      const record = await prisma.idempotencyRecord.findUnique(query);
      await completeIdempotentRequest(database, first, { statusCode: 200, body: 'done' });
      return record;
    };
    const late = { ...database, prisma: Object.create(prisma, { idempotencyRecord: { value: { findUnique } } }) };
    const second = { ...first, resourceId: newId() };
    expect(await claimIdempotencyKey({ database: late, heartbeat }, second, at(60), LOCK_MS)).toEqual({ kind: 'in_flight' });
    expect(await claim(second, at(61))).toEqual({ kind: 'answered', statusCode: 200, body: 'done' });
  });

  test('stays locked for clocks that differ by less than the lock, and not for one that is further ahead', async () => {
    const near = request();
    const far = request();
    await claim(near, at(59));
    expect(await claim(near, NOW)).toEqual({ kind: 'in_flight' });
    await claim(far, at(600));
    expect(await claim(far, NOW)).toMatchObject({ kind: 'run', resumed: true, resourceId: far.resourceId });
  });

  test('is released at once regardless of clocks, but only by its owner', async () => {
    const first = request();
    const held = await claim(first, at(90));
    if (held.kind !== 'run') throw new Error('it was not to be held');
    await releaseIdempotentRequest(database, first, at(1));
    expect(await claim(first, at(31))).toEqual({ kind: 'in_flight' });
    await releaseIdempotentRequest(database, first, held.lockedUntil);
    expect(await claim(first, NOW)).toMatchObject({ kind: 'run', resumed: true });
  });

  test('is taken over at once from a process that has ended, and not from one that lives', async () => {
    const first = request();
    await claim(first, NOW, other);
    const second = { ...first, resourceId: newId() };
    expect(await claim(second, NOW)).toEqual({ kind: 'in_flight' });
    other.close();
    await database.pool.query(`UPDATE process_heartbeat SET seen_at = now() - interval '3 s' WHERE process_id = $1`, [
      await other.id(),
    ]);
    const taken = { kind: 'run', resumed: true, abandoned: true, resourceId: first.resourceId };
    expect(await claim(second, NOW)).toMatchObject(taken);
    // It is locked again, by the one that took it over.
    expect(await claim(second, NOW)).toEqual({ kind: 'in_flight' });
  });

  test('keeps the first answer, whichever of two runs gives another one later', async () => {
    const first = request();
    await claim(first, NOW);
    await completeIdempotentRequest(database, first, { statusCode: 200, body: 'first' });
    await completeIdempotentRequest(database, first, { statusCode: 409, body: 'later' });
    expect(await claim(first, NOW)).toEqual({ kind: 'answered', statusCode: 200, body: 'first' });
  });
});

describe('an answered key', () => {
  const DAY_S = 24 * 3_600;

  test('keeps its answer for 24 hours, to the millisecond, and is a new request from then on', async () => {
    for (const requestHash of [new Uint8Array([1]), new Uint8Array([2])]) {
      const first = request();
      await claim(first, NOW);
      await completeIdempotentRequest(database, first, { statusCode: 200, body: 'yesterday' });
      const second = { ...first, requestHash, resourceId: newId() };
      const isSame = requestHash[0] === 1;
      expect(await claim(second, at(DAY_S - 0.001))).toEqual(
        isSame ? { kind: 'answered', statusCode: 200, body: 'yesterday' } : { kind: 'other_request' },
      );
      const run = { kind: 'run', resumed: false, abandoned: false, resourceId: second.resourceId };
      expect(await claim(second, at(DAY_S))).toMatchObject(run);
      expect(await claim(second, at(DAY_S))).toEqual({ kind: 'in_flight' });
      await completeIdempotentRequest(database, second, { statusCode: 201, body: 'today' });
      expect(await claim(second, at(2 * DAY_S - 0.001))).toEqual({ kind: 'answered', statusCode: 201, body: 'today' });
    }
  });

  test('is one of its merchant and mode: another’s is its own request', async () => {
    const first = request();
    await claim(first, NOW);
    await completeIdempotentRequest(database, first, { statusCode: 200, body: 'first' });
    for (const other of [{ merchantId: newId() }, { mode: 'live' as const }]) {
      const second = { ...first, ...other, resourceId: newId() };
      expect(await claim(second, NOW)).toMatchObject({ kind: 'run', resumed: false, resourceId: second.resourceId });
      await completeIdempotentRequest(database, second, { statusCode: 200, body: 'second' });
    }
    expect(await claim(first, NOW)).toEqual({ kind: 'answered', statusCode: 200, body: 'first' });
  });
});

let context: TestPayments;
beforeAll(async () => {
  context = await openTestPayments();
});
afterAll(() => context.close());

test('a key is another request once it has expired after 24 hours, and nothing of the first is left', async () => {
  const DAY_SECONDS = 86_400;
  const first = request();
  await claim(first, NOW);
  await completeIdempotentRequest(database, first, { statusCode: 200, body: 'of yesterday' });
  const second = { ...first, requestHash: new Uint8Array([2]), resourceId: newId() };
  expect(await claim(first, at(DAY_SECONDS - 1))).toEqual({ kind: 'answered', statusCode: 200, body: 'of yesterday' });
  expect(await claim(second, at(DAY_SECONDS - 1))).toEqual({ kind: 'other_request' });
  expect(await claim(second, at(DAY_SECONDS))).toMatchObject({ kind: 'run', resourceId: second.resourceId, resumed: false });
  // While it runs, and after it: today's request, with a lock and 24 hours of its own.
  expect(await claim(second, at(DAY_SECONDS + 1))).toEqual({ kind: 'in_flight' });
  await completeIdempotentRequest(database, second, { statusCode: 201, body: 'of today' });
  const today = { kind: 'answered', statusCode: 201, body: 'of today' };
  expect(await claim(second, at(DAY_SECONDS + 2))).toEqual(today);
  expect(await claim(second, at(2 * DAY_SECONDS - 1))).toEqual(today);
  expect(await claim(first, at(DAY_SECONDS + 2))).toEqual({ kind: 'other_request' });
});

test('records are deleted an hour after they expire, and records of locked keys are kept', async () => {
  const { database } = context.resources;
  const heartbeat = openProcessHeartbeat(database, () => undefined);
  onTestFinished(() => heartbeat.close());
  const request = { merchantId: newId(), mode: 'test', requestHash: new Uint8Array([1]) } as const;
  const begin = new Date('2026-11-20T12:00:00Z');
  const hours = (count: number) => new Date(begin.getTime() + count * 3_600_000);
  await claimIdempotencyKey({ database, heartbeat }, { ...request, key: 'first', resourceId: newId() }, begin, 60_000);
  await claimIdempotencyKey({ database, heartbeat }, { ...request, key: 'second', resourceId: newId() }, hours(2), 60_000);
  context.setClock(hours(24.5));
  expect(await deleteExpiredIdempotencyRecords(context)).toBe(0);
  context.setClock(hours(25));
  expect(await deleteExpiredIdempotencyRecords(context)).toBe(1);
  const kept = await context.database.prisma.idempotencyRecord.findMany({ where: { merchantId: request.merchantId } });
  expect(kept.map(({ key }) => key)).toEqual(['second']);
});
