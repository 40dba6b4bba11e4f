import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readMetadataValue, readPaymentKeys, usedKeys } from '../keys/payment-keys.ts';
import { weekTimeAt } from '../keys/week-time.ts';
import { explainDecision, matchesRule, recompute } from '../recompute/explain.ts';
import { readInputs } from '../recompute/stored-inputs.ts';
import { parseRuleSet } from '../rule-set/rule-set.ts';
import {
  KEYS,
  keyedPaymentArbitrary,
  keyedRuleSets,
  matchesNaively,
  readNaively,
  sentMetadataArbitrary,
} from '../testing/keyed-arbitraries.ts';
import { anAccount, DECIDED_AT } from '../testing/samples.ts';
import type { RoutablePayment } from '../types.ts';
import { compileRuleSet, findRule } from './compile.ts';
import { decide, keepInputs } from './decide.ts';

/** At night 5,000 rule sets with 20 payments each. */
const RUNS = { numRuns: 250 * Number(process.env.PROPERTY_TIMES ?? 1) };
const PAYMENTS = { minLength: 20, maxLength: 20 };

const accounts = ['paystack-a', 'paystack-b', 'flutterwave-a', 'monnify-a', 'squad-a'].map((accountId) =>
  anAccount(accountId, { currencies: ['NGN', 'USD'] }),
);
const calm = { accounts, health: [], overrides: [], decidedAt: DECIDED_AT };

describe('rules that compare keys', () => {
  it('decide as a naive reading of their conditions does, and say so condition by condition', () => {
    fc.assert(
      fc.property(keyedRuleSets(12), fc.array(keyedPaymentArbitrary, PAYMENTS), (ruleSet, payments) => {
        const compiled = compileRuleSet(ruleSet);
        for (const payment of payments) {
          const matching = ruleSet.rules.filter((rule) => matchesNaively(rule, payment, KEYS));
          expect(findRule(compiled, payment)?.ruleId).toBe(matching[0]?.ruleId);
          expect(ruleSet.rules.filter((rule) => matchesRule(rule, payment, KEYS))).toEqual(matching);
        }
      }),
      RUNS,
    );
  });

  it('decide the same where there are many of them', () => {
    fc.assert(
      fc.property(keyedRuleSets(60), fc.array(keyedPaymentArbitrary, PAYMENTS), (ruleSet, payments) => {
        const compiled = compileRuleSet(ruleSet);
        for (const payment of payments) {
          const first = ruleSet.rules.find((rule) => matchesNaively(rule, payment, KEYS));
          expect(findRule(compiled, payment)?.ruleId).toBe(first?.ruleId);
        }
      }),
      { numRuns: RUNS.numRuns / 5 },
    );
  });

  it('are read back from a document as they were written', () => {
    fc.assert(
      fc.property(keyedRuleSets(12), (ruleSet) => {
        const usable = {
          ...ruleSet,
          rules: ruleSet.rules.map((rule) => ({ ...rule, then: { strategy: 'priority' as const, accounts: ['a'] } })),
        };
        expect(parseRuleSet(JSON.parse(JSON.stringify(usable)))).toEqual({
          ok: true,
          ruleSet: JSON.parse(JSON.stringify(usable)),
        });
      }),
      { numRuns: RUNS.numRuns / 5 },
    );
  });

  it('are recomputed from what the payment keeps, whatever its row holds by then', () => {
    fc.assert(
      fc.property(keyedRuleSets(12), keyedPaymentArbitrary, (ruleSet, payment) => {
        const decision = decide({ ...calm, payment, ruleSet: compileRuleSet(ruleSet) });
        const kept: unknown = JSON.parse(JSON.stringify(keepInputs(decision.inputs, 'accounts-1')));
        const { keys: _, ...row } = payment;
        const inputs = readInputs(kept, row, accounts);
        if (inputs === null) throw new Error('the inputs cannot be read');
        expect(recompute({ inputs, ruleSet: JSON.parse(JSON.stringify(ruleSet)) })).toEqual(JSON.parse(JSON.stringify(decision)));
        const { rules } = explainDecision({ inputs, ruleSet });
        expect(rules.filter(({ verdict }) => verdict === 'wins').map(({ ruleId }) => ruleId)).toEqual(
          decision.ruleId === null ? [] : [decision.ruleId],
        );
      }),
      RUNS,
    );
  });
});

describe("a payment's values of keys", () => {
  const sources = fc.record({
    metadata: sentMetadataArbitrary,
    at: fc.date({ min: new Date('2025-01-01'), max: new Date('2027-01-01'), noInvalidDate: true }),
    timeZone: fc.constantFrom('Africa/Lagos', 'Europe/Berlin', 'Asia/Kolkata', 'UTC'),
    customer: fc.constantFrom(null, 'new' as const, 'returning' as const),
  });

  it('are those that a naive reading of the metadata finds', () => {
    fc.assert(
      fc.property(sentMetadataArbitrary, (metadata) => {
        for (const key of KEYS) expect(readMetadataValue(key, metadata)).toBe(readNaively(key, metadata));
      }),
      { numRuns: RUNS.numRuns * 4 },
    );
  });

  it('are of the keys that the rules compare alone, which decide as all of them do', () => {
    fc.assert(
      fc.property(keyedRuleSets(6), keyedPaymentArbitrary, sources, (ruleSet, row, from) => {
        const compiled = compileRuleSet(ruleSet);
        const all = readPaymentKeys({ metadata: KEYS, time: true, customer: true }, from);
        const { keys: _, ...payment } = row;
        const used = usedKeys(ruleSet);
        expect(compiled.keys).toEqual(used);
        const own: RoutablePayment = used === null ? payment : { ...payment, keys: readPaymentKeys(used, from) };
        expect(findRule(compiled, own)?.ruleId).toBe(findRule(compiled, { ...payment, keys: all })?.ruleId);
        for (const name of Object.keys(own.keys?.metadata ?? {}))
          expect(JSON.stringify(ruleSet.rules)).toContain(`"key":"${name}"`);
      }),
      RUNS,
    );
  });

  it('are in the wall clock of the zone, through daylight saving', () => {
    expect(weekTimeAt(new Date('2026-11-27T23:30:00Z'), 'Africa/Lagos')).toBe('sat 00:30');
    expect(weekTimeAt(new Date('2026-03-29T00:59:00Z'), 'Europe/Berlin')).toBe('sun 01:59');
    expect(weekTimeAt(new Date('2026-03-29T01:00:00Z'), 'Europe/Berlin')).toBe('sun 03:00');
  });
});
