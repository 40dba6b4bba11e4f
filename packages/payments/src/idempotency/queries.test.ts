import { newId, type ProcessHeartbeat } from '@switchyard/db';
import { openProcessHeartbeat } from '@switchyard/db/process';
import { createTestDatabase, type TestDatabase } from '@switchyard/db/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { claimIdempotencyKey, completeIdempotentRequest, type IdempotentRequest, releaseIdempotentRequest } from './queries.ts';

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
