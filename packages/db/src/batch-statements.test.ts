import { setTimeout as pause } from 'node:timers/promises';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { batched } from './batch-statements.ts';
import type { Database } from './connect.ts';
import { isDatabaseUnavailable } from './database-unavailable.ts';
import { createTestDatabase, TEST_CONNECTION, type TestDatabase } from './testing/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  await database.pool.query('CREATE TABLE gathered_row (id int PRIMARY KEY, value int NOT NULL CHECK (value > 0))');
});
afterEach(async () => {
  await database.pool.query('TRUNCATE gathered_row');
});
afterAll(() => database.close());

const INSERT = `INSERT INTO gathered_row SELECT * FROM json_to_recordset($1) AS row (id int, value int) RETURNING id`;

/** Inserts rows, and how many each statement had. */
function inserter() {
  const sizes: number[] = [];
  const insert = batched<{ id: number; value: number }, number>({
    async run({ batches }: Database, items) {
      sizes.push(items.length);
      const { rows } = await batches.query<{ id: number }>(INSERT, [JSON.stringify(items)]);
      return rows.map(({ id }) => id);
    },
  });
  return { sizes, insert };
}

const numbered = (length: number) => Array.from({ length }, (_, id) => id);
const stored = async () =>
  (await database.pool.query<{ id: number }>('SELECT id FROM gathered_row ORDER BY id')).rows.map(({ id }) => id);

describe('a gathered write', () => {
  test('is committed when it resolves, each caller with the result of its own row', async () => {
    const { insert, sizes } = inserter();
    const results = await Promise.all(numbered(200).map((id) => insert(database, { id, value: 1 })));
    expect(results).toEqual(numbered(200));
    expect(await stored()).toEqual(numbered(200));
    expect(sizes.length).toBeLessThanOrEqual(5);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(64);
  });

  test('does not wait for others: alone it has a statement of its own', async () => {
    const { insert, sizes } = inserter();
    for (const id of numbered(3)) await insert(database, { id, value: 1 });
    expect(sizes).toEqual([1, 1, 1]);
  });

  test('is about one merchant where nodes have rows of different ones, and else about any', async () => {
    const statements = async (rowsShareANode: boolean) => {
      const seen: { merchant: string | null; items: readonly number[] }[] = [];
      const write = batched<number, number>({
        async run({ batches }, items, merchant) {
          seen.push({ merchant, items });
          await batches.query('SELECT 1');
          return items;
        },
        merchant: (item) => `merchant ${item % 3}`,
      });
      const own = { ...database, rowsShareANode: () => rowsShareANode };
      expect(await Promise.all(numbered(30).map((id) => write(own, id)))).toEqual(numbered(30));
      return seen;
    };
    for (const { merchant, items } of await statements(false)) {
      expect(items.map((item) => `merchant ${item % 3}`)).toEqual(items.map(() => merchant));
    }
    expect(await statements(true)).toEqual([{ merchant: null, items: numbered(30) }]);
  });

  test('that the database refuses fails its own caller only', async () => {
    const { insert } = inserter();
    const settled = await Promise.allSettled(numbered(30).map((id) => insert(database, { id, value: id === 7 ? 0 : 1 })));
    expect(settled.flatMap(({ status }, id) => (status === 'rejected' ? [id] : []))).toEqual([7]);
    expect(settled[7]).toMatchObject({ reason: { code: '23514' } });
    expect(await stored()).toEqual(numbered(30).filter((id) => id !== 7));
  });

  test('whose connection is lost fails every caller of its statement as unavailable, and the next one is written', async () => {
    const lost = batched<number, number>({
      async run({ batches }, items) {
        await batches.query('SELECT pg_terminate_backend(pg_backend_pid())');
        return items;
      },
    });
    const settled = await Promise.allSettled([lost(database, 1), lost(database, 2)]);
    const errors = settled.map((one) => (one.status === 'rejected' ? isDatabaseUnavailable(one.reason) : null));
    expect(errors).toEqual([true, true]);
    expect(await inserter().insert(database, { id: 1, value: 1 })).toBe(1);
  });

  test('that still waits when the database is closed is written before', async () => {
    const other = await createTestDatabase();
    const { insert } = inserter();
    await other.pool.query('CREATE TABLE gathered_row (id int PRIMARY KEY, value int)');
    const writes = Promise.all(numbered(300).map((id) => insert(other, { id, value: 1 })));
    await other.close();
    expect(await writes).toEqual(numbered(300));
  });
});

describe('statements', () => {
  test('run at most two at a time, take what has gathered, in order and each item once, whatever they take', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ turns: fc.nat(3), lasts: fc.nat(3) }), { minLength: 1, maxLength: 60 }),
        async (plan) => {
          let running = 0;
          const written: number[] = [];
          const write = batched<{ index: number; lasts: number }, number>({
            async run(_, items) {
              running += 1;
              expect(running).toBeLessThanOrEqual(2);
              written.push(...items.map(({ index }) => index));
              for (let turn = 0; turn < Math.max(...items.map(({ lasts }) => lasts)); turn++) await pause(0);
              running -= 1;
              return items.map(({ index }) => -index);
            },
          });
          const writes: Promise<number>[] = [];
          for (const [index, { turns, lasts }] of plan.entries()) {
            for (let turn = 0; turn < turns; turn++) await pause(0);
            writes.push(write(database, { index, lasts }));
          }
          expect(await Promise.all(writes)).toEqual(plan.map((_, index) => -index));
          expect(written).toEqual(plan.map((_, index) => index));
        },
      ),
      { numRuns: 30 },
    );
  });

  test('that are large make later items gather, and that are slow do not delay them', async () => {
    const begun: number[][] = [];
    const ends: (() => void)[] = [];
    const slow = batched<number, number>({
      run: (_, items) =>
        new Promise((resolve) => {
          begun.push([...items]);
          ends.push(() => resolve(items));
        }),
    });
    const large = Promise.all(numbered(8).map((item) => slow(database, item)));
    await expect.poll(() => begun).toEqual([numbered(8)]);
    const gathering = [slow(database, 8)];
    await new Promise(setImmediate);
    gathering.push(slow(database, 9));
    await expect.poll(() => begun).toEqual([numbered(8), [8, 9]]);
    ends[1]?.();
    expect(await Promise.all(gathering)).toEqual([8, 9]);
    ends[0]?.();
    expect(await large).toEqual(numbered(8));
  });

  test('that are small run beside one another', async () => {
    const begun: number[][] = [];
    const ends: (() => void)[] = [];
    const slow = batched<number, number>({
      run: (_, items) =>
        new Promise((resolve) => {
          begun.push([...items]);
          ends.push(() => resolve(items));
        }),
    });
    const first = slow(database, 1);
    await new Promise(setImmediate);
    const second = slow(database, 2);
    await new Promise(setImmediate);
    expect(begun).toEqual([[1], [2]]);
    for (const end of ends) end();
    expect(await Promise.all([first, second])).toEqual([1, 2]);
  });

  test('never hold two items of one key, take the oldest first, and sort by key', async () => {
    const begun: string[][] = [];
    const keyed = batched<{ readonly name: string; readonly value: number }, number>({
      run: async (_, items) => {
        begun.push(items.map(({ name, value }) => `${name}${value}`));
        return items.map(({ value }) => value);
      },
      key: ({ name }) => name,
    });
    const items = ['b', 'a', 'b', 'c', 'b'].map((name, value) => ({ name, value }));
    expect(await Promise.all(items.map((item) => keyed(database, item)))).toEqual([0, 1, 2, 3, 4]);
    expect(begun).toEqual([['a1', 'b0', 'c3'], ['b2'], ['b4']]);
  });

  test('that write fewer rows than they were given fail their callers', async () => {
    const forgetful = batched<number, number>({ run: async () => [] });
    await expect(forgetful(database, 1)).rejects.toThrow('1 items gave 0 results');
  });

  test('that take long make waiting items fail as unavailable, after as long as the pool makes its callers wait', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    // Its close would wait for the statements that never end.
    const other = { ...database, beforeClose: () => undefined };
    const endless = batched<number, number>({ run: () => new Promise(() => undefined) });
    try {
      for (const running of [1, 2]) {
        void endless(other, running);
        await new Promise(setImmediate);
      }
      let isRefused = false;
      const late = endless(other, 3).finally(() => {
        isRefused = true;
      });
      const refused = expect(late).rejects.toSatisfy(isDatabaseUnavailable);
      await vi.advanceTimersByTimeAsync(TEST_CONNECTION.acquireTimeoutMs - 1);
      expect(isRefused).toBe(false);
      await vi.advanceTimersByTimeAsync(2);
      await refused;
    } finally {
      vi.useRealTimers();
    }
  });
});
