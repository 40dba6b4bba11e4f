import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dayText, momentText, momentValue, parseMoment } from './moments.ts';
import { createTestDatabase, type TestDatabase } from './testing/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

describe('a moment', () => {
  test.each([
    ['0000-01-01T00:00:00Z', null],
    ['0001-01-01T00:00:00+14:00', null],
    ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z'],
    ['9999-12-31T23:59:59Z', '9999-12-31T23:59:59.000Z'],
    ['9999-12-31T23:59:59-12:00', '9999-12-31T23:59:59.999Z'],
    ['10000-01-01T00:00:00Z', null],
    ['+010000-01-01T00:00:00Z', null],
    ['-000001-01-01T00:00:00Z', null],
    ['2026-02-30T00:00:00Z', null],
    ['2026-11-28T24:00:00Z', null],
    ['2026-11-28T10:00Z', null],
    ['2026-11-28', null],
    ['2026-11-28T10:00:00+01:00', '2026-11-28T09:00:00.000Z'],
  ])('%s is %s', (text, expected) => {
    expect(parseMoment(text)?.toISOString() ?? null).toBe(expected);
    expect(momentText.safeParse(text).success).toBe(expected !== null);
  });

  test('that is taken is taken by the database, at the edges and anywhere else', async () => {
    const digits = (length: number, max: number) => fc.integer({ min: 0, max }).map((n) => String(n).padStart(length, '0'));
    const text = fc
      .tuple(fc.oneof(fc.constantFrom('0000', '0001', '9999'), digits(4, 9_999)), digits(2, 13), digits(2, 32), digits(2, 24))
      .chain(([year, month, day, hour]) =>
        fc.constantFrom('Z', '+14:00', '-12:00', '+01:00').map((zone) => `${year}-${month}-${day}T${hour}:59:59.999${zone}`),
      );
    const taken = fc.sample(text, 3_000).flatMap((one) => parseMoment(one) ?? []);
    expect(taken.length).toBeGreaterThan(100);
    const { rows } = await database.pool.query<{ same: boolean }>(
      'SELECT every(given = stored) AS same FROM unnest($1::text[], $2::timestamptz[]) AS t (text, stored), LATERAL (SELECT text::timestamptz AS given) AS g',
      [taken.map((moment) => moment.toISOString()), taken],
    );
    expect(rows).toEqual([{ same: true }]);
  });
});

test.each([
  [new Date('2026-11-28T10:00:00Z'), true],
  [new Date(-62_135_596_800_001), false],
  [new Date('+010000-01-01T00:00:00Z'), false],
  [new Date(Number.NaN), false],
])('a date %s is taken: %s', (value, isTaken) => {
  expect(momentValue.safeParse(value).success).toBe(isTaken);
});

test.each([
  ['0000-01-01', false],
  ['0001-01-01', true],
  ['9999-12-31', true],
  ['2026-02-29', false],
])('a day %s is taken: %s', (day, isTaken) => {
  expect(dayText.safeParse(day).success).toBe(isTaken);
});
