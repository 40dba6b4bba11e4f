import { describe, expect, test } from 'vitest';
import { describeResults } from '../history/history-page.tsx';
import { describeShadowEnd, describeShadowResult } from '../shadow/use-shadow.ts';
import { describeConsequence } from './what-moves.tsx';

const labelOf = (accountId: string | null) => accountId ?? 'no account';
const move = (payments: number, from: string | null = 'a', to: string | null = 'b') =>
  ({ from, to, payments }) as Parameters<typeof describeConsequence>[0]['moves'][number];
const none = { payments: 0 } as Parameters<typeof describeConsequence>[0]['unroutable'];
const replay = (change: object) => ({ payments: 1_000, moved: 10, moves: [], unroutable: none, ...change });

describe('what publishing does', () => {
  test.each<[string, object, number, readonly string[]]>([
    ['is unknown without payments', { payments: 0 }, 7, ['There were no payments in the last 7 days, so the impact is unknown.']],
    [
      'is nothing where no payment moves',
      { payments: 1, moved: 0 },
      1,
      ['Of the 1 payment of the last day, none would have gone to another account.'],
    ],
    ['is told by the day where that is one or more', { moves: [move(2_184)] }, 7, ['312 payments a day move from a to b.']],
    ['rounds to whole payments a day, one of which moves', { moves: [move(8)] }, 7, ['1 payment a day moves from a to b.']],
    [
      'is told for the whole time where that is less',
      { moves: [move(3)] },
      7,
      ['3 payments of the last 7 days move from a to b.'],
    ],
    ['is told for the whole of a single day', { moves: [move(1)] }, 1, ['1 payment of the last day moves from a to b.']],
    [
      'names the three largest moves, counts the others, and says what would have nowhere to go',
      { moves: [move(70), move(35), move(14, 'a', null), move(2), move(1)], unroutable: { payments: 14 } },
      7,
      [
        '10 payments a day move from a to b.',
        '5 payments a day move from a to b.',
        '2 payments a day move from a to no account.',
        '3 more payments of the last 7 days move between other accounts.',
        '14 payments of the last 7 days would have had no listed account.',
      ],
    ],
  ])('%s', (_what, change, days, sentences) => {
    expect(describeConsequence(replay(change), days, labelOf)).toEqual(sentences);
  });
});

describe('the results of a version', () => {
  const result = (change: object) => ({ currency: 'NGN', payments: 100, paid: 90, failed: 10, fees: '345261.200000', ...change });
  const shown = (...currencies: readonly object[]) =>
    describeResults({ currencies: currencies as Parameters<typeof describeResults>[0]['currencies'] }).map((line) =>
      line.replaceAll('\u00a0', ' '),
    );

  test('are a line for each currency: money is never added to other money', () => {
    expect(shown(result({}), result({ currency: 'KES', fees: '0.5' }))).toEqual([
      '100 payments · 90.0% succeeded · NGN 345,261.20 fees',
      '100 payments · 90.0% succeeded · KES 0.50 fees',
    ]);
  });

  test.each([
    ['345261.200000', 'NGN 345,261.20 fees'],
    ['100.000000', 'NGN 100.00 fees'],
    ['100', 'NGN 100.00 fees'],
    ['0.001250', 'NGN 0.00125 fees'],
  ])('have fees of %s as %s', (fees, words) => {
    expect(shown(result({ fees }))[0]).toContain(words);
  });

  test('have counts in place of a rate of few payments, and say that there were none', () => {
    expect(shown(result({ payments: 5, paid: 3, failed: 1, fees: '0' }))).toEqual(['5 payments · 3 succeeded · NGN 0.00 fees']);
    expect(shown()).toEqual(['No payments']);
  });
});

describe('a shadow run', () => {
  test.each([
    [0, 0, 'No payment has come in yet.'],
    [1_204, 87, 'Of 1,204 payments, 87 (7.2%) would have gone to another account first.'],
    [4, 1, 'Of 4 payments, 1 would have gone to another account first.'],
  ])('of %d payments, %d of which move: %s', (payments, moved, words) => {
    expect(describeShadowResult({ payments, moved })).toBe(words);
  });

  test('ends for a reason of its own, and has none while it runs', () => {
    const ends = ['TIME', 'LIMIT', 'STOPPED', 'SAVED', 'PUBLISHED', 'DISCARDED'] as const;
    expect(new Set(ends.map((ended) => describeShadowEnd({ ended }))).size).toBe(ends.length);
    expect(describeShadowEnd({ ended: null })).toBeNull();
  });
});
