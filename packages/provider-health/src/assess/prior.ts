import type { HealthState, StoredHealthReason } from '@switchyard/routing';
import { DEFAULT_HEALTH_THRESHOLDS } from '../thresholds/thresholds.ts';
import { answeredSince, type Demotion, isByOthers } from './health-reasons.ts';
import { BUCKET_MS, bucketOf, faultShare, type OutcomeBucket, samplesIn, sumSince } from './outcome-counts.ts';

/** Health and counts of one account and method, as evidence about its gateway. */
export interface ObservedAccount {
  readonly merchantId: string;
  readonly accountId: string;
  readonly state: HealthState;
  /** Epoch milliseconds. */
  readonly since: number;
  readonly why: StoredHealthReason;
  readonly demotion: Demotion | null;
  readonly buckets: readonly OutcomeBucket[];
}

/** An outage or degradation of a gateway, observed by other merchants. */
export interface GatewayTrouble {
  readonly state: 'degraded' | 'down';
  /** When the first of them observed it, epoch milliseconds. */
  readonly since: number;
  /** When the last of them observed it; null once all of them are probed, so that it is news to no account. */
  readonly latest: number | null;
  /** Checkouts of the one whose share of failed ones is largest, and how many of them failed. */
  readonly samples: number;
  readonly faulted: number;
}

/** Faults of one gateway and method that affect all merchants. */
export interface GatewayTroubles {
  /** Null while no account has faults that affect all merchants. */
  readonly since: number | null;
  /** Trouble observed by merchants other than this account's; null when there is none, or when another account succeeds meanwhile. */
  troubleOfOthers(account: Pick<ObservedAccount, 'merchantId' | 'accountId'>): GatewayTrouble | null;
}

/** An outage without new evidence for this long is ignored. */
const FORGET_MS = 900_000;
/**
 * An account that is probed for this long without another fault is no evidence of trouble any more; one whose look-ups failed with its
 * checkouts and are answered again is none at once.
 */
export const PROBED_MS = 120_000;

/**
 * Trouble of a gateway for all merchants, from their accounts' evidence for one method. Only faults that affect all
 * merchants count, by the default thresholds: a bad key, a rate limit or a strict threshold of one merchant never affects another.
 * One account whose checkouts succeed meanwhile proves that the gateway works.
 */
export function findGatewayTroubles(observed: readonly ObservedAccount[], now: number): GatewayTroubles {
  const troubles = observed.flatMap((account) => troubleOf(account, now));
  if (troubles.length === 0) return { since: null, troubleOfOthers: () => null };
  const since = Math.min(...troubles.map((trouble) => trouble.since));
  const succeeding = observed.filter((account) => hasSucceededSince(account, since, now));
  return {
    since,
    troubleOfOthers({ merchantId, accountId }) {
      const others = troubles.filter((trouble) => trouble.merchantId !== merchantId);
      if (others.length === 0 || succeeding.some((account) => account.accountId !== accountId)) return null;
      const { state, faulted, samples } = others.reduce(worseOf);
      const since = Math.min(...others.map((trouble) => trouble.since));
      const lasting = others.flatMap(({ latest }) => latest ?? []);
      return { state, since, latest: lasting.length === 0 ? null : Math.max(...lasting), faulted, samples };
    },
  };
}

/** True if the account's checkouts succeeded in the last minute and after `since`, and it has seen no trouble of its own. */
function hasSucceededSince(account: ObservedAccount, since: number, now: number): boolean {
  return (account.state === 'healthy' || isByOthers(account)) && hasOpenedSince(account.buckets, since, now);
}

/** True if more checkouts succeeded than failed in the last minute and after `since`, both epoch milliseconds. */
export function hasOpenedSince(buckets: readonly OutcomeBucket[], since: number, now: number): boolean {
  const lately = sumSince(buckets, Math.max(bucketOf(since) + BUCKET_MS, bucketOf(now) - 5 * BUCKET_MS));
  return lately.succeeded > lately.faulted;
}

interface Trouble extends GatewayTrouble {
  readonly merchantId: string;
}

/** The larger share of failed checkouts; of equal shares the one of more checkouts. */
function worseOf(left: Trouble, right: Trouble): Trouble {
  const difference = left.faulted * right.samples - right.faulted * left.samples;
  if (difference === 0) return right.samples > left.samples ? right : left;
  return difference > 0 ? left : right;
}

function troubleOf({ merchantId, state, since, why, demotion }: ObservedAccount, now: number): Trouble[] {
  if (state === 'healthy' || demotion === null || demotion.cause !== 'faults' || answeredSince(why) !== null) return [];
  if (now - since > (state === 'probing' ? PROBED_MS : FORGET_MS)) return [];
  const { hardFaults, downShare, degradedShare } = DEFAULT_HEALTH_THRESHOLDS;
  const counts = { succeeded: demotion.succeeded, faulted: demotion.sharedFaults };
  const share = faultShare(counts);
  if (counts.faulted < hardFaults || share < degradedShare) return [];
  const level = share >= downShare ? 'down' : 'degraded';
  const latest = state === 'probing' ? null : since;
  return [{ merchantId, state: level, since, latest, faulted: counts.faulted, samples: samplesIn(counts) }];
}
