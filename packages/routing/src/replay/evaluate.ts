import { type Clock, UTC_CLOCK } from '../clock.ts';
import { compileRuleSet } from '../decide/compile.ts';
import { type DecideInput, decide } from '../decide/decide.ts';
import { feeInHundredths } from '../fee.ts';
import { type EligibilityVerdict, explainDecision, explainEligibility, type RuleVerdict } from '../recompute/explain.ts';
import type { Decision, DecisionInputs, RuleSet } from '../types.ts';

/** An account's eligibility for a payment, its rank and its fee. */
export interface AccountVerdict {
  readonly accountId: string;
  readonly label: string;
  readonly gateway: string;
  readonly conditions: readonly EligibilityVerdict[];
  /** Place in the plan, from 0; null when the account would not be tried. */
  readonly place: number | null;
  /** Cost of the payment there, in hundredths of the main unit; null without a fee schedule. */
  readonly feeInHundredths: number | null;
}

/** A decision with all that explains it. */
export interface Evaluation {
  readonly decision: Decision;
  /** Every rule with every condition. */
  readonly rules: readonly RuleVerdict[];
  /** Every account with every condition, in the order given. */
  readonly accounts: readonly AccountVerdict[];
}

/**
 * Routes a trial payment with a rule set, published or not, and explains every rule and account, with times as `clock` writes them.
 * Linear in the number of rules.
 */
export function evaluate(
  input: Omit<DecideInput, 'ruleSet'> & { readonly ruleSet: RuleSet },
  clock: Clock = UTC_CLOCK,
): Evaluation {
  const { inputs } = decide({ ...input, ruleSet: compileRuleSet(input.ruleSet) });
  return evaluateStored({ inputs, ruleSet: input.ruleSet }, clock);
}

/** Recomputes a stored decision, and explains every rule and account. */
export function evaluateStored(
  stored: { readonly inputs: DecisionInputs; readonly ruleSet: RuleSet },
  clock: Clock = UTC_CLOCK,
): Evaluation {
  const { inputs } = stored;
  const { decision, rules } = explainDecision(stored, clock);
  const places = new Map(decision.plan.map((attempt, place) => [attempt.accountId, place]));
  const accounts = inputs.accounts.map((account) => ({
    accountId: account.accountId,
    label: account.label,
    gateway: account.gateway,
    conditions: explainEligibility(account, inputs, clock),
    place: places.get(account.accountId) ?? null,
    feeInHundredths: account.fees === null ? null : feeInHundredths(account.fees, inputs.payment),
  }));
  return { decision, rules, accounts };
}
