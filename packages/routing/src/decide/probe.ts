import type { AccountHealth, Decision } from '../types.ts';

/**
 * The recovering account that takes the payment as a probe payment, as the health it was judged by; null when the account that leads
 * is no such one. Its slot is to be claimed before the payment is recorded; where the slot is gone, the decision is to be taken
 * again without it.
 */
export function leadingProbe({ plan, inputs }: Pick<Decision, 'plan' | 'inputs'>): AccountHealth | null {
  const first = plan[0];
  if (!first) return null;
  const health = inputs.health.find(({ accountId }) => accountId === first.accountId);
  return health?.state === 'probing' && health.probeSlot === true ? health : null;
}
