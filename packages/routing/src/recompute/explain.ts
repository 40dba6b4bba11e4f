import { describeAmounts } from '../amount-band.ts';
import { type Clock, UTC_CLOCK } from '../clock.ts';
import { type CompiledRuleSet, compileRuleSet } from '../decide/compile.ts';
import { decide } from '../decide/decide.ts';
import { activeOverrides, assess, CAPABILITIES, type Capability, type Eligibility } from '../decide/eligibility.ts';
import { describeHealthReason, methodWord } from '../health-text.ts';
import { describeHours, describeMetadataCondition, describeWeekdays } from '../keys/key-text.ts';
import { compileMetadataCondition, isWithin, type KeysByName, keysByName } from '../keys/match-keys.ts';
import { keyValue } from '../keys/payment-keys.ts';
import { minuteOfWeek, minutesOf } from '../keys/week-time.ts';
import { formatBound, formatMoney, groupDigits } from '../money.ts';
import type {
  Decision,
  DecisionInputs,
  HealthState,
  MetadataCondition,
  MetadataValue,
  PaymentKeys,
  RoutableAccount,
  RoutablePayment,
  Rule,
  RuleSet,
} from '../types.ts';

/** A condition of a rule's `when`, or whether the rule is enabled. */
export type RuleCondition =
  | 'enabled'
  | 'currency'
  | 'method'
  | 'amount'
  | 'country'
  | 'customer'
  | 'weekday'
  | 'hours'
  | 'metadata';

/** One condition of a rule, held against a payment. */
export interface ConditionVerdict {
  readonly condition: RuleCondition;
  readonly holds: boolean;
  /** The rule's side and the payment's: `NGN 0 to NGN 5,000, and the payment is NGN 7,500.00`. */
  readonly message: string;
}

/** Result of matching a rule with a payment, condition by condition. */
export interface RuleVerdict {
  /** Place in the rule set, from 0. */
  readonly position: number;
  readonly ruleId: string;
  readonly name: string;
  /** `wins`: the first that matches. `shadowed`: matches too, but an earlier rule wins. `bypassed`: matches, but a gateway was requested or the customer is held out. */
  readonly verdict: 'wins' | 'shadowed' | 'bypassed' | 'fails';
  readonly conditions: readonly ConditionVerdict[];
}

/** Every condition of a rule against a payment: those on keys only where the rule has them. */
export function checkRule(rule: Rule, payment: RoutablePayment, declared: KeysByName): readonly ConditionVerdict[] {
  const { when } = rule;
  const top = when.amount.to ?? Number.POSITIVE_INFINITY;
  const verdict = (condition: RuleCondition, holds: boolean, message: string) => ({ condition, holds, message });
  return [
    verdict('enabled', rule.enabled, rule.enabled ? 'The rule is enabled' : 'The rule is disabled'),
    verdict('currency', when.currency === payment.currency, `${when.currency}, and the payment is in ${payment.currency}`),
    verdict(
      'method',
      payment.method !== null && when.methods.includes(payment.method),
      `By ${when.methods.map(methodWord).join(', ')}, and the payment ${payment.method === null ? 'names no method' : `is by ${methodWord(payment.method)}`}`,
    ),
    verdict(
      'amount',
      when.amount.from <= payment.amount && payment.amount <= top,
      `${describeAmounts(when.currency, when.amount)}, and the payment is ${formatMoney(payment.currency, payment.amount)}`,
    ),
    verdict(
      'country',
      !when.countries || (payment.customerCountry !== null && when.countries.includes(payment.customerCountry)),
      `${when.countries?.join(', ') ?? 'Any country'}, and the customer's is ${payment.customerCountry ?? 'not known'}`,
    ),
    ...checkKeys(rule, payment.keys ?? {}, declared),
  ];
}

function checkKeys({ when }: Rule, keys: PaymentKeys, declared: KeysByName): ConditionVerdict[] {
  const { customer, weekdays, hours, metadata = [] } = when;
  const minute = minuteOfWeek(keys.time);
  const now = keys.time === undefined ? 'the time is not known' : `it is ${keys.time}`;
  return [
    ...(customer === undefined
      ? []
      : [
          {
            condition: 'customer' as const,
            holds: keys.customer === customer,
            message: `${customer} customers, and this one is ${keys.customer ?? 'not known'}`,
          },
        ]),
    ...(weekdays === undefined
      ? []
      : [
          {
            condition: 'weekday' as const,
            holds: isWithin(minutesOf({ weekdays }), minute),
            message: `${describeWeekdays(weekdays)}, and ${now}`,
          },
        ]),
    ...(hours === undefined
      ? []
      : [
          {
            condition: 'hours' as const,
            holds: isWithin(minutesOf({ hours }), minute),
            message: `${describeHours(hours)}, and ${now}`,
          },
        ]),
    ...metadata.map((condition) => checkMetadata(condition, keyValue(keys, condition.key), declared)),
  ];
}

function checkMetadata(condition: MetadataCondition, value: MetadataValue | undefined, declared: KeysByName): ConditionVerdict {
  const holds = compileMetadataCondition(condition, declared.get(condition.key))(value);
  const actual = value === undefined ? 'it is absent' : `it is ${typeof value === 'number' ? groupDigits(value) : String(value)}`;
  const message = `${describeMetadataCondition(condition, declared)}, and ${actual}`;
  return { condition: 'metadata', holds, message };
}

/** True if every condition of the rule holds for the payment; the compiled lookup must give the same result. */
export function matchesRule(rule: Rule, payment: RoutablePayment, keys?: RuleSet['keys']): boolean {
  return checkRule(rule, payment, keysByName(keys)).every((verdict) => verdict.holds);
}

/** Decides again, and lists for each rule in order which of its conditions held. Linear in the number of rules: not for traffic. */
export function explainDecision(
  stored: { readonly inputs: DecisionInputs; readonly ruleSet: RuleSet },
  clock: Clock = UTC_CLOCK,
): {
  readonly decision: Decision;
  readonly rules: readonly RuleVerdict[];
} {
  const decision = recompute(stored, clock);
  const declared = keysByName(stored.ruleSet.keys);
  const rules = stored.ruleSet.rules.map((rule, position): RuleVerdict => {
    const conditions = checkRule(rule, stored.inputs.payment, declared);
    const verdict = verdictOf(rule, conditions, decision);
    return { position, ruleId: rule.ruleId, name: rule.name, verdict, conditions };
  });
  return { decision, rules };
}

function verdictOf(rule: Rule, conditions: readonly ConditionVerdict[], decision: Decision): RuleVerdict['verdict'] {
  if (conditions.some((condition) => !condition.holds)) return 'fails';
  if (decision.smartRoutingBypassed || decision.inputs.assignment?.holdout?.heldOut === true) return 'bypassed';
  return rule.ruleId === decision.ruleId ? 'wins' : 'shadowed';
}

/** How a decision taken again differs from the one that was stored. */
export interface DecisionComparison {
  /** True when the same accounts would be tried in the same order. */
  readonly same: boolean;
  readonly recommendedBefore: string | null;
  readonly recommendedNow: string | null;
  /** Changes, a sentence each; empty for none. */
  readonly differences: readonly string[];
}

/** Compares two decisions for one payment: "would it route the same now?" */
export function compareDecisions(before: Decision, now: Decision): DecisionComparison {
  const differences: string[] = [];
  const order = (decision: Decision) =>
    decision.plan.map((attempt) => labelIn(decision, attempt.accountId)).join(', ') || 'no account';
  const same =
    before.plan.map((attempt) => attempt.accountId).join('\n') === now.plan.map((attempt) => attempt.accountId).join('\n');
  if (!same) differences.push(`The order was ${order(before)} and is now ${order(now)}.`);
  if (before.ruleId !== now.ruleId) {
    const rule = (decision: Decision) => (decision.ruleId === null ? 'no rule' : `rule ${decision.ruleId}`);
    differences.push(`It followed ${rule(before)} and now follows ${rule(now)}.`);
  }
  const earlier = new Map(before.record.candidates.map((candidate) => [candidate.subproviderId, candidate.ineligibleReason]));
  for (const { subproviderId, ineligibleReason } of now.record.candidates) {
    const was = earlier.get(subproviderId);
    const label = labelIn(now, subproviderId);
    if (was === undefined) differences.push(`${label} is new.`);
    else if (was !== ineligibleReason) {
      differences.push(`${label} was ${was ?? 'eligible'} and is now ${ineligibleReason ?? 'eligible'}.`);
    } else if (stateIn(before, subproviderId) !== stateIn(now, subproviderId)) {
      differences.push(`${label} was ${stateIn(before, subproviderId)} and is now ${stateIn(now, subproviderId)}.`);
    }
    earlier.delete(subproviderId);
  }
  for (const accountId of earlier.keys()) differences.push(`${labelIn(before, accountId)} is gone.`);
  return {
    same,
    recommendedBefore: before.plan[0]?.accountId ?? null,
    recommendedNow: now.plan[0]?.accountId ?? null,
    differences,
  };
}

/** A decision's inputs hold one health of each account at most. */
function stateIn({ inputs }: Decision, accountId: string): HealthState {
  return inputs.health.find((health) => health.accountId === accountId)?.state ?? 'healthy';
}

function labelIn(decision: Decision, accountId: string): string {
  return decision.inputs.accounts.find((account) => account.accountId === accountId)?.label ?? accountId;
}

/**
 * Recomputes a stored decision from its inputs and its rule-set version: the result equals what was stored. With another clock the times in
 * its sentences are those of a reader's zone, and nothing else differs.
 */
export function recompute(
  { inputs, ruleSet }: { readonly inputs: DecisionInputs; readonly ruleSet: RuleSet | CompiledRuleSet },
  clock: Clock = UTC_CLOCK,
): Decision {
  const compiled = 'byCurrency' in ruleSet ? ruleSet : compileRuleSet(ruleSet);
  return decide({ ...inputs, ruleSet: compiled }, clock);
}

/** The conditions an account is checked against, in the order of the checks. */
const ELIGIBILITY_CONDITIONS = ['configured', 'enabled', 'currency', 'method', 'amount', 'operator', 'health'] as const;

/** A condition that an account must meet to take a payment. */
type EligibilityCondition = (typeof ELIGIBILITY_CONDITIONS)[number];

/** One condition of an account, held against a payment. */
export interface EligibilityVerdict {
  readonly condition: EligibilityCondition;
  /** `attention`: the account can take the payment, but is forced by an operator or not healthy, which moves it. */
  readonly outcome: 'holds' | 'attention' | 'fails';
  /** The comparison, in a few words. */
  readonly detail: string;
}

/** Every condition of one account of a decision, as the decision judged it, with times as `clock` writes them. */
export function explainEligibility(
  account: RoutableAccount,
  inputs: DecisionInputs,
  clock: Clock = UTC_CLOCK,
): readonly EligibilityVerdict[] {
  const { payment } = inputs;
  const overrides = activeOverrides(inputs.overrides, inputs.decidedAt);
  const eligibility = assess(account, payment, inputs.health, overrides);
  return [
    ...CAPABILITIES.map(({ condition, holds }): EligibilityVerdict => {
      const outcome = holds(account, payment) ? 'holds' : 'fails';
      return { condition, outcome, detail: describeCapability(condition, account, payment) };
    }),
    explainOverrides(eligibility),
    explainHealth(eligibility, clock),
  ];
}

function describeCapability(condition: Capability['condition'], account: RoutableAccount, payment: RoutablePayment): string {
  switch (condition) {
    case 'configured':
      return describeConfiguration(account);
    case 'enabled':
      return account.enabled ? 'Enabled' : 'Disabled';
    case 'currency':
      return `Takes ${account.currencies.join(', ')}`;
    case 'method':
      return payment.method === null ? 'No method given' : `Takes ${account.methods.join(', ')}`;
    case 'amount': {
      const from = formatBound(payment.currency, account.minAmount);
      return account.maxAmount === null ? `From ${from}` : `${from} to ${formatBound(payment.currency, account.maxAmount)}`;
    }
    default:
      return condition satisfies never;
  }
}

function describeConfiguration({ configured, configurationFault: fault }: RoutableAccount): string {
  if (fault !== undefined) return `The gateway refused its ${fault.kind}`;
  return configured ? 'Credentials present' : 'No usable credentials';
}

function explainOverrides({ overrides }: Eligibility): EligibilityVerdict {
  const first = overrides.find(({ action }) => action !== 'force') ?? overrides[0];
  if (first === undefined) return { condition: 'operator', outcome: 'holds', detail: 'No override' };
  const outcome = first.action === 'force' ? 'attention' : 'fails';
  const all = first.gateway === undefined ? '' : ` of all accounts at ${first.gateway}`;
  return { condition: 'operator', outcome, detail: `${first.actor}: ${first.action}${all}, ${first.reason}` };
}

function explainHealth({ health, state }: Eligibility, clock: Clock): EligibilityVerdict {
  if (health === null) return { condition: 'health', outcome: 'holds', detail: 'Nothing against it' };
  const outcome = state === 'healthy' ? 'holds' : 'attention';
  return { condition: 'health', outcome, detail: health.why === null ? state : describeHealthReason(health.why, clock) };
}
