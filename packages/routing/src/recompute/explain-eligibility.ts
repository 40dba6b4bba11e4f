import { type Clock, UTC_CLOCK } from '../clock.ts';
import { activeOverrides, assess, CAPABILITIES, type Capability, type Eligibility } from '../decide/eligibility.ts';
import { describeHealthReason } from '../health-text.ts';
import { formatBound } from '../money.ts';
import type { DecisionInputs, RoutableAccount, RoutablePayment } from '../types.ts';

/** The conditions an account is checked against, in the order of the checks. */
export const ELIGIBILITY_CONDITIONS = ['configured', 'enabled', 'currency', 'method', 'amount', 'operator', 'health'] as const;

/** A condition that an account must meet to take a payment. */
export type EligibilityCondition = (typeof ELIGIBILITY_CONDITIONS)[number];

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
