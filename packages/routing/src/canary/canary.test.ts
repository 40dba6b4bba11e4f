import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isDrawn } from '../decide/split.ts';
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
import {
  type CanaryUnit,
  differenceOf,
  FALSE_PROMOTION_MAX,
  FALSE_ROLLBACK_MAX,
  INTERVAL_ERROR_MAX,
  NO_UNITS,
  takeUnit,
  unitsOf,
  verdictOf,
} from './canary.ts';

const TERMS = { share: 0.3, toleratedLoss: LOSS };
const unit: fc.Arbitrary<CanaryUnit> = fc.record({ arm: fc.constantFrom('draft', 'live'), paid: fc.boolean() });
const units = fc.array(unit, { maxLength: 200 });
const terms = fc.record({
  share: fc.integer({ min: 1, max: 50 }).map((percent) => percent / 100),
  toleratedLoss: fc.integer({ min: 10, max: 1_000 }).map((hundredths) => hundredths / 10_000),
});

describe('a customer', () => {
  test('is assigned to the same arm at any time, whatever the case of the address, and by another salt to another', () => {
    fc.assert(
      fc.property(fc.emailAddress(), fc.uuid(), fc.integer({ min: 1, max: 50 }), (email, salt, percent) => {
        expect(isDrawn({ salt, percent }, ` ${email.toUpperCase()}`)).toBe(isDrawn({ salt, percent }, email.toLowerCase()));
        // Those of a smaller share are among those of a greater one.
        if (isDrawn({ salt, percent }, email)) expect(isDrawn({ salt, percent: percent + 1 }, email)).toBe(true);
      }),
    );
  });

  test.each([1, 10, 30, 50])('is drawn with a chance of %i %%, independently between salts', (percent) => {
    const emails = Array.from({ length: 20_000 }, (_, place) => `customer-${place}@example.com`);
    const [first, second] = ['0193471e-8a3b-7c21-9f4e-1', '0193471e-8a3b-7c21-9f4e-2'];
    const share = percent / 100;
    const count = (of: (email: string) => boolean) => emails.filter(of).length / emails.length;
    const within = (chance: number) => 4 * Math.sqrt((chance * (1 - chance)) / emails.length);
    const isFirst = (email: string) => isDrawn({ salt: first, percent }, email);
    const isBoth = (email: string) => isFirst(email) && isDrawn({ salt: second, percent }, email);
    expect(Math.abs(count(isFirst) - share)).toBeLessThan(within(share));
    expect(Math.abs(count(isBoth) - share * share)).toBeLessThan(within(share * share));
  });
});

describe('the evidence', () => {
  test('is bet from earlier customers alone: whatever the next one does, the capital is worth no more on average', () => {
    fc.assert(
      fc.property(units, terms, fc.double({ min: 0, max: 1, noNaN: true }), (before, of, live) => {
        const state = before.reduce((sums, each) => takeUnit(of, sums, each), NO_UNITS);
        // The draft is worse by exactly the tolerated loss, where there is room for it.
        const rates = { live, draft: live - of.toleratedLoss };
        fc.pre(rates.draft >= 0);
        const mean = (side: 'promote' | 'rollBack') =>
          (['draft', 'live'] as const)
            .flatMap((arm) => [true, false].map((paid) => ({ arm, paid })))
            .reduce((sum, next) => {
              const chance =
                (next.arm === 'draft' ? of.share : 1 - of.share) * (next.paid ? rates[next.arm] : 1 - rates[next.arm]);
              return sum + chance * Math.exp(takeUnit(of, state, next)[side] - state[side]);
            }, 0);
        expect(mean('promote')).toBeCloseTo(1, 9);
        expect(mean('rollBack')).toBeCloseTo(1, 9);
      }),
    );
  });

  test('never falls by more than half for one customer', () => {
    fc.assert(
      fc.property(units, unit, terms, (before, next, of) => {
        const state = before.reduce((sums, each) => takeUnit(of, sums, each), NO_UNITS);
        const after = takeUnit(of, state, next);
        for (const side of ['promote', 'rollBack'] as const) {
          expect(after[side] - state[side]).toBeGreaterThanOrEqual(Math.log(0.5) - 1e-9);
        }
      }),
    );
  });

  test('counts every customer in one arm, and goes through JSON unchanged', () => {
    fc.assert(
      fc.property(units, terms, (all, of) => {
        const state = all.reduce((sums, each) => takeUnit(of, sums, each), NO_UNITS);
        expect(unitsOf(state)).toBe(all.length);
        expect(state.draft.paid + state.live.paid).toBe(all.filter(({ paid }) => paid).length);
        expect(JSON.parse(JSON.stringify(state))).toEqual(state);
      }),
    );
  });

  test('decides at 1/0.05 for promotion and at 1/0.01 for rolling back, which comes first', () => {
    const having = (promote: number, rollBack: number) =>
      verdictOf({ ...NO_UNITS, promote: Math.log(promote), rollBack: Math.log(rollBack) });
    expect([having(20.1, 1), having(19.9, 1), having(1, 100.1), having(1, 99.9), having(20.1, 100.1)]).toEqual([
      'promote',
      null,
      'roll_back',
      null,
      'roll_back',
    ]);
  });
});

/** Terms of a canary that was begun with 5 % of customers and has 25 % after the first 400. */
const WIDENED = (place: number) => ({ share: place < 400 ? 0.05 : 0.25, toleratedLoss: LOSS });

// Hundreds of canaries, each looked at after every customer; thousands of longer ones are in canary.long.test.ts.
const FEW = { canaries: 300, customers: 1_500, seed: 7 };

describe('few canaries', () => {
  test.each(Object.keys(AT_THE_BOUNDARY))('with rates that are %s keep both error rates', (setting) => {
    const rates = AT_THE_BOUNDARY[setting];
    if (rates === undefined) throw new Error('there is no such setting');
    const { promoted, rolledBack } = countEndings(TERMS, rates, FEW);
    expect(promoted).toBeLessThanOrEqual(withNoise(FALSE_PROMOTION_MAX, FEW.canaries));
    expect(rolledBack).toBeLessThanOrEqual(withNoise(FALSE_ROLLBACK_MAX, FEW.canaries));
  });

  test.each(Object.keys(AT_THE_BOUNDARY))('whose share grows, with rates that are %s, keep both error rates', (setting) => {
    const rates = AT_THE_BOUNDARY[setting];
    if (rates === undefined) throw new Error('there is no such setting');
    const { promoted, rolledBack } = countEndings(WIDENED, rates, FEW);
    expect(promoted).toBeLessThanOrEqual(withNoise(FALSE_PROMOTION_MAX, FEW.canaries));
    expect(rolledBack).toBeLessThanOrEqual(withNoise(FALSE_ROLLBACK_MAX, FEW.canaries));
  });

  test('with an outage in one arm keep the error rate that it could break', () => {
    expect(countEndings(TERMS, ALWAYS_WORSE, FEW).promoted).toBeLessThanOrEqual(withNoise(FALSE_PROMOTION_MAX, FEW.canaries));
    expect(countEndings(TERMS, NEVER_WORSE, FEW).rolledBack).toBeLessThanOrEqual(withNoise(FALSE_ROLLBACK_MAX, FEW.canaries));
  });

  test('of a draft that is much worse are rolled back, and of one that is much better promoted', () => {
    const bad = countEndings(TERMS, () => ({ draft: 0.65, live: 0.85 }), FEW);
    const good = countEndings(TERMS, () => ({ draft: 0.95, live: 0.8 }), FEW);
    expect(bad.rolledBack).toBeGreaterThan(0.95);
    expect(good.promoted).toBeGreaterThan(0.95);
  });
});

describe('the interval of the difference', () => {
  const CANARIES = 300;
  const few = { canaries: CANARIES, every: 20 };

  test.each([
    ['', () => TERMS, 11],
    [', as rarely while the share grows from 5 to 25 %', WIDENED, 13],
  ] as const)('leaves out the true difference at any of its looks in at most five of a hundred canaries%s', (_, terms, seed) => {
    expect(countMissed(terms, { ...few, seed }) / CANARIES).toBeLessThanOrEqual(withNoise(INTERVAL_ERROR_MAX, CANARIES));
  });

  test('reaches as far as the smallest share of its customers asks for', () => {
    const all = [0.05, 0.25].map((share) => ({ share, toleratedLoss: LOSS }));
    const state = all.reduce((sums, of) => takeUnit(of, sums, { arm: 'live', paid: true }), NO_UNITS);
    expect(state.reach).toBeCloseTo(20, 9);
  });

  test('gets narrower with more customers: under 5 points either way after 4,000 at 30 %', () => {
    const { state } = runCanary({ share: 0.3, toleratedLoss: 1 }, () => ({ draft: 0.85, live: 0.85 }), {
      customers: 0,
      random: drawsFrom(1),
    });
    expect(differenceOf(state)).toBeNull();
    const random = drawsFrom(5);
    let sums = NO_UNITS;
    const widths: number[] = [];
    for (let place = 1; place <= 4_000; place += 1) {
      sums = takeUnit(TERMS, sums, { arm: random() < 0.3 ? 'draft' : 'live', paid: random() < 0.85 });
      const difference = differenceOf(sums);
      if (place % 1_000 === 0 && difference !== null) widths.push((difference.to - difference.from) / 2);
    }
    expect(widths).toEqual(widths.toSorted((left, right) => right - left));
    expect(widths.at(-1)).toBeLessThan(0.05);
  });
});
