import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addCounts, countHint, exactly, formatCount, type ListCount } from './list-end.tsx';
import { readSort, writeSort } from './list-parsers.ts';

const count = fc.record({ count: fc.nat(20_000), more: fc.boolean() });

test('numbers of statuses together are at least their sum, and limited where one of them is', () => {
  fc.assert(
    fc.property(fc.array(count), (counts) => {
      expect(addCounts(counts)).toEqual({
        count: counts.reduce((sum, one) => sum + one.count, 0),
        more: counts.some(({ more }) => more),
      });
    }),
  );
});

test('one that is not known makes the sum unknown', () => {
  fc.assert(
    fc.property(fc.array(count), fc.array(count), (some, others) => {
      expect(addCounts([...some, undefined, ...others])).toBeUndefined();
    }),
  );
});

test.each<[ListCount, string, string | undefined]>([
  [{ count: 0, more: false }, '0', undefined],
  [{ count: 1_234, more: false }, '1,234', undefined],
  [{ count: 10_000, more: true }, '10,000+', 'There are more: lists are counted up to 10,000'],
])('%j is written %s', (number, text, hint) => {
  expect([formatCount(number), countHint(number)]).toEqual([text, hint]);
});

test('a number without a limit is exact, or not known', () => {
  expect([exactly(7), exactly(undefined)]).toEqual([{ count: 7, more: false }, undefined]);
});

test('every order of a list is read from the address as it was written', () => {
  const orders = [
    { by: 'created', descending: true },
    { by: 'amount', descending: true },
    { by: 'name', descending: false },
  ] as const;
  fc.assert(
    fc.property(fc.constantFrom(...orders), fc.boolean(), ({ by }, descending) => {
      expect(readSort(writeSort({ by, descending }, [...orders]) ?? '', [...orders])).toEqual({ by, descending });
    }),
  );
});
