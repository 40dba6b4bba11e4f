import { expect, test } from 'vitest';
import { OPERATIONS, readOptions } from './options.ts';

test('without options everything is measured', () => {
  expect(readOptions([])).toMatchObject({ all: true, operations: OPERATIONS, rate: [20, 100], growth: 100_000, pairs: 3 });
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

test.each([[['--operations', 'pay']], [['--pairs', '0']], [['--rate', '-1']], [['--unknown']]])('%j is refused', (args) => {
  expect(() => readOptions(args)).toThrow();
});
