import { newId } from '@switchyard/db';
import { createTestDatabase, type TestDatabase } from '@switchyard/db/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { claimIdempotencyKey, type IdempotentRequest, releaseIdempotentRequest } from './queries.ts';

const LOCK_MS = 60_000;
const NOW = new Date('2026-11-20T12:00:00Z');
const at = (seconds: number) => new Date(NOW.getTime() + seconds * 1_000);

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

const request = (): IdempotentRequest => ({
  merchantId: newId(),
  mode: 'test',
  key: newId(),
  requestHash: new Uint8Array([1]),
  resourceId: newId(),
});
const claim = (of: IdempotentRequest, now: Date) => claimIdempotencyKey(database, of, now, LOCK_MS);

describe('a locked key', () => {
  test('is released at the end of its lock, and not before, to a request that gets the same id', async () => {
    const first = request();
    await claim(first, NOW);
    const second = { ...first, resourceId: newId() };
    expect(await claim(second, at(59))).toEqual({ kind: 'in_flight' });
    expect(await claim(second, at(60))).toMatchObject({ kind: 'run', resumed: true, resourceId: first.resourceId });
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
});
