import { compileRuleSet } from './compile.ts';
import { type DecideInput, decide } from './decide.ts';
import { activeOverrides, assess, type Standing } from './eligibility.ts';
import { explainDecision, type RuleVerdict } from './explain.ts';
import { feeInHundredths } from './fee.ts';
import { asSentence, describeObstacle } from './sentence.ts';
import type { Decision, IneligibleReason, RoutablePayment, RuleSet } from './types.ts';

/** One thing an account must be for a payment; the condition's word is the reason it would be ineligible for. */
export interface AccountCheck {
  readonly check: IneligibleReason;
  readonly holds: boolean;
  /** What stands in the way, or an empty text. */
  readonly message: string;
}

export interface AccountVerdict {
  readonly accountId: string;
  readonly label: string;
  readonly gateway: string;
  readonly checks: readonly AccountCheck[];
  /** Place in the plan, from 0; null when the account would not be tried. */
  readonly place: number | null;
  /** What the payment would cost there, in hundredths of the main unit; null without a fee schedule. */
  readonly feeInHundredths: number | null;
}

export interface Evaluation {
  readonly decision: Decision;
  /** Every rule with every condition. */
  readonly rules: readonly RuleVerdict[];
  /** Every account with every check, in the order given. */
  readonly accounts: readonly AccountVerdict[];
}

/** Sends one imagined payment through a rule set, published or not, and shows all that it met. For people: it visits every rule. */
export function evaluate(input: Omit<DecideInput, 'ruleSet'> & { readonly ruleSet: RuleSet }): Evaluation {
  const { ruleSet, accounts, payment } = input;
  const decision = decide({ ...input, ruleSet: compileRuleSet(ruleSet) });
  const { rules } = explainDecision({ inputs: decision.inputs, ruleSet });
  const overrides = activeOverrides(input.overrides, input.decidedAt);
  const places = new Map(decision.plan.map((attempt, place) => [attempt.accountId, place]));
  const verdicts = accounts.map((account) => ({
    accountId: account.accountId,
    label: account.label,
    gateway: account.gateway,
    checks: checksOf(assess(account, payment, input.health, overrides), payment),
    place: places.get(account.accountId) ?? null,
    feeInHundredths: account.fees === null ? null : feeInHundredths(account.fees, payment.amount),
  }));
  return { decision, rules, accounts: verdicts };
}

function checksOf(standing: Standing, payment: RoutablePayment): AccountCheck[] {
  const { account, health } = standing;
  const takenOut = standing.overrides.find((override) => override.action !== 'force');
  const check = (word: IneligibleReason, holds: boolean, message = describeObstacle(word, account, payment)) => ({
    check: word,
    holds,
    message: holds ? '' : asSentence(`${account.label} ${message}`),
  });
  const inRange = account.minAmount <= payment.amount && payment.amount <= (account.maxAmount ?? Number.POSITIVE_INFINITY);
  return [
    check('not_configured', account.configured),
    check('disabled', account.enabled),
    check('currency_not_supported', account.currencies.includes(payment.currency)),
    check('method_not_supported', payment.method === null || account.methods.includes(payment.method)),
    check('amount_out_of_range', inRange),
    check('disabled_by_operator', !takenOut, `is taken out by ${takenOut?.actor}: ${takenOut?.reason}`),
    check('unhealthy', standing.state !== 'down' && standing.ineligible !== 'unhealthy', `is ${standing.state}: ${health?.why}`),
  ];
}
