import { expect, test } from 'vitest';
import { addUp, signed } from './totals.ts';

test.each([
  ['1200', '0', '+1,200.00'],
  ['0.5', '100', '−99.50'],
  ['10.10', '10.1', '0.00'],
])('%s less %s is shown as %s', (a, b, text) => {
  expect(signed('NGN', a, b)).toBe(text);
});

test('days add up exactly: fees of a tenth do not drift', () => {
  const side = (count: number, amount: string) => ({ count, amount });
  const day = {
    currency: 'NGN',
    ledger: side(2, '9007199254740993'),
    statement: side(1, '0.1'),
    fees: '0.1',
    ledgerRefunded: side(1, '-5'),
    statementRefunded: side(0, '0'),
  };
  expect(addUp([day, day, day])).toEqual({
    currency: 'NGN',
    ledger: side(6, '27021597764222979'),
    statement: side(3, '0.3'),
    fees: '0.3',
    ledgerRefunded: side(3, '-15'),
    statementRefunded: side(0, '0'),
  });
});
