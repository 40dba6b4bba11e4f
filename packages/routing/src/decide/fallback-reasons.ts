import type { Decision, RoutingRecord } from '../types.ts';

/** A planned gateway that was tried and did not open a checkout. */
export interface FailedAttempt {
  readonly gateway: string;
  readonly accountId: string;
  /** One sentence, secrets redacted. */
  readonly message: string;
  /** The gateway contract's failure code. */
  readonly code: string;
}

/** A decision's record with one `fallback` reason more for each gateway that failed, in the order tried; all else stays as taken. */
export function addFallbackReasons({ record, inputs }: Decision, failures: readonly FailedAttempt[]): RoutingRecord {
  if (failures.length === 0) return record;
  const labels = new Map(inputs.accounts.map(({ accountId, label }) => [accountId, label]));
  const added = failures.map(({ gateway, accountId, message, code }) => ({
    code: `gateway_failed_${code}`,
    title: `${gateway} failed`,
    message: `${labels.get(accountId) ?? gateway} did not open a checkout: ${message}`,
    category: 'fallback' as const,
    severity: 'warning' as const,
  }));
  return { ...record, reasons: [...record.reasons, ...added] };
}
