import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../testing/index.ts';
import { toLiteral } from './literals.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

const text = fc
  .array(
    fc.oneof(fc.constantFrom('\\', `'`, `''`, '"', '$1', '$$', '{', '}', ',', 'NULL', '--', '\n'), fc.string({ unit: 'binary' })),
  )
  .map((parts) => parts.join('').replaceAll('\u0000', ''))
  .filter((whole) => whole.isWellFormed());

test('a value in the text of a statement is the value that was given, whatever is in it', async () => {
  const whole = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
  await fc.assert(
    fc.asyncProperty(text, fc.array(text), whole, fc.boolean(), async (one, more, sum, sure) => {
      const moment = new Date(Number(BigInt.asIntN(41, sum)));
      const asked = `SELECT ${toLiteral(one)}::text AS one, ${toLiteral(more)}::text[] AS more, ${toLiteral(sum)}::int8 AS sum,
        ${toLiteral(moment)}::timestamptz AS moment, ${toLiteral(sure)} AS sure`;
      expect((await database.pool.query(asked)).rows).toEqual([{ one, more, sum: String(sum), moment, sure }]);
    }),
    { numRuns: 300 },
  );
});

test('there is none for what has no one way to be written', () => {
  for (const value of [null, undefined, 1.5, Number.NaN, {}, 'a\u0000b', ['a', null]]) {
    expect(() => toLiteral(value)).toThrow(TypeError);
  }
});
