import { compileRuleSet } from '../decide/compile.ts';
import { type DecideInput, decide } from '../decide/decide.ts';
import type { FeeSchedule } from '../fee-types.ts';
import type {
  AccountHealth,
  Decision,
  HealthReason,
  HealthState,
  RoutableAccount,
  RoutablePayment,
  RoutingOverride,
  Rule,
  RuleSet,
  RuleTarget,
} from '../types.ts';

/** Example data for tests: each function fills in what the test does not care about. */
export const DECIDED_AT = '2026-11-20T14:05:00.000Z';

export function anAccount(accountId: string, change: Partial<RoutableAccount> = {}): RoutableAccount {
  return {
    accountId,
    gateway: accountId.split('-')[0] ?? accountId,
    label: accountId,
    enabled: true,
    configured: true,
    currencies: ['NGN'],
    methods: ['CARD', 'TRANSFER', 'USSD'],
    minAmount: 1,
    maxAmount: null,
    fees: null,
    ...change,
  };
}

export function aPayment(change: Partial<RoutablePayment> = {}): RoutablePayment {
  return {
    paymentId: '0193471e-8a3b-7c21-9f4e-2b6d5a7c9e10',
    currency: 'NGN',
    amount: 2_500,
    method: 'CARD',
    customerCountry: null,
    requestedGateway: null,
    ...change,
  };
}

export function aTarget(...accounts: string[]): RuleTarget {
  return { strategy: 'priority', accounts };
}

export function aRule(ruleId: string, target: RuleTarget, when: Partial<Rule['when']> = {}, change: Partial<Rule> = {}): Rule {
  return {
    ruleId,
    name: ruleId,
    enabled: true,
    when: { currency: 'NGN', methods: ['CARD'], amount: { from: 0, to: null }, ...when },
    then: target,
    ...change,
  };
}

export function aRuleSet(rules: readonly Rule[], defaultOrder: readonly string[] = [], version = 1): RuleSet {
  return { version, rules, defaultOrder };
}

const SINCE = '2026-11-20T14:02:00.000Z';

export function aHealth(accountId: string, state: HealthState, change: Partial<AccountHealth> = {}): AccountHealth {
  return {
    accountId,
    method: null,
    state,
    why: whyOf(state),
    since: SINCE,
    succeeded: 0,
    faulted: 0,
    paid: 0,
    unpaid: 0,
    ...change,
  };
}

function whyOf(state: HealthState): HealthReason {
  const subject = { gateway: 'Paystack', method: null, since: SINCE };
  switch (state) {
    case 'healthy':
      return { code: 'unused' };
    case 'probing':
      return { code: 'probing', ...subject, answered: 1, needed: 3 };
    case 'degraded':
    case 'down':
      return { code: 'slow', ...subject, state, again: false, latencyMs: 9_000, usualMs: null };
    default:
      return state satisfies never;
  }
}

export function anOverride(
  accountId: string,
  action: RoutingOverride['action'],
  change: Partial<RoutingOverride> = {},
): RoutingOverride {
  return {
    overrideId: `${accountId}:${action}`,
    accountId,
    method: null,
    action,
    reason: 'Settlement is late.',
    actor: 'ada@example.com',
    expiresAt: null,
    ...change,
  };
}

export function aFee(change: Partial<FeeSchedule> = {}): FeeSchedule {
  return { percentBasisPoints: 0, flat: 0, flatWaivedBelow: null, cap: null, vatBasisPoints: 0, ...change };
}

/** Distinct, repeatable ids of the form payments have. */
export function paymentIds(number: number): string[] {
  return Array.from({ length: number }, (_, index) => `0193471e-8a3b-7c21-9f4e-${index.toString(16).padStart(12, '0')}`);
}

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
