import {
  assessHealth,
  BUCKET_MS,
  bucketOf,
  type HealthMemory,
  type HealthSubject,
  type HealthThresholds,
  type OutcomeBucket,
  WINDOW_MS,
} from '@switchyard/routing';

/** One time an account would have been in trouble, from healthy to healthy again; its relapses while coming back are part of it. */
export interface Firing {
  /** The worst it came to. */
  readonly state: 'degraded' | 'down';
  /** Epoch milliseconds. */
  readonly at: number;
  /** Null where it was not healthy again at the end. */
  readonly until: number | null;
  /** The sentence of its worst state. */
  readonly why: string;
}

export interface FindFiringsInput {
  readonly subject: HealthSubject;
  /** Oldest first, each beginning once. */
  readonly buckets: readonly OutcomeBucket[];
  readonly thresholds: HealthThresholds;
  /** Epoch milliseconds. */
  readonly from: number;
  readonly to: number;
}

/**
 * When one account and method would have been degraded or down under given thresholds, had what was counted been judged by them
 * every ten seconds. What routing would have sent elsewhere in consequence is not made up for: the counts are those of what
 * really happened.
 */
export function findFirings({ subject, buckets, thresholds, from, to }: FindFiringsInput): readonly Firing[] {
  const troubled = buckets.filter((bucket) => isTroubled(bucket, thresholds)).map(({ at }) => at);
  const found: Firing[] = [];
  let memory: HealthMemory = { state: 'healthy', since: from, why: '', probePercent: 0, countFrom: 0, relapses: 0 };
  let [oldest, newest, next] = [0, 0, 0];
  for (let at = bucketOf(from); at < to; at += BUCKET_MS) {
    while ((troubled[next] ?? Number.POSITIVE_INFINITY) <= at - WINDOW_MS) next += 1;
    if (memory.state === 'healthy') {
      // A healthy account whose window holds no trouble stays as it is: on to where there is some.
      const trouble = troubled[next];
      if (trouble === undefined) break;
      at = Math.max(at, trouble);
      if (at >= to) break;
    }
    while ((buckets[newest]?.at ?? Number.POSITIVE_INFINITY) <= at) newest += 1;
    while (oldest < newest && (buckets[oldest]?.at ?? 0) <= at - WINDOW_MS) oldest += 1;
    const now = at + BUCKET_MS - 1;
    const window = buckets.slice(oldest, newest);
    const {
      movedFrom,
      succeeded: _succeeded,
      faulted: _faulted,
      ...judged
    } = assessHealth({ subject, buckets: window, previous: memory, now, thresholds });
    memory = judged;
    if (movedFrom !== null) note(found, judged, at);
  }
  return found;
}

function isTroubled({ faulted, succeeded, latencyMsSum }: OutcomeBucket, { slowMs }: HealthThresholds): boolean {
  return faulted > 0 || (succeeded > 0 && latencyMsSum / succeeded >= slowMs);
}

function note(found: Firing[], { state, why }: HealthMemory, at: number): void {
  const last = found.at(-1);
  const isTrouble = state === 'degraded' || state === 'down';
  if (last === undefined || last.until !== null) {
    if (isTrouble) found.push({ state, at, until: null, why });
  } else if (state === 'healthy') found.splice(-1, 1, { ...last, until: at });
  else if (state === 'down' && last.state === 'degraded') found.splice(-1, 1, { ...last, state, why });
}
