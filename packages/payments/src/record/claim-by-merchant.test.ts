import { createTestDatabase, type TestDatabase } from '@switchyard/db/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { claimByMerchant } from './claim-by-merchant.ts';

const SOUND = 'a0000000-0000-4000-8000-000000000001';
const FAULTY = 'a0000000-0000-4000-8000-000000000002';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

/** A claim that fails for one of the merchants, as where its node is away. */
const claim = (merchantIds: readonly string[]) =>
  claimByMerchant<{ merchantId: string; count: number }>(
    database,
    {
      name: 'find',
      text: `SELECT merchant AS "merchantId", 2 AS count FROM unnest($1::uuid[]) AS merchant`,
      values: [merchantIds],
    },
    ({ merchantId, count }) => ({
      name: 'claim',
      text: `SELECT $1::uuid AS "merchantId", $2::int / CASE WHEN $1::uuid = '${FAULTY}' THEN 0 ELSE 1 END AS count`,
      values: [merchantId, count],
    }),
  );

describe('where the claim of one merchant fails', () => {
  test('the rows claimed of the others are returned', async () => {
    expect(await claim([FAULTY, SOUND])).toEqual([{ merchantId: SOUND, count: 2 }]);
  });

  test('and nothing else is due, its error is thrown', async () => {
    await expect(claim([FAULTY])).rejects.toThrow('division by zero');
  });
});

test('with nothing due nothing is claimed', async () => {
  expect(await claim([])).toEqual([]);
});
