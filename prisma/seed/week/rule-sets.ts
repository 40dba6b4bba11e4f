import type { Rule } from '@switchyard/routing';
import { demoRules } from '../demo-plan.ts';
import { DAY_MS } from './calendar.ts';

/** A version of a demo merchant's rules, and when it took effect. */
export interface RuleSetPast {
  readonly beforeEndMs: number;
  readonly reason: string;
  readonly document: { readonly rules: readonly Rule[]; readonly defaultOrder: readonly string[] };
}

/** The versions after the first: an experiment and its conclusions. The last one keeps all rules of the first. */
export function laterRuleSets(paystackId: string, flutterwaveId: string): readonly RuleSetPast[] {
  const { rules, defaultOrder } = demoRules(paystackId, flutterwaveId);
  const accounts = [paystackId, flutterwaveId];
  const split = [
    { account: paystackId, percent: 80 },
    { account: flutterwaveId, percent: 20 },
  ];
  const trial = rules.map(
    (rule): Rule => (rule.ruleId === 'card-small' ? { ...rule, then: { strategy: 'weighted', split } } : rule),
  );
  const cheapest = (ruleId: string, name: string, method: 'CARD' | 'USSD', from: number): Rule => ({
    ruleId,
    name,
    enabled: true,
    when: { currency: 'NGN', methods: [method], amount: { from, to: null } },
    then: { strategy: 'lowest_cost', accounts },
  });
  return [
    {
      beforeEndMs: 22 * DAY_MS,
      reason: 'Trial: a fifth of small cards at Flutterwave, to see how they convert.',
      document: { rules: trial, defaultOrder },
    },
    {
      beforeEndMs: 9 * DAY_MS,
      reason: 'Trial ended: small cards convert better at Paystack. Large cards and USSD go to the cheaper gateway.',
      document: {
        rules: [...rules, cheapest('card-large', 'Cards over 50,000', 'CARD', 50_001), cheapest('ussd', 'USSD', 'USSD', 0)],
        defaultOrder,
      },
    },
  ];
}
