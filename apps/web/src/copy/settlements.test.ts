import { expect, test } from 'vitest';
import { partial } from '../testing/partial.ts';
import { describeNet, describeSales, type WholeSettlement } from './settlements.ts';

const settlement = (net: string, totals: Readonly<Record<string, string>>) => ({
  currency: 'NGN',
  net,
  totals: Object.entries(totals).map(([kind, amount]) => partial<WholeSettlement['totals'][number]>({ kind, amount } as object)),
});

test.each([
  [
    '98299.5',
    { PAYMENT: '100000', FEE: '-1500.5', REFUND: '-200' },
    'NGN 100,000.00 of sales, less NGN 1,500.50 of fees, NGN 200.00 of refunds: NGN 98,299.50 net.',
  ],
  ['100050', { PAYMENT: '100000', OTHER: '50' }, 'NGN 100,000.00 of sales, plus NGN 50.00 of other amounts: NGN 100,050.00 net.'],
  [
    '90',
    { PAYMENT: '100', RESIDUE: '-10' },
    'NGN 100.00 of sales, less NGN 10.00 of an amount that the gateway does not explain: NGN 90.00 net.',
  ],
  ['0', {}, null],
])('a settlement of %s says why it differs from its sales', (net, totals, words) => {
  expect(describeNet(settlement(net, totals))).toBe(words);
});

test.each([
  [
    '2026-11-24',
    '3000',
    'On Tue 24 Nov the account took NGN 5,000.00 in 2 payments; NGN 2,000.00 of it is in other payouts or still to come.',
  ],
  [
    '2026-11-25',
    '5000',
    'From Tue 24 Nov to Wed 25 Nov the account took NGN 5,000.00 in 2 payments: all of it is in this settlement.',
  ],
  [
    '2026-11-24',
    '6000',
    'On Tue 24 Nov the account took NGN 5,000.00 in 2 payments; NGN 1,000.00 more is settled, of other days or of payments that are not in the ledger.',
  ],
])('the sales of its days are beside what it has of them', (to, settled, words) => {
  const sales = { from: '2026-11-24', to, count: 2, amount: '5000' };
  expect(describeSales({ ...settlement('0', { PAYMENT: settled }), sales })).toBe(words);
  expect(describeSales({ ...settlement('0', { PAYMENT: settled }), sales: null })).toBeNull();
});
