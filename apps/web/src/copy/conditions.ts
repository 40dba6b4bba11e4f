/** The conditions an account has to meet, as heads of columns. */
export const CONDITION_LABELS = {
  configured: 'Keys',
  enabled: 'Enabled',
  currency: 'Currency',
  method: 'Method',
  amount: 'Amount',
  operator: 'Operator',
  health: 'Health',
} as const;

const INELIGIBLE: Readonly<Record<string, string>> = {
  disabled_by_operator: 'Skipped: operator override',
  disabled: 'Skipped: disabled',
  method_not_supported: 'Skipped: method not supported',
  currency_not_supported: 'Skipped: currency not supported',
  amount_out_of_range: 'Skipped: amount out of range',
  not_configured: 'Skipped: no credentials',
};

/** Why an account was passed over, in a few words. */
function describeIneligible(reason: string): string {
  return INELIGIBLE[reason] ?? `Skipped: ${reason}`;
}

interface Verdict {
  readonly condition: keyof typeof CONDITION_LABELS;
  readonly outcome: 'holds' | 'attention' | 'fails';
  readonly detail?: string;
}

interface NotTried {
  readonly eligible: boolean;
  readonly ineligibleReason: string | null;
  readonly conditions: readonly Verdict[];
}

/** Shown where an account is not healthy: health affects its rank, not its eligibility. */
export const UNHEALTHY_NOTE = 'Accounts that are degraded or down go after the healthy ones. They are not left out.';

/** True if an account may take the payment and is not healthy. */
export function isUnhealthy(conditions: readonly Verdict[]): boolean {
  return conditions.some(({ condition, outcome }) => condition === 'health' && outcome === 'attention');
}

/** Why a decision's account was not tried, in a few words. */
export function describeNotTried({ eligible, ineligibleReason, conditions }: NotTried): string {
  if (!eligible) {
    // The detail distinguishes missing credentials from those that the gateway refuses.
    const keys = conditions.find(({ condition }) => condition === 'configured')?.detail;
    if (ineligibleReason === 'not_configured' && keys !== undefined)
      return `Skipped: ${keys.charAt(0).toLowerCase()}${keys.slice(1)}`;
    return ineligibleReason === null ? 'Skipped' : describeIneligible(ineligibleReason);
  }
  return isUnhealthy(conditions) ? 'Fallback, not healthy: not needed' : 'Fallback, not needed';
}

interface Placed {
  /** From 0; null for an account that cannot take the payment. */
  readonly place: number | null;
  readonly conditions: readonly Verdict[];
}

/** Where an account comes in the order in which a payment would try `all`. */
export function describePlace({ place, conditions }: Placed, all: readonly Placed[]): string {
  if (place === null) return 'Not tried';
  const healthy = all.flatMap((other) => (other.place === null || isUnhealthy(other.conditions) ? [] : [other.place]));
  const isBehindHealthy = isUnhealthy(conditions) && healthy.length > 0 && Math.max(...healthy) < place;
  return isBehindHealthy ? `${place + 1}, after the healthy ones` : String(place + 1);
}
