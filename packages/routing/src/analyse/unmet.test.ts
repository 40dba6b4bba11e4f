import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { matchesRule } from '../recompute/explain.ts';
import { paymentArbitrary, ruleSetArbitrary } from '../testing/arbitraries.ts';
import { aRule, aRuleSet, aTarget } from '../testing/samples.ts';
import { analyse } from './analyse.ts';
import type { Finding } from './finding.ts';
import { findUnmet, type PaymentCount } from './takeovers.ts';

const target = aTarget('paystack-main');
const RULES = aRuleSet([
  aRule('small', target, { amount: { from: 2, to: 5_000 } }),
  aRule('large', target, { amount: { from: 10_000, to: null } }),
]);
const traffic = (change: Partial<PaymentCount> = {}): PaymentCount => ({
  currency: 'NGN',
  method: 'CARD',
  customerCountry: null,
  amount: 2_500,
  ...change,
  payments: 1,
});
const { findings: FINDINGS } = analyse(RULES, []);
const gapsOf = (findings: readonly Finding[]) =>
  findings.flatMap(({ gap }) => (gap?.method === 'CARD' ? [`${gap.from}-${gap.to ?? ''}`] : []));

describe('gaps that no payment met', () => {
  it('are all of them without payments, and those that payments are in are not among them', () => {
    expect(gapsOf(FINDINGS)).toEqual(expect.arrayContaining(['5001-9999']));
    expect(gapsOf(findUnmet(RULES, FINDINGS, []))).toEqual(gapsOf(FINDINGS));
    const met = findUnmet(RULES, FINDINGS, [traffic({ amount: 9_999 })]);
    expect(gapsOf(met)).toEqual(gapsOf(FINDINGS).filter((gap) => gap !== '5001-9999'));
  });

  it('are the same with payments beside them, by another method, and in another currency', () => {
    const beside = [traffic({ amount: 5_000 }), traffic({ amount: 10_000 }), traffic({ amount: 6_000, currency: 'GHS' })];
    expect(gapsOf(findUnmet(RULES, FINDINGS, beside))).toEqual(gapsOf(FINDINGS));
    expect(gapsOf(findUnmet(RULES, FINDINGS, [traffic({ amount: 6_000, method: 'USSD' })]))).toEqual(gapsOf(FINDINGS));
  });

  it('of some countries are met by customers from those alone', () => {
    const rules = aRuleSet([
      aRule('ng', target, { countries: ['NG'] }),
      aRule('gh', target, { countries: ['GH'], amount: { from: 0, to: 10 } }),
    ]);
    const { findings } = analyse(rules, []);
    const isMet = (payment: PaymentCount) => gapsOf(findUnmet(rules, findings, [payment])).length < gapsOf(findings).length;
    expect(isMet(traffic({ customerCountry: 'NG' }))).toBe(false);
    expect(isMet(traffic({ customerCountry: 'GH' }))).toBe(true);
    expect(isMet(traffic({ customerCountry: 'GH', amount: 5 }))).toBe(false);
    expect(isMet(traffic({ customerCountry: 'KE' }))).toBe(true);
    expect(isMet(traffic({ customerCountry: null }))).toBe(true);
  });

  it('are never met by payments that rules match, and always by their own example, for any rules', () => {
    fc.assert(
      fc.property(ruleSetArbitrary, fc.array(paymentArbitrary, { maxLength: 20 }), (ruleSet, seen) => {
        const { findings } = analyse(ruleSet, []);
        const gaps = findings.filter(({ kind }) => kind === 'gap');
        const matched = seen
          .filter((payment) => ruleSet.rules.some((rule) => matchesRule(rule, payment)))
          .map((payment) => ({ ...payment, payments: 1 }));
        expect(findUnmet(ruleSet, gaps, matched)).toEqual(gaps);
        for (const gap of gaps) {
          if (gap.example === null) continue;
          expect(findUnmet(ruleSet, gaps, [{ ...gap.example, payments: 1 }])).not.toContain(gap);
        }
      }),
      { numRuns: 200 },
    );
  });
});

describe('limits that no payment is beyond', () => {
  const finding: Finding = Object({ kind: 'account_limit', gap: null });
  const unmet = (bound: 'min' | 'max', amount: number) =>
    findUnmet(RULES, [{ ...finding, limit: { accountId: 'a', bound, amount } }], [traffic()]).length === 1;

  it('are those that every payment keeps; the limit itself is kept', () => {
    expect([unmet('min', 2_500), unmet('min', 2_501), unmet('max', 2_500), unmet('max', 2_499)]).toEqual([
      true,
      false,
      true,
      false,
    ]);
  });
});

describe('payments that one account alone can take', () => {
  const finding: Finding = Object({ kind: 'no_second_choice', gap: null, limit: null, ruleIds: [] });
  const example = { currency: 'NGN', method: 'CARD', amount: 6_000, customerCountry: null } as const;
  const isUnmet = (of: Finding, payment: PaymentCount) => findUnmet(RULES, [of], [payment]).length === 1;

  it('of a rule are met where it decided any', () => {
    const ofSmall = { ...finding, ruleIds: ['small'] };
    expect(isUnmet(ofSmall, traffic({ amount: 2_500 }))).toBe(false);
    expect(isUnmet(ofSmall, traffic({ amount: 20_000 }))).toBe(true);
  });

  it('of no rule are met where any of the currency and method was without one', () => {
    const ofNone = { ...finding, example };
    expect(isUnmet(ofNone, traffic({ amount: 7_000 }))).toBe(false);
    expect(isUnmet(ofNone, traffic({ amount: 2_500 }))).toBe(true);
    expect(isUnmet(ofNone, traffic({ amount: 7_000, method: 'USSD' }))).toBe(true);
    expect(isUnmet(ofNone, traffic({ amount: 7_000, currency: 'GHS' }))).toBe(true);
  });
});

it('findings about rules and accounts as such are never left out for want of payments', () => {
  const split = { strategy: 'weighted', split: [{ account: 'a', percent: 50 }] } as const;
  const { findings } = analyse(aRuleSet([aRule('split', split)]), []);
  const others = findings.filter(({ kind }) => !['gap', 'account_limit', 'no_second_choice'].includes(kind));
  expect(others.length).toBeGreaterThan(0);
  expect(findUnmet(RULES, others, [])).toEqual([]);
});
