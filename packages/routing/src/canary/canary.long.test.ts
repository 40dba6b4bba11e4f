import { describe, expect, test } from 'vitest';
import {
  ALWAYS_WORSE,
  AT_THE_BOUNDARY,
  countEndings,
  countMissed,
  drawsFrom,
  LOSS,
  NEVER_WORSE,
  runCanary,
  withNoise,
} from '../testing/canaries.ts';
import { FALSE_PROMOTION_MAX, FALSE_ROLLBACK_MAX, INTERVAL_ERROR_MAX } from './canary.ts';

/*
 * Both error rates over thousands of canaries, each looked at after every customer. A test statistic of a fixed size, looked at as often,
 * names a winner in one of ten canaries without any difference.
 */

const MANY = { canaries: 4_000, customers: 4_000, seed: 1 };
const SHARES = [0.1, 0.3, 0.5];

describe.each(SHARES)('canaries with a share of %d', (share) => {
  const terms = { share, toleratedLoss: LOSS };

  test.each(Object.keys(AT_THE_BOUNDARY))('and rates that are %s keep both error rates', (setting) => {
    const rates = AT_THE_BOUNDARY[setting];
    if (rates === undefined) throw new Error('there is no such setting');
    const { promoted, rolledBack } = countEndings(terms, rates, MANY);
    expect(promoted).toBeLessThanOrEqual(withNoise(FALSE_PROMOTION_MAX, MANY.canaries));
    expect(rolledBack).toBeLessThanOrEqual(withNoise(FALSE_ROLLBACK_MAX, MANY.canaries));
    // At the boundary a bound that is never met would guarantee nothing that anyone could use.
    expect(promoted).toBeGreaterThan(0);
  });

  test('and an outage in one arm keep the error rate that it could break', () => {
    expect(countEndings(terms, ALWAYS_WORSE, MANY).promoted).toBeLessThanOrEqual(withNoise(FALSE_PROMOTION_MAX, MANY.canaries));
    expect(countEndings(terms, NEVER_WORSE, MANY).rolledBack).toBeLessThanOrEqual(withNoise(FALSE_ROLLBACK_MAX, MANY.canaries));
  });
});

describe('canaries that begin with 5 % of customers and go on with 25 %', () => {
  const terms = (place: number) => ({ share: place < 1_000 ? 0.05 : 0.25, toleratedLoss: LOSS });

  test.each(Object.entries(AT_THE_BOUNDARY))('and rates that are %s keep both error rates', (_, rates) => {
    const { promoted, rolledBack } = countEndings(terms, rates, MANY);
    expect(promoted).toBeLessThanOrEqual(withNoise(FALSE_PROMOTION_MAX, MANY.canaries));
    expect(rolledBack).toBeLessThanOrEqual(withNoise(FALSE_ROLLBACK_MAX, MANY.canaries));
    expect(promoted).toBeGreaterThan(0);
  });
});

test('the interval leaves out the true difference after any customer as rarely while the share grows from 5 to 25 %', () => {
  const terms = (place: number) => ({ share: place < 400 ? 0.05 : 0.25, toleratedLoss: LOSS });
  const missed = countMissed(terms, { canaries: 300, every: 1, seed: 13 });
  expect(missed / 300).toBeLessThanOrEqual(withNoise(INTERVAL_ERROR_MAX, 300));
});

test.each([
  [0.1, 0.65, 'roll_back', 900],
  [0.3, 0.65, 'roll_back', 350],
  [0.1, 0.9, 'promote', 2_400],
  [0.3, 0.9, 'promote', 1_150],
] as const)(
  'with a share of %d, a draft that converts %d instead of 0.85 is decided (%s) after a median of at most %i customers',
  (share, draft, verdict, most) => {
    const random = drawsFrom(3);
    const runs = Array.from({ length: 400 }, () =>
      runCanary({ share, toleratedLoss: LOSS }, () => ({ draft, live: 0.85 }), { customers: 20_000, random }),
    );
    expect(runs.filter((run) => run.verdict === verdict).length).toBeGreaterThan(390);
    const counts = runs.map(({ customers }) => customers).toSorted((left, right) => left - right);
    expect(counts[200]).toBeLessThanOrEqual(most);
  },
);
