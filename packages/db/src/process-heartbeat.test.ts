import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { openProcessHeartbeat, type ProcessHeartbeat } from './process-heartbeat.ts';
import { createTestDatabase, type TestDatabase } from './testing/database.ts';
import { newId } from './uuid.ts';

let database: TestDatabase;
let open: ProcessHeartbeat[] = [];
let clock = 0;
const errors: unknown[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
});
afterEach(() => {
  for (const heartbeat of open) heartbeat.close();
  open = [];
});
afterAll(() => database.close());

function openHeartbeat(): ProcessHeartbeat {
  const heartbeat = openProcessHeartbeat(
    database,
    (error) => errors.push(error),
    () => clock,
  );
  open.push(heartbeat);
  return heartbeat;
}

/** As if the process had sent its last heartbeat this long ago. */
const silence = (processId: string, milliseconds: number) =>
  database.pool.query(`UPDATE process_heartbeat SET seen_at = now() - $2 * interval '1 millisecond' WHERE process_id = $1`, [
    processId,
    milliseconds,
  ]);

/** Resolves after the process has sent another heartbeat. */
async function nextBeat(processId: string): Promise<void> {
  await silence(processId, 60_000);
  const text = `SELECT FROM process_heartbeat WHERE process_id = $1 AND seen_at > now() - interval '30 s'`;
  await expect.poll(async () => (await database.pool.query(text, [processId])).rowCount).toBe(1);
}

describe('a process', () => {
  test('lives from the moment that its id is known, and has ended 2.5 seconds after its last heartbeat', async () => {
    const [ours, other] = [openHeartbeat(), openHeartbeat()];
    await ours.id();
    const otherId = await other.id();
    expect(await ours.hasEnded(otherId)).toBe(false);
    other.close();
    await silence(otherId, 2_500);
    // A heartbeat of its own that was late makes this process wait for 2.5 seconds as well.
    await expect.poll(() => ours.hasEnded(otherId)).toBe(true);
  });

  test('sends heartbeats by itself', async () => {
    const ours = openHeartbeat();
    await nextBeat(await ours.id());
    expect(errors).toEqual([]);
  });

  test('that never sent a heartbeat, or whose last one is deleted, has ended', async () => {
    const ours = openHeartbeat();
    await ours.id();
    expect(await ours.hasEnded(newId())).toBe(true);
  });

  test('is not its own judge', async () => {
    const ours = openHeartbeat();
    const id = await ours.id();
    await silence(id, 60_000);
    expect(await ours.hasEnded(id)).toBe(false);
  });

  test('takes no other for ended while its own heartbeats are missing, nor for 2.5 seconds after that', async () => {
    const ours = openHeartbeat();
    const id = await ours.id();
    clock += 2_501;
    expect(await ours.hasEnded(newId())).toBe(false);
    await nextBeat(id);
    // The second one is certainly sent after the first was noted.
    await nextBeat(id);
    expect(await ours.hasEnded(newId())).toBe(false);
    clock += 2_500;
    expect(await ours.hasEnded(newId())).toBe(true);
  });

  test('deletes what is left of processes that ended a day ago', async () => {
    const gone = newId();
    await database.pool.query(`INSERT INTO process_heartbeat VALUES ($1, now() - interval '25 hours')`, [gone]);
    await openHeartbeat().id();
    expect((await database.pool.query('SELECT FROM process_heartbeat WHERE process_id = $1', [gone])).rowCount).toBe(0);
  });
});

describe('a time without any process', () => {
  test('is told to the first that comes after it, with its beginning, again until that was taken, and once', async () => {
    await database.pool.query('DELETE FROM process_heartbeat');
    const before = openHeartbeat();
    const id = await before.id();
    before.close();
    await silence(id, 4_000);
    const told: number[] = [];
    const taken = Promise.withResolvers<void>();
    const after = openHeartbeat();
    after.watchForAbsence(async (since) => {
      told.push(Date.now() - since.getTime());
      if (told.length === 1) throw new Error('the queue cannot be reached');
      taken.resolve();
    });
    await taken.promise;
    expect(told.every((ms) => ms > 3_500)).toBe(true);
    const seen = async () => (await database.pool.query('SELECT max(seen_at) AS at FROM process_heartbeat')).rows[0].at.getTime();
    const atSecond = await seen();
    await expect.poll(seen).toBeGreaterThan(atSecond);
    expect(told).toHaveLength(2);
  });

  test('is none beside a process that lives, nor in a new installation', async () => {
    await database.pool.query('DELETE FROM process_heartbeat');
    const told: Date[] = [];
    const watch = async (since: Date) => void told.push(since);
    const first = openHeartbeat();
    first.watchForAbsence(watch);
    const second = openHeartbeat();
    await Promise.all([first.id(), second.id()]);
    second.watchForAbsence(watch);
    await expect.poll(async () => (await database.pool.query('SELECT FROM process_heartbeat')).rowCount).toBe(2);
    expect(told).toEqual([]);
  });
});
