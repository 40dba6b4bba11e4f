import { type AccountHealth, type FaultKind, PAYMENT_METHODS, type PaymentMethod } from '@switchyard/routing';
import { readHealthReason } from '@switchyard/routing/stored-inputs';
import type { HealthAssessment, HealthMemory } from '../assess/assess-health.ts';
import type { Demotion } from '../assess/health-reasons.ts';
import { addCounts, type HealthOutcome, type LookupCounts, type OutcomeBucket, WINDOW_MS } from '../assess/outcome-counts.ts';
import type { UsualLatency } from '../assess/usual-latency.ts';
import type { HealthChange, HealthCounts } from './queries.ts';

/** Stored method of counts of an account as a whole. */
export const ANY_METHOD = '*';

/** Recent counts and health of one account and method, from all processes. */
export interface HealthSeries {
  readonly merchantId: string;
  readonly accountId: string;
  readonly method: string;
  buckets: OutcomeBucket[];
  memory: HealthMemory | null;
  usual: UsualLatency | null;
  /** Stored version; 0 while nothing is stored. */
  version: number;
  assessment: HealthAssessment | null;
  paid: number;
  unpaid: number;
}

/** An account's health for decisions, and further figures. */
export interface HealthDetail {
  readonly health: AccountHealth;
  /** Probe payments that must still be answered; 0 unless it is being probed. */
  readonly probesLeft: number;
  /** Least time between probe payments; null while none are wanted. */
  readonly probeEveryMs: number | null;
  /** Look-ups and idle probes in the window. */
  readonly lookups: LookupCounts;
  /** The beginning of the ten seconds of the latest of them, epoch milliseconds; null without one. */
  readonly lookedUpAt: number | null;
  /** Since when look-ups of a probing account, which failed with its checkouts, are answered again; null while they show nothing. */
  readonly answersSince: Date | null;
  /** True if status checks fail now, whatever the state: at an account that opens checkouts they change none. */
  readonly checksFail: boolean;
  /** True when the health is inferred from accounts of other merchants, because this one opened nothing since their outage began. */
  readonly fromOthers: boolean;
}

/** Identifies a series. */
export interface SeriesKey {
  readonly merchantId: string;
  readonly accountId: string;
  readonly method: string;
}

function newSeries({ merchantId, accountId, method }: SeriesKey): HealthSeries {
  return {
    merchantId,
    accountId,
    method,
    buckets: [],
    memory: null,
    usual: null,
    version: 0,
    assessment: null,
    paid: 0,
    unpaid: 0,
  };
}

/** The payment method of a stored method; null for all of them. */
export function methodOf(stored: string): PaymentMethod | null {
  return PAYMENT_METHODS.find((known) => known === stored) ?? null;
}

/** All series, by account and method and by merchant. */
export interface SeriesStore {
  /** Replaces all counts since `from`. */
  loadCounts(counts: readonly HealthCounts[], from: number, at: number): void;
  /** Adds counts to the stored ones. */
  addCounts(counts: readonly HealthCounts[], at: number): void;
  loadStored(rows: readonly (SeriesKey & StoredHealthRow & { readonly version: number })[]): void;
  loadConversions(ends: readonly { accountId: string; method: string; paid: number; unpaid: number }[]): void;
  find(accountId: string, method: string): HealthSeries | undefined;
  /** The series, a new one where nothing was counted yet. */
  findOrCreate(key: SeriesKey): HealthSeries;
  ofMerchant(merchantId: string): readonly HealthSeries[];
  all(): readonly HealthSeries[];
}

/** An empty store of series, in memory. */
export function createSeriesStore(): SeriesStore {
  const byKey = new Map<string, HealthSeries>();
  const byMerchant = new Map<string, HealthSeries[]>();

  function findOrCreate({ merchantId, accountId, method }: SeriesKey): HealthSeries {
    const key = seriesKey(accountId, method);
    const known = byKey.get(key);
    if (known !== undefined) return known;
    const created = newSeries({ merchantId, accountId, method });
    byKey.set(key, created);
    byMerchant.set(merchantId, [...(byMerchant.get(merchantId) ?? []), created]);
    return created;
  }

  return {
    loadCounts(counts, from, at) {
      const read = Map.groupBy(counts, ({ accountId, method }) => seriesKey(accountId, method));
      for (const [first] of read.values()) if (first !== undefined) findOrCreate(first);
      for (const [key, series] of byKey) series.buckets = mergeBuckets(series.buckets, read.get(key) ?? [], from, at);
    },
    addCounts(counts, at) {
      for (const one of counts) {
        const series = findOrCreate(one);
        const added = toBucket(one.bucketAt, one);
        const same = series.buckets.find((bucket) => bucket.at === added.at);
        const kept = series.buckets.filter((bucket) => bucket !== same && bucket.at >= at - WINDOW_MS);
        series.buckets = [...kept, same === undefined ? added : { ...addCounts(same, added), at: added.at }];
      }
    },
    loadStored(rows) {
      for (const row of rows) Object.assign(findOrCreate(row), { ...readStored(row), version: row.version });
    },
    loadConversions(ends) {
      for (const { accountId, method, paid, unpaid } of ends) {
        const series = byKey.get(seriesKey(accountId, method));
        if (series !== undefined) Object.assign(series, { paid, unpaid });
      }
    },
    findOrCreate,
    find: (accountId, method) => byKey.get(seriesKey(accountId, method)),
    ofMerchant: (merchantId) => byMerchant.get(merchantId) ?? [],
    all: () => [...byKey.values()],
  };
}

/** The key of an account and method in maps of this process. */
export function seriesKey(accountId: string, method: string): string {
  return `${accountId}|${method}`;
}

/** Replaces the buckets since `readFrom` by the counts read, and drops buckets that have left the window. */
function mergeBuckets(
  stored: readonly OutcomeBucket[],
  read: readonly HealthCounts[],
  readFrom: number,
  now: number,
): OutcomeBucket[] {
  const kept = stored.filter(({ at }) => at < readFrom && at >= now - WINDOW_MS);
  return [...kept, ...read.map((counts) => toBucket(counts.bucketAt, counts))];
}

/** Stored counts of ten seconds or longer as a bucket that can be assessed. */
export function toBucket(at: Date, counts: Omit<HealthCounts, 'bucketAt' | 'paid' | 'unpaid'>): OutcomeBucket {
  const { succeeded, faulted, latencyMsSum, timedOut, refused, serverError, rateLimited, malformed } = counts;
  return {
    at: at.getTime(),
    succeeded,
    faulted,
    latencyMsSum,
    faults: { timed_out: timedOut, refused, server_error: serverError, rate_limited: rateLimited, malformed },
    lookups: { answered: counts.lookupsAnswered, failed: counts.lookupsFailed },
  };
}

/** Counts of one bucket that are not yet shared with other processes. */
export type PendingCounts = { -readonly [Name in keyof HealthCounts]: HealthCounts[Name] };

/** Counts of one bucket, all zero. */
export function emptyCounts({ merchantId, accountId, method }: SeriesKey, bucketAt: Date): PendingCounts {
  return {
    merchantId,
    accountId,
    method,
    bucketAt,
    succeeded: 0,
    faulted: 0,
    paid: 0,
    unpaid: 0,
    timedOut: 0,
    refused: 0,
    serverError: 0,
    rateLimited: 0,
    malformed: 0,
    latencyMsSum: 0,
    lookupsAnswered: 0,
    lookupsFailed: 0,
  };
}

/** Adds the outcome of one opening to pending counts. */
export function countOpening(
  pending: PendingCounts,
  outcome: HealthOutcome,
  kind: FaultKind | undefined,
  latencyMs: number,
): void {
  switch (outcome) {
    case 'succeeded':
      pending.succeeded += 1;
      pending.latencyMsSum += latencyMs;
      return;
    case 'provider_fault':
      pending.faulted += 1;
      if (kind !== undefined) pending[FAULT_COLUMNS[kind]] += 1;
      return;
    case 'ignored':
      return;
    default:
      outcome satisfies never;
  }
}

/** Adds the outcome of one look-up to pending counts. */
export function countLookup(pending: PendingCounts, outcome: HealthOutcome): void {
  switch (outcome) {
    case 'succeeded':
      pending.lookupsAnswered += 1;
      return;
    case 'provider_fault':
      pending.lookupsFailed += 1;
      return;
    case 'ignored':
      return;
    default:
      outcome satisfies never;
  }
}

const FAULT_COLUMNS = {
  timed_out: 'timedOut',
  refused: 'refused',
  server_error: 'serverError',
  rate_limited: 'rateLimited',
  malformed: 'malformed',
} as const;

/** The stored columns of an account's health, without its key. */
export type StoredHealth = Omit<HealthChange, 'merchantId' | 'accountId' | 'method' | 'event'>;

/** The same as read: `why` is JSON. */
type StoredHealthRow = Omit<StoredHealth, 'why'> & { readonly why: unknown };

/** Reads an account's health from its row. */
function readStored(row: StoredHealthRow): { readonly memory: HealthMemory; readonly usual: UsualLatency | null } {
  const { since, countFrom, relapses, usualMs, usualAt } = row;
  const why = readHealthReason(row.why);
  const state = (['healthy', 'degraded', 'down', 'probing'] as const).find((known) => known === row.state) ?? 'healthy';
  return {
    memory: { state, why, since: since.getTime(), countFrom: countFrom.getTime(), relapses, demotion: readDemotion(row) },
    usual: usualMs === null || usualAt === null ? null : { ms: usualMs, learnedAt: usualAt.getTime() },
  };
}

function readDemotion(row: StoredHealthRow): Demotion | null {
  if (row.demotedTo === null || row.demotedAt === null) return null;
  return {
    to: row.demotedTo === 'degraded' ? 'degraded' : 'down',
    cause: (['faults', 'slow', 'lookups', 'others'] as const).find((known) => known === row.demotedBy) ?? 'faults',
    at: row.demotedAt.getTime(),
    succeeded: row.demotedSucceeded,
    faulted: row.demotedFaulted,
    sharedFaults: row.demotedShared,
  };
}

/** An account's health as columns of its row. */
export function toStored(memory: HealthMemory, usual: UsualLatency | null): StoredHealth {
  const { state, why, since, countFrom, relapses, demotion } = memory;
  return {
    state,
    why,
    since: new Date(since),
    countFrom: new Date(countFrom),
    relapses,
    demotedTo: demotion?.to ?? null,
    demotedBy: demotion?.cause ?? null,
    demotedAt: demotion === null ? null : new Date(demotion.at),
    demotedSucceeded: demotion?.succeeded ?? 0,
    demotedFaulted: demotion?.faulted ?? 0,
    demotedShared: demotion?.sharedFaults ?? 0,
    usualMs: usual?.ms ?? null,
    usualAt: usual === null ? null : new Date(usual.learnedAt),
  };
}
