import type {
  AccountHealth,
  HealthState,
  IneligibleReason,
  PaymentMethod,
  RoutableAccount,
  RoutablePayment,
  RoutingOverride,
} from '../types.ts';

/** One account's eligibility for one payment. */
export interface Eligibility {
  readonly account: RoutableAccount;
  /** Null when the account may take the payment. */
  readonly ineligible: IneligibleReason | null;
  /** Its health for this method; null when unknown, which counts as healthy. */
  readonly health: AccountHealth | null;
  /** The state of that health, `healthy` when nothing is known. */
  readonly state: HealthState;
  /** False when its health moves it behind the healthy accounts. */
  readonly keepsRank: boolean;
  /** Operator overrides that concern the account and the payment's method. */
  readonly overrides: readonly RoutingOverride[];
  /** True when an operator forces the account and it is able to take the payment. */
  readonly forced: boolean;
}

/** One condition an account must meet to take a payment, independent of its health. */
export interface Capability {
  readonly reason: Exclude<IneligibleReason, 'disabled_by_operator'>;
  readonly condition: 'configured' | 'enabled' | 'currency' | 'method' | 'amount';
  holds(account: RoutableAccount, payment: Pick<RoutablePayment, 'currency' | 'amount' | 'method'>): boolean;
}

/** Everything an account must be, the most lasting first. Without a method, the method is not checked. */
export const CAPABILITIES: readonly Capability[] = [
  { reason: 'not_configured', condition: 'configured', holds: ({ configured }) => configured },
  { reason: 'disabled', condition: 'enabled', holds: ({ enabled }) => enabled },
  {
    reason: 'currency_not_supported',
    condition: 'currency',
    holds: ({ currencies }, { currency }) => currencies.includes(currency),
  },
  {
    reason: 'method_not_supported',
    condition: 'method',
    holds: ({ methods }, { method }) => method === null || methods.includes(method),
  },
  {
    reason: 'amount_out_of_range',
    condition: 'amount',
    holds: ({ minAmount, maxAmount }, { amount }) => minAmount <= amount && (maxAmount === null || amount <= maxAmount),
  },
];

const NONE: readonly RoutingOverride[] = [];

/**
 * Assesses one account. Of several ineligible reasons the most lasting one is returned, in the order of {@link CAPABILITIES}, then
 * `disabled_by_operator`. `drain` and `disable` take precedence over `force`. Health never makes an account ineligible: an unhealthy
 * account loses its rank, unless an operator forces it or this payment may be a probe payment. `overrides` must be active ones.
 */
export function assess(
  account: RoutableAccount,
  payment: RoutablePayment,
  health: readonly AccountHealth[],
  overrides: readonly RoutingOverride[],
): Eligibility {
  const own = overrides.length === 0 ? NONE : overrides.filter((override) => concerns(override, account, payment.method));
  const known = findHealth(health, account.accountId, payment.method);
  const state = known?.state ?? 'healthy';
  const lasting = findIneligibleReason(account, payment);
  const takenOut = own.some((override) => override.action !== 'force');
  const ineligible = lasting ?? (takenOut ? 'disabled_by_operator' : null);
  const forced = ineligible === null && own.length > 0;
  const keepsRank = forced || state === 'healthy' || isProbePayment(known);
  return { account, ineligible, health: known, state, keepsRank, overrides: own, forced };
}

/**
 * The overrides that have begun and have not ended at `decidedAt`. One applies from its start, inclusive, to its end, exclusive; one
 * whose start cannot be read has begun, and one whose end cannot be read never ends by itself.
 */
export function activeOverrides(overrides: readonly RoutingOverride[], decidedAt: string): readonly RoutingOverride[] {
  if (overrides.length === 0) return NONE;
  const now = Date.parse(decidedAt);
  return overrides.filter(
    ({ startsAt, expiresAt }) =>
      (startsAt === undefined || !(Date.parse(startsAt) > now)) && (expiresAt === null || !(Date.parse(expiresAt) <= now)),
  );
}

/** True if the payment may prove that a recovering account works. */
function isProbePayment(health: AccountHealth | null): boolean {
  return health?.state === 'probing' && health.probeSlot === true;
}

/** Why the account cannot take the payment, the most lasting reason; null when it can, as far as the account itself goes. */
export function findIneligibleReason(
  account: RoutableAccount,
  payment: Pick<RoutablePayment, 'currency' | 'amount' | 'method'>,
): Capability['reason'] | null {
  for (const capability of CAPABILITIES) if (!capability.holds(account, payment)) return capability.reason;
  return null;
}

/** Health of the account for the method; its health for all methods where the method has none of its own. */
function findHealth(health: readonly AccountHealth[], accountId: string, method: PaymentMethod | null): AccountHealth | null {
  let general: AccountHealth | null = null;
  for (const entry of health) {
    if (entry.accountId !== accountId) continue;
    if (entry.method === method) return entry;
    if (entry.method === null) general = entry;
  }
  return general;
}

/** An override of one method does not apply to a payment without a method: the customer may choose another. */
function concerns(override: RoutingOverride, account: RoutableAccount, method: PaymentMethod | null): boolean {
  return override.accountId === account.accountId && (override.method === null || override.method === method);
}
