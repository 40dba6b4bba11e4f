import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../testing/index.ts';
import { copyOut } from './copy-out.ts';

let database: TestDatabase;
let client: pg.Client;
beforeAll(async () => {
  database = await createTestDatabase();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await database.close();
});

async function read(question: string): Promise<string[]> {
  const pieces: string[] = [];
  for await (const piece of copyOut(client, question)) pieces.push(piece.toString());
  return pieces;
}

test('rows come in their order, however many, and no piece ends within one', async () => {
  const pieces = await read(`SELECT n, repeat('é', n % 200), NULL FROM generate_series(1, 30000) AS n ORDER BY n`);
  const expected = Array.from({ length: 30_000 }, (_, at) => `${at + 1}\t${'é'.repeat((at + 1) % 200)}\t\\N\n`).join('');
  expect(pieces.join('') === expected).toBe(true);
  expect(pieces.length).toBeGreaterThan(10);
  expect(pieces.filter((piece) => !piece.endsWith('\n'))).toEqual([]);
  expect((await read(`SELECT repeat('x', 1000000)`)).map((piece) => piece.length)).toEqual([1_000_001]);
});

test('a question that is refused leaves the connection as it was', async () => {
  await expect(read('SELECT 1 / n FROM generate_series(-1, 1) AS n')).rejects.toThrow(/division by zero/);
  expect(await read('SELECT 1')).toEqual(['1\n']);
  expect((await client.query('SELECT 2 AS two')).rows).toEqual([{ two: 2 }]);
});

test('whatever else waits for the process comes between pieces, however much the network has at once', async () => {
  let [turns, seen, since, most] = [0, 0, 0, 0];
  const again = () => {
    turns += 1;
    waiting = setImmediate(again);
  };
  let waiting = setImmediate(again);
  for await (const piece of copyOut(client, `SELECT n, repeat('x', 1000) FROM generate_series(1, 20000) AS n`)) {
    since = turns === seen ? since + piece.length : piece.length;
    [seen, most] = [turns, Math.max(most, since)];
    // As long as lines take to be written.
    for (const end = performance.now() + 2; performance.now() < end; );
  }
  clearImmediate(waiting);
  expect(turns).toBeGreaterThan(50);
  expect(most).toBeLessThan(300_000);
});
