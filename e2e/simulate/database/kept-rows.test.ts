import { expect, test } from 'vitest';
import { openEngine } from './engine.ts';
import { keepRows } from './kept-rows.ts';
import { readAnswer } from './server.ts';
import { writeMessage } from './wire.ts';

test('rows and sequences are put back, and nothing else is left of what was written meanwhile', async () => {
  const engine = await openEngine();
  const query = (text: string) => readAnswer(engine.run(writeMessage('Q', `${text}\0`)));
  query(
    `CREATE TABLE written (id bigint GENERATED ALWAYS AS IDENTITY, word text, length int GENERATED ALWAYS AS (length(word)) STORED)`,
  );
  query('CREATE TABLE named (id bigint PRIMARY KEY); CREATE TABLE names (id bigint REFERENCES named)');
  query(`INSERT INTO written (word) VALUES ('one'), ('three'); INSERT INTO named VALUES (1); INSERT INTO names VALUES (1)`);
  const before = query('SELECT * FROM written ORDER BY id');
  const putBack = keepRows(query);
  query(`DELETE FROM written WHERE word = 'one'; UPDATE written SET word = 'four'; INSERT INTO written (word) VALUES ('five')`);
  query('DELETE FROM names; DELETE FROM named; INSERT INTO named VALUES (2); INSERT INTO names VALUES (2)');
  putBack();
  expect(query('SELECT * FROM written ORDER BY id')).toEqual(before);
  expect(query('SELECT named.id FROM named JOIN names USING (id)')).toEqual([{ id: '1' }]);
  expect(query(`INSERT INTO written (word) VALUES ('six') RETURNING id`)).toEqual([{ id: '3' }]);
  expect(() => query('INSERT INTO names VALUES (7)')).toThrow('violates foreign key constraint');
  expect(query(`SELECT count(*) AS n FROM pg_namespace WHERE nspname = 'kept'`)).toEqual([{ n: '0' }]);
});
