import type { AccountHealth, Decision } from '../types.ts';

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
