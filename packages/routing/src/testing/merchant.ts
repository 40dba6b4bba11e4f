import { compileRuleSet } from '../decide/compile.ts';
import { type DecideInput, decide } from '../decide/decide.ts';
import type { Decision, RuleSet } from '../types.ts';
import { anAccount, aPayment, aRule, aRuleSet, aTarget, DECIDED_AT } from './samples.ts';

export const PAYSTACK = anAccount('paystack-main');
export const FLUTTERWAVE = anAccount('flutterwave-main');
export const MONNIFY = anAccount('monnify-main');
export const DEFAULT_ORDER = ['paystack-main', 'flutterwave-main', 'monnify-main'];
export const CARDS_TO_FLUTTERWAVE = aRuleSet(
  [aRule('Small cards', aTarget('flutterwave-main'), { amount: { from: 0, to: 5_000 } })],
  DEFAULT_ORDER,
);

/** A decision for a sample payment of a merchant with three accounts, where small cards go to Flutterwave. */
export function decided(change: Partial<Omit<DecideInput, 'ruleSet'>> & { readonly ruleSet?: RuleSet } = {}): Decision {
  const { ruleSet = CARDS_TO_FLUTTERWAVE, ...rest } = change;
  return decide({
    payment: aPayment(),
    accounts: [PAYSTACK, FLUTTERWAVE, MONNIFY],
    health: [],
    overrides: [],
    decidedAt: DECIDED_AT,
    ...rest,
    ruleSet: compileRuleSet(ruleSet),
  });
}

export const planOf = (decision: Decision) => decision.plan.map((attempt) => attempt.accountId);
export const codesOf = (decision: Decision) => decision.record.reasons.map((reason) => reason.code);
export const ineligibleReasonOf = (decision: Decision, accountId: string) =>
  decision.record.candidates.find((candidate) => candidate.subproviderId === accountId)?.ineligibleReason;
