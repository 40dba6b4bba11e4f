import { expect, test } from 'vitest';
import { describeOutcomes, type OutcomeSums } from './incident-impact.ts';

const NONE = { payments: 0, amount: 0n };
const NOTHING = { recovered: NONE, same_account: NONE, retried: NONE, open: NONE, lost: NONE };
const sentence = (impact: readonly OutcomeSums[]) => {
  const { affected, rest } = describeOutcomes(impact);
  return `${affected ?? ''}${rest}`;
};

test('the impact says what became of every payment, and never adds two currencies', () => {
  expect(
    sentence([
      {
        currency: 'NGN',
        met: { payments: 1_200, amount: 4_000_000n },
        outcomes: {
          ...NOTHING,
          recovered: { payments: 1_100, amount: 3_500_000n },
          open: { payments: 99, amount: 490_000n },
          lost: { payments: 1, amount: 10_000n },
        },
      },
      {
        currency: 'GHS',
        met: { payments: 3, amount: 95n },
        outcomes: {
          ...NOTHING,
          recovered: { payments: 1, amount: 90n },
          retried: { payments: 1, amount: 3n },
          same_account: { payments: 1, amount: 2n },
        },
      },
    ]),
  ).toBe(
    '1,203 payments (NGN 4,000,000.00, GHS 95.00) affected: 1,101 recovered (NGN 3,500,000.00, GHS 90.00), 1 made to try again (GHS 3.00), 1 lost (NGN 10,000.00), 99 still open (NGN 490,000.00), 1 paid at the same account (GHS 2.00).',
  );
});

test('the impact says that no payment was recovered or lost, and that none was affected', () => {
  const open = { payments: 1, amount: 5n };
  expect(sentence([{ currency: 'NGN', met: open, outcomes: { ...NOTHING, open } }])).toBe(
    '1 payment (NGN 5.00) affected: none recovered, none lost, 1 still open (NGN 5.00).',
  );
  expect(describeOutcomes([])).toEqual({ affected: null, rest: 'No payment has been affected so far.' });
});
