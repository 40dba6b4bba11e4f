import type { AccountHealth, Decision, RoutingRecord } from '../types.ts';

export { accountsOf, type CompiledRuleSet, compileRuleSet } from './compile.ts';
export { type DecideInput, decide, keepInputs } from './decide.ts';
export { activeOverrides } from './eligibility.ts';
export { describeConfigurationFault } from './sentence.ts';
export { customerAddress, isDrawn } from './split.ts';

/**
 * Health of the recovering account that takes the payment as a probe payment; null when another account is recommended. Its probe
 * slot has to be claimed before the payment is recorded; where the slot is taken, the decision has to be made again without it.
 */
export function leadingProbe({ plan, inputs }: Pick<Decision, 'plan' | 'inputs'>): AccountHealth | null {
  const first = plan[0];
  if (!first) return null;
  const health = inputs.health.find(({ accountId }) => accountId === first.accountId);
  return health?.state === 'probing' && health.probeSlot === true ? health : null;
}

/** A planned gateway that was tried and did not open a checkout. */
interface FailedAttempt {
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
