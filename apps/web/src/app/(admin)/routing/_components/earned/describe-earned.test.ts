import { expect, test } from 'vitest';
import { describeEarned, type EarnedMonth, earnedCsv } from './describe-earned.ts';

const side = { customers: 100, paid: 90, amount: '90000', fees: '1350.5' };
const MONTH: EarnedMonth = {
  merchantId: 'm-1',
  month: '2026-11',
  currency: 'NGN',
  percent: 2,
  routed: side,
  heldOut: { ...side, customers: 20, paid: 15 },
  payments: 140,
  difference: { estimate: 0.06, from: 0.01, to: 0.11 },
  earned: { estimate: 1_200_000, from: 200_000, to: 2_200_000 },
  weeksLeft: null,
};
const plain = (text: string) => text.replaceAll('\u00a0', ' ');

test.each<[string, Partial<EarnedMonth>]>([
  [
    'In November 2026 routing earned NGN 1,200,000.00, between NGN 200,000.00 and NGN 2,200,000.00, with 2% of customers held out.',
    {},
  ],
  [
    'In November 2026 routing lost NGN 5,000.00, between −NGN 9,000.00 and −NGN 1,000.00, with 2% of customers held out.',
    { earned: { estimate: -5_000, from: -9_000, to: -1_000 } },
  ],
  ['Not enough yet for November 2026: about 9 more weeks with as many customers.', { earned: null, weeksLeft: 9 }],
  ['Not enough yet for November 2026: about 1 more week with as many customers.', { earned: null, weeksLeft: 1 }],
  ['In November 2026 too few customers have paid or left to say anything yet.', { earned: null, difference: null }],
])('%s', (sentence, of) => {
  expect(plain(describeEarned({ ...MONTH, ...of }))).toBe(sentence);
});

test('the file has a line for each month, with empty cells for what is not known', () => {
  const [head = '', first, second] = earnedCsv([MONTH, { ...MONTH, difference: null, earned: null }]).split('\r\n');
  expect(first).toBe('2026-11,NGN,2,100,90,90000,1350.5,20,15,90000,1350.5,140,0.06,0.01,0.11,1200000,200000,2200000');
  expect(second).toBe('2026-11,NGN,2,100,90,90000,1350.5,20,15,90000,1350.5,140,,,,,,');
  expect(head.split(',')).toHaveLength(18);
});
