import { expect, test } from 'vitest';
import { OPERATIONS, pairsOf, readOptions } from './options.ts';

test('without options everything is measured', () => {
  expect(readOptions([])).toMatchObject({ all: true, operations: OPERATIONS, rate: [20, 100], growth: 100_000 });
});

test('with operations only those are, unless more is asked for', () => {
  expect(readOptions(['--operations', 'get,initiate'])).toMatchObject({
    all: false,
    operations: ['get', 'initiate'],
    rate: [],
    growth: 0,
  });
  expect(readOptions(['--operations', 'get', '--rate', '50', '--growth', '1000000'])).toMatchObject({
    rate: [50],
    growth: 1_000_000,
  });
});

test('the number of pairs is one for all operations when it is given', () => {
  expect(OPERATIONS.map((operation) => pairsOf(readOptions([]), operation))).toEqual([3, 3, 2, 2, 2, 2]);
  expect(OPERATIONS.map((operation) => pairsOf(readOptions(['--pairs', '5']), operation))).toEqual([5, 5, 5, 5, 5, 5]);
});

test.each([[['--operations', 'pay']], [['--pairs', '0']], [['--rate', '-1']], [['--unknown']]])('%j is refused', (args) => {
  expect(() => readOptions(args)).toThrow();
});
