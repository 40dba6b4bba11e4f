import type { HealthState } from '@switchyard/routing';
import { DEFAULT_HEALTH_THRESHOLDS } from '../thresholds/thresholds.ts';
import type { Demotion } from './assess-health.ts';
import { BUCKET_MS, bucketOf, faultShare, type OutcomeBucket, sumSince } from './outcome-counts.ts';

/** What one account, with one method, has met at its gateway. */
export interface GatewaySighting {
  readonly merchantId: string;
  readonly accountId: string;
  readonly state: HealthState;
  /** Epoch milliseconds. */
  readonly since: number;
  readonly demotion: Demotion | null;
  readonly buckets: readonly OutcomeBucket[];
}

/** Trouble of a gateway as other merchants met it. */
export interface GatewayTrouble {
  readonly state: 'degraded' | 'down';
  /** When the first of them met it, epoch milliseconds. */
  readonly since: number;
  /** Share of their checkouts that failed, in whole per cent. */
  readonly faultPercent: number;
}

/** What all accounts at one gateway, with one method, have met. */
export interface GatewaySurvey {
  /** Null while none of them is in a trouble that would have met any merchant. */
  readonly since: number | null;
  /** The trouble of other merchants than this account's; null when there is none, or when another account succeeds meanwhile. */
  troubleBeside(account: Pick<GatewaySighting, 'merchantId' | 'accountId'>): GatewayTrouble | null;
}

/** An outage that was not proved again for so long says nothing any more. */
const FORGET_MS = 900_000;
/** An account that is probed for so long without payments to prove anything by says nothing any more. */
const PROBED_MS = 120_000;

/**
 * Whether a gateway is in trouble for everybody, by what accounts of all merchants met there with one method. Only faults that
 * would have met any merchant count, by the default thresholds and not by theirs: a bad key, a limit or a strict threshold of one
 * merchant never speaks for another. One account whose checkouts succeed meanwhile shows that the trouble is not the gateway's.
 */
export function surveyGateway(sightings: readonly GatewaySighting[], now: number): GatewaySurvey {
  const troubles = sightings.flatMap((sighting) => troubleOf(sighting, now));
  if (troubles.length === 0) return { since: null, troubleBeside: () => null };
  const since = Math.min(...troubles.map((trouble) => trouble.since));
  const well = sightings.filter((sighting) => hasSucceededSince(sighting, since, now));
  return {
    since,
    troubleBeside({ merchantId, accountId }) {
      const others = troubles.filter((trouble) => trouble.merchantId !== merchantId);
      if (others.length === 0 || well.some((sighting) => sighting.accountId !== accountId)) return null;
      const isDown = others.some(({ state }) => state === 'down');
      return {
        state: isDown ? 'down' : 'degraded',
        since: Math.min(...others.map((trouble) => trouble.since)),
        faultPercent: Math.round(100 * Math.max(...others.map(({ share }) => share))),
      };
    },
  };
}

/** Whether a healthy account's checkouts succeeded in the last minute, and after a trouble had begun. */
export function hasSucceededSince(
  { state, buckets }: Pick<GatewaySighting, 'state' | 'buckets'>,
  since: number,
  now: number,
): boolean {
  if (state !== 'healthy') return false;
  const lately = sumSince(buckets, Math.max(bucketOf(since) + BUCKET_MS, bucketOf(now) - 5 * BUCKET_MS));
  return lately.succeeded > lately.faulted;
}

interface Trouble {
  readonly merchantId: string;
  readonly state: 'degraded' | 'down';
  readonly since: number;
  readonly share: number;
}

function troubleOf({ merchantId, state, since, demotion }: GatewaySighting, now: number): Trouble[] {
  if (state === 'healthy' || demotion === null || demotion.cause !== 'faults') return [];
  if (now - since > (state === 'probing' ? PROBED_MS : FORGET_MS)) return [];
  const { hardFaults, downShare, degradedShare } = DEFAULT_HEALTH_THRESHOLDS;
  const share = faultShare({ succeeded: demotion.succeeded, faulted: demotion.sharedFaults });
  if (demotion.sharedFaults < hardFaults || share < degradedShare) return [];
  return [{ merchantId, state: share >= downShare ? 'down' : 'degraded', since, share }];
}
