import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isInCell } from '../keys/key-cells.ts';
import { MAX_AMOUNT } from '../money.ts';
import { KEYS, keyedPaymentArbitrary, keyedRuleSets, matchesNaively } from '../testing/keyed-arbitraries.ts';
import { aPayment } from '../testing/samples.ts';
import type { RoutablePayment, RuleSet } from '../types.ts';
import { analyse } from './analyse.ts';
import { computeCoverage, exampleIn } from './coverage.ts';
import type { Gap } from './finding.ts';
import { countDecided, countOverlaps, findTakeovers, findUnmet } from './takeovers.ts';

/** At night 5,000 rule sets with 20 payments each. */
const RUNS = { numRuns: 250 * Number(process.env.PROPERTY_TIMES ?? 1) };
const ruleSets = keyedRuleSets(6);
const payments = fc.array(
  keyedPaymentArbitrary.map((payment) => ({ ...payment, method: payment.method ?? ('CARD' as const) })),
  { minLength: 20, maxLength: 20 },
);

const winnerOf = ({ rules }: RuleSet, payment: RoutablePayment) => rules.findIndex((rule) => matchesNaively(rule, payment, KEYS));
const matching = ({ rules }: RuleSet, payment: RoutablePayment) =>
  rules.flatMap((rule, position) => (matchesNaively(rule, payment, KEYS) ? [position] : []));

/** True if some rule is about payments of the currency and method: the others are laid out by accounts alone. */
const isConcerned = ({ rules }: RuleSet, { currency, method }: RoutablePayment) =>
  rules.some(({ enabled, when }) => enabled && when.currency === currency && method !== null && when.methods.includes(method));

describe('payments laid out by rules that compare keys', () => {
  it('are each in one span, decided as a naive reading of the rules decides', () => {
    fc.assert(
      fc.property(ruleSets, payments, (ruleSet, sample) => {
        const planes = computeCoverage(ruleSet, []);
        for (const span of planes.flatMap(({ spans }) => spans)) {
          for (const amount of [span.from, span.to]) {
            expect(winnerOf(ruleSet, aPayment(exampleIn(span, amount)))).toBe(span.winner);
          }
        }
        const named = (payment: RoutablePayment) =>
          planes.some(
            ({ currency, method, countries }) =>
              currency === payment.currency && method === payment.method && countries.includes(payment.customerCountry ?? ''),
          );
        for (const payment of sample.filter((each) => isConcerned(ruleSet, each))) {
          const own = planes.filter(
            ({ currency, method, countries, cells }) =>
              currency === payment.currency &&
              method === payment.method &&
              (named(payment) ? countries.includes(payment.customerCountry ?? '') : countries.length === 0) &&
              cells.every((cell) => isInCell(cell, payment.keys)),
          );
          expect(own).toHaveLength(1);
          const spans = own.flatMap((plane) =>
            plane.spans.filter(({ from, to }) => from <= payment.amount && payment.amount <= to),
          );
          expect(spans.map(({ winner }) => winner)).toEqual([winnerOf(ruleSet, payment)]);
        }
      }),
      RUNS,
    );
  });

  it('show exactly the gaps, overlaps and rules that never decide', () => {
    fc.assert(
      fc.property(ruleSets, payments, (ruleSet, sample) => {
        const { findings } = analyse(ruleSet, []);
        const gaps = findings.flatMap(({ gap, example }) => (gap && example ? [{ gap, example }] : []));
        for (const { gap, example } of gaps) {
          expect(matching(ruleSet, aPayment(example))).toEqual([]);
          expect(isAround(ruleSet, gap, aPayment(example))).toBe(true);
        }
        const dead = findings.filter(({ kind }) => ['shadowed', 'unreachable', 'duplicate'].includes(kind));
        const never = new Set(dead.map(({ positions }) => positions.at(-1)));
        const overlaps = findings.filter(({ kind }) => kind === 'overlap');
        for (const { example, positions } of overlaps) {
          const own = example === null ? [] : matching(ruleSet, aPayment(example));
          expect(own[0]).toBe(positions[0]);
          expect(own).toContain(positions[1]);
        }
        for (const { example, positions } of dead) {
          if (example !== null) expect(matching(ruleSet, aPayment(example))).toContain(positions.at(-1));
        }
        for (const payment of sample.filter((each) => isConcerned(ruleSet, each))) {
          const [winner, ...losers] = matching(ruleSet, payment);
          const around = gaps.filter(({ gap }) => isAround(ruleSet, gap, payment));
          expect(around).toHaveLength(winner === undefined ? 1 : 0);
          if (winner === undefined) continue;
          expect(never).not.toContain(winner);
          for (const loser of losers) {
            const isKnown = overlaps.some(({ positions }) => positions[0] === winner && positions[1] === loser);
            expect(isKnown || never.has(loser)).toBe(true);
          }
        }
      }),
      RUNS,
    );
  });

  it('show exactly the rules of a draft that take payments over', () => {
    fc.assert(
      fc.property(ruleSets, ruleSets, payments, (live, draft, sample) => {
        const traffic = sample.map((payment) => ({ ...payment, payments: 1 }));
        const takeovers = findTakeovers(live, draft, traffic);
        const idOf = ({ rules }: RuleSet, payment: RoutablePayment) =>
          rules[winnerOf({ version: 1, rules, defaultOrder: [] }, payment)]?.ruleId;
        for (const { from, to, example } of takeovers) {
          expect(idOf(live, aPayment(example))).toBe(from?.ruleId);
          expect(idOf(draft, aPayment(example))).toBe(to?.ruleId);
        }
        const counted = new Map<string, number>();
        for (const payment of sample) {
          const [from, to] = [idOf(live, payment), idOf(draft, payment)];
          if (from !== to) counted.set(`${from}>${to}`, (counted.get(`${from}>${to}`) ?? 0) + 1);
        }
        const reported = takeovers.flatMap(({ from, to, payments: count }) =>
          count === 0 ? [] : [[`${from?.ruleId}>${to?.ruleId}`, count] as const],
        );
        expect(new Map(reported)).toEqual(counted);
      }),
      RUNS,
    );
  });

  it('are counted by rule, by overlap and by gap as a naive reading counts them', () => {
    fc.assert(
      fc.property(ruleSets, payments, (ruleSet, sample) => {
        const traffic = sample.map((payment) => ({ ...payment, payments: 1 }));
        const winners = Map.groupBy(sample, (payment) => ruleSet.rules[winnerOf(ruleSet, payment)]?.ruleId ?? null);
        expect(new Map(countDecided(ruleSet, traffic).map(({ ruleId, payments: count }) => [ruleId, count]))).toEqual(
          new Map(Array.from(winners, ([ruleId, own]) => [ruleId, own.length])),
        );
        const { findings } = analyse(ruleSet, []);
        for (const { winner, loser, payments: count } of countOverlaps(ruleSet, findings, traffic)) {
          const both = sample.filter((payment) => {
            const own = matching(ruleSet, payment);
            return own[0] === winner.position && own.includes(loser.position);
          });
          expect(count).toBe(both.length);
        }
        const unmet = new Set(findUnmet(ruleSet, findings, traffic));
        for (const finding of findings) {
          const { gap } = finding;
          if (gap === null) continue;
          const isMet = sample.some((payment) => winnerOf(ruleSet, payment) < 0 && isAround(ruleSet, gap, payment));
          expect(unmet.has(finding)).toBe(!isMet);
        }
      }),
      RUNS,
    );
  });
});

/** True if a payment is in a gap; countries that a rule of its currency and method names are not among the others. */
function isAround({ rules }: RuleSet, gap: Gap, payment: RoutablePayment): boolean {
  const isNamed = rules.some(
    ({ enabled, when }) =>
      enabled &&
      when.currency === payment.currency &&
      payment.method !== null &&
      when.methods.includes(payment.method) &&
      when.countries?.includes(payment.customerCountry ?? ''),
  );
  return (
    gap.currency === payment.currency &&
    gap.method === payment.method &&
    gap.from <= payment.amount &&
    payment.amount <= (gap.to ?? MAX_AMOUNT) &&
    (isNamed ? gap.countries.includes(payment.customerCountry ?? '') : gap.others) &&
    (gap.keys === null || gap.keys.some((cells) => cells.every((cell) => isInCell(cell, payment.keys ?? {}))))
  );
}
