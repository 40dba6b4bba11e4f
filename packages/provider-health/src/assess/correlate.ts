import type { HealthState, PaymentMethod } from '@switchyard/routing';

/** One account's present health state for one method. */
export interface AccountState {
  readonly accountId: string;
  /** Display name: `Paystack`. */
  readonly gateway: string;
  readonly method: PaymentMethod | null;
  readonly state: HealthState;
  /** Epoch milliseconds. */
  readonly since: number;
}

/** One method degraded or down at several gateways at once. */
export interface SharedOutage {
  readonly method: PaymentMethod | null;
  /** In order of onset; `gateway` is the display name, `since` epoch milliseconds. */
  readonly gateways: readonly { readonly gateway: string; readonly since: number }[];
  readonly accountIds: readonly string[];
  /** Onset of the first, epoch milliseconds. */
  readonly since: number;
}

/** Onsets at most this far apart count as one event. */
export const SAME_EVENT_MS = 600_000;

/**
 * Finds methods that are degraded or down at two gateways or more, begun within ten minutes of each other: a sign that the
 * cause lies with the method (a card scheme, a bank, a switch) and not with one gateway. One finding per method at most,
 * that of the latest onset.
 */
export function correlate(observed: readonly AccountState[]): readonly SharedOutage[] {
  const troubled = observed.filter(({ state }) => state === 'degraded' || state === 'down');
  const methods = new Set(troubled.map(({ method }) => method));
  return Array.from(methods).flatMap((method) => sharedTrouble(method, troubled) ?? []);
}

function sharedTrouble(method: PaymentMethod | null, troubled: readonly AccountState[]): SharedOutage | null {
  const ofMethod = troubled.filter((account) => account.method === method).sort((left, right) => left.since - right.since);
  const last = ofMethod.at(-1);
  if (!last) return null;
  const together = ofMethod.filter((account) => last.since - account.since <= SAME_EVENT_MS);
  const onsets = new Map<string, number>();
  for (const { gateway, since } of together) if (!onsets.has(gateway)) onsets.set(gateway, since);
  if (onsets.size < 2) return null;
  const gateways = Array.from(onsets, ([gateway, since]) => ({ gateway, since }));
  const since = Math.min(...onsets.values());
  return { method, gateways, accountIds: together.map(({ accountId }) => accountId), since };
}
