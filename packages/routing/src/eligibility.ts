import { fallsWithin } from './split.ts';
import type {
  AccountHealth,
  HealthState,
  IneligibleReason,
  PaymentMethod,
  RoutableAccount,
  RoutablePayment,
  RoutingOverride,
} from './types.ts';

/** How one account stands towards one payment. */
export interface Standing {
  readonly account: RoutableAccount;
  /** Null when the account may take the payment. */
  readonly ineligible: IneligibleReason | null;
  /** What is known of its health for this method; null means nothing is, which counts as healthy. */
  readonly health: AccountHealth | null;
  /** The state of that health, `healthy` when nothing is known. */
  readonly state: HealthState;
  /** Operator overrides that concern the account and the payment's method. */
  readonly overrides: readonly RoutingOverride[];
  /** True when an operator forces the account and it is able to take the payment. */
  readonly forced: boolean;
}

const NONE: readonly RoutingOverride[] = [];

/**
 * Judges one account. When several things stand in the way, the most lasting one is named: `not_configured`, `disabled`,
 * `currency_not_supported`, `method_not_supported`, `amount_out_of_range`, then `disabled_by_operator`, then `unhealthy`.
 * Taking out (drain, disable) beats force; force beats health and nothing else. Without a method, the method is not checked.
 * `overrides` must be active ones.
 */
export function assess(
  account: RoutableAccount,
  payment: RoutablePayment,
  health: readonly AccountHealth[],
  overrides: readonly RoutingOverride[],
): Standing {
  const own = overrides.length === 0 ? NONE : overrides.filter((override) => concerns(override, account, payment.method));
  const known = findHealth(health, account.accountId, payment.method);
  const state = known?.state ?? 'healthy';
  const lasting = incapacity(account, payment);
  const takenOut = own.some((override) => override.action !== 'force');
  const forced = lasting === null && !takenOut && own.length > 0;
  const ineligible = lasting ?? (takenOut ? 'disabled_by_operator' : forced ? null : illness(account, payment, known));
  return { account, ineligible, health: known, state, overrides: own, forced };
}

/** The overrides that have not ended at `decidedAt`. One whose end cannot be read never ends by itself. */
export function activeOverrides(overrides: readonly RoutingOverride[], decidedAt: string): readonly RoutingOverride[] {
  if (overrides.length === 0) return NONE;
  const now = Date.parse(decidedAt);
  return overrides.filter(({ expiresAt }) => expiresAt === null || !(Date.parse(expiresAt) <= now));
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

/** An override of one method is no word about a payment that names none: the customer may choose another. */
function concerns(override: RoutingOverride, account: RoutableAccount, method: PaymentMethod | null): boolean {
  return override.accountId === account.accountId && (override.method === null || override.method === method);
}

function incapacity(account: RoutableAccount, payment: RoutablePayment): IneligibleReason | null {
  if (!account.configured) return 'not_configured';
  if (!account.enabled) return 'disabled';
  if (!account.currencies.includes(payment.currency)) return 'currency_not_supported';
  if (payment.method !== null && !account.methods.includes(payment.method)) return 'method_not_supported';
  if (payment.amount < account.minAmount) return 'amount_out_of_range';
  if (account.maxAmount !== null && payment.amount > account.maxAmount) return 'amount_out_of_range';
  return null;
}

function illness(account: RoutableAccount, payment: RoutablePayment, health: AccountHealth | null): IneligibleReason | null {
  switch (health?.state) {
    case 'down':
      return 'unhealthy';
    case 'probing':
      return fallsWithin(payment.paymentId, `probe:${account.accountId}`, health.probePercent) ? null : 'unhealthy';
    case 'healthy':
    case 'degraded':
    case undefined:
      return null;
  }
}
