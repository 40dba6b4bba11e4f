import { expect, test } from 'vitest';
import { createIds, firstIdAt, isUuid, newId, uuidOf } from './uuid.ts';

test('ids of one process increase, also within a millisecond and when the clock steps back', () => {
  let made = 0;
  const nextId = createIds(() => 1_800_000_000_000 + (made % 3) - Math.floor(made / 10_000));
  const ids = Array.from({ length: 20_000 }, () => {
    made += 1;
    return nextId();
  });
  expect([...ids].sort()).toEqual(ids);
  expect(new Set(ids).size).toBe(ids.length);
});

test('an id is a UUID of version 7 and variant 10', () => {
  for (let n = 0; n < 1_000; n++)
    expect(newId()).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});

test('the first id of any time is a UUID, and that of a later one no smaller', () => {
  const times = [Date.parse('1900-01-01'), -1, 0, 1, Date.parse('2026-11-21'), 2 ** 48 - 1, 2 ** 48, 2 ** 48 + 600_000, 8.64e15];
  const ids = times.map(firstIdAt);
  for (const id of ids) expect(isUuid(id)).toBe(true);
  expect([...ids].sort()).toEqual(ids);
});

test.each(['', 'x', '0190a0a0-0000-7000-8000-00000000000', '0190a0a0-0000-7000-8000-000000000000 ', "' or 1=1"])(
  '%j is not taken for a UUID',
  (text) => expect(isUuid(text)).toBe(false),
);

test('a text always gives the same UUID of version 8, and another text another', () => {
  expect(uuidOf('refund')).toBe(uuidOf('refund'));
  const ids = [...Array(1_000).keys()].map((n) => uuidOf(`refund ${n}`));
  expect(new Set(ids).size).toBe(ids.length);
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});
