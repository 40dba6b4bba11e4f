import { describe, expect, test } from 'vitest';
import { COLUMNS, drawn, type Sums } from '../report.ts';
import { changeOf, compare, figureOf } from './figures.ts';

const sumsOf = (paid: number, failed: number): Sums => ({
  payments: paid + failed,
  paid,
  failed,
  expired: 0,
  pending: 0,
  late: 0,
  amount: (paid + failed) * 1_000,
  paidAmount: paid * 1_000,
  refunded: 0,
  fees: '0',
  net: String(paid * 1_000),
  conversion: paid + failed === 0 ? null : paid / (paid + failed),
});
const last = (measure: keyof typeof COLUMNS) => {
  const column = COLUMNS[measure].at(-1);
  if (column === undefined) throw new Error(`${measure} has no column`);
  return column;
};
const [volume, rate] = [last('volume'), last('conversion')];
describe('a success rate', () => {
  test('is a percentage of twenty finished payments or more', () => {
    expect(figureOf(rate, 'NGN', sumsOf(19, 1))).toBe('95.0%');
    expect(drawn('conversion', sumsOf(19, 1))).toBe(0.95);
  });

  test('of fewer is told as counts, and not drawn', () => {
    expect(figureOf(rate, 'NGN', sumsOf(18, 1))).toBe('18 of 19');
    expect(drawn('conversion', sumsOf(18, 1))).toBeNull();
    expect(figureOf(rate, 'NGN', sumsOf(0, 0))).toBe('–');
  });
});

describe('a change', () => {
  test('is in percent between amounts and in points between rates', () => {
    expect(changeOf(volume, sumsOf(30, 0), sumsOf(20, 0))).toBe('+50.0%');
    expect(changeOf(volume, sumsOf(20, 0), sumsOf(40, 0))).toBe('−50.0%');
    expect(changeOf(rate, sumsOf(30, 10), sumsOf(20, 20))).toBe('+25.0 pt');
  });

  test('is not told where either side has fewer than twenty payments, or none of the money', () => {
    expect(changeOf(volume, sumsOf(19, 0), sumsOf(40, 0))).toBe('');
    expect(changeOf(volume, sumsOf(40, 0), sumsOf(19, 0))).toBe('');
    expect(changeOf(volume, sumsOf(40, 0), sumsOf(0, 20))).toBe('');
    expect(changeOf(volume, sumsOf(40, 0), null)).toBe('');
  });
});

describe('a total beside the period before', () => {
  test('names what it is measured by', () => {
    expect(compare(volume, 'NGN', sumsOf(30, 0), sumsOf(20, 0))).toBe('+50.0% against NGN 20,000.00 in the previous period');
    expect(compare(rate, 'NGN', sumsOf(30, 10), sumsOf(20, 20))).toBe('+25.0 pt against 50.0% in the previous period');
  });

  test('has no percentage where payments were few, or none', () => {
    const few = 'Too few payments to compare with the previous period';
    expect(compare(volume, 'NGN', sumsOf(30, 0), sumsOf(4, 0))).toBe(few);
    expect(compare(rate, 'NGN', sumsOf(30, 10), { ...sumsOf(3, 1), payments: 40 })).toBe(few);
    expect(compare(volume, 'NGN', sumsOf(30, 0), sumsOf(0, 0))).toBe('No data in the previous period');
    expect(compare(volume, 'NGN', sumsOf(30, 0), null)).toBe('No data in the previous period');
  });
});
