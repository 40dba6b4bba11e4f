import type { HealthMonitor } from '@switchyard/provider-health';
import type { Decision } from '@switchyard/routing';
import { type DecideInput, decide, leadingProbe } from '@switchyard/routing/decide';

/**
 * Decides which accounts a new payment is tried at. A payment that leads with a recovering account takes that account's probe slot;
 * when another payment took the slot first, the decision is made without that account.
 */
export function routePayment(input: DecideInput, claimProbeSlot: HealthMonitor['claimProbeSlot']): Decision {
  const decision = decide(input);
  const probe = leadingProbe(decision);
  if (probe === null || claimProbeSlot(probe.accountId, probe.method)) return decision;
  const health = input.health.map((known) => (known.accountId === probe.accountId ? { ...known, probeSlot: false } : known));
  return routePayment({ ...input, health }, claimProbeSlot);
}
