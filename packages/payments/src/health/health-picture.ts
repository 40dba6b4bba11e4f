import { changeHealth, type Resources, readConversions, readHealthCounts, readHealthStatuses } from '@switchyard/db';
import { findGateway } from '@switchyard/gateways';
import {
  type AccountHealth,
  assessHealth,
  BUCKET_MS,
  bucketOf,
  type HealthMemory,
  type HealthThresholds,
  PAYMENT_METHODS,
  WINDOW_MS,
} from '@switchyard/routing';
import { type HealthSeries, mergeBuckets, newSeries, seriesKey, toAccountHealth } from './health-series.ts';
import { thresholdsOf } from './merchant-thresholds.ts';

/** What all processes together saw, and what follows from it. */
export interface HealthPicture {
  /** Reads what has come, judges every account and stores the changes of state. */
  refresh(at: number): Promise<void>;
  /** The last picture read. */
  snapshot(merchantId: string): readonly AccountHealth[];
}

/** Counts of a stretch may still be added by a slower process a little after it has ended. */
const REREAD_MS = 3 * BUCKET_MS;
const CONVERSION_WINDOW_MS = 3_600_000;
const CONVERSION_EVERY_MS = 30_000;

export function createHealthPicture(resources: Resources, newId: () => string): HealthPicture {
  const series = new Map<string, HealthSeries>();
  let pictures = new Map<string, readonly AccountHealth[]>();
  let readFrom: number | null = null;
  let conversionsAt = 0;

  return {
    snapshot: (merchantId) => pictures.get(merchantId) ?? [],
    async refresh(at) {
      await readCounts(resources, series, bucketOf(readFrom ?? at - WINDOW_MS), at);
      await readMemories(resources, series);
      readFrom = at - REREAD_MS;
      if (at - conversionsAt >= CONVERSION_EVERY_MS) {
        conversionsAt = at;
        await readEnds(resources, series, at);
      }
      for (const held of series.values()) await judge(resources, newId, held, at);
      pictures = draw(resources, series);
    },
  };
}

type SeriesByKey = Map<string, HealthSeries>;

async function readCounts({ database }: Resources, series: SeriesByKey, from: number, at: number): Promise<void> {
  const counts = await readHealthCounts(database, new Date(from));
  const byKey = Map.groupBy(counts, ({ accountId, method }) => seriesKey(accountId, method));
  for (const [key, [first]] of byKey) if (first !== undefined && !series.has(key)) series.set(key, newSeries(first));
  for (const [key, held] of series) held.buckets = mergeBuckets(held.buckets, byKey.get(key) ?? [], from, at);
}

async function readMemories({ database }: Resources, series: SeriesByKey): Promise<void> {
  for (const status of await readHealthStatuses(database)) {
    const key = seriesKey(status.accountId, status.method);
    const held = series.get(key) ?? newSeries(status);
    const { state, why, probePercent, relapses, since, countFrom } = status;
    const times = { since: since.getTime(), countFrom: countFrom.getTime() };
    held.memory = { state: asState(state), why, probePercent, relapses, ...times };
    held.version = status.version;
    series.set(key, held);
  }
}

async function readEnds({ database }: Resources, series: SeriesByKey, at: number): Promise<void> {
  for (const { accountId, method, paid, unpaid } of await readConversions(database, new Date(at - CONVERSION_WINDOW_MS))) {
    const held = series.get(seriesKey(accountId, method));
    if (held !== undefined) Object.assign(held, { paid, unpaid });
  }
}

async function judge(resources: Resources, newId: () => string, held: HealthSeries, at: number): Promise<void> {
  const { memory, buckets, merchantId, accountId, method, version } = held;
  const thresholds = thresholdsFor(resources, held);
  const assessment = assessHealth({ subject: subjectOf(resources, held), buckets, previous: memory, now: at, thresholds });
  held.assessment = assessment;
  if (memory === null ? assessment.state === 'healthy' : isSame(memory, assessment)) return;
  const { state, why, since, probePercent, countFrom, relapses, succeeded, faulted, movedFrom } = assessment;
  const times = { since: new Date(since), countFrom: new Date(countFrom) };
  const change = {
    ...{ merchantId, accountId, method, state, why, probePercent, relapses, ...times },
    fromState: movedFrom ?? state,
    eventId: newId(),
    detail: { succeeded, faulted, probePercent },
  };
  // Where another process was first, its change is read with the next refresh.
  if (await changeHealth(resources.database, change, version, new Date(at)))
    Object.assign(held, { memory: assessment, version: version + 1 });
}

/** Sentences change with every count; only what the next judgement builds on is worth storing. */
function isSame(left: HealthMemory, right: HealthMemory): boolean {
  return (
    left.state === right.state &&
    left.since === right.since &&
    left.probePercent === right.probePercent &&
    left.countFrom === right.countFrom &&
    left.relapses === right.relapses
  );
}

function draw(resources: Resources, series: SeriesByKey): Map<string, readonly AccountHealth[]> {
  const grouped = Map.groupBy(series.values(), ({ merchantId }) => merchantId);
  const toHealth = (one: HealthSeries) => toAccountHealth(one, thresholdsFor(resources, one).minSamples) ?? [];
  return new Map([...grouped].map(([id, held]) => [id, held.flatMap(toHealth)]));
}

/** An account's thresholds are its merchant's, in its own mode. */
function thresholdsFor({ configuration }: Resources, { accountId }: HealthSeries): HealthThresholds {
  const known = configuration.account(accountId);
  return thresholdsOf(known?.merchant, known?.account.mode ?? 'live');
}

function asState(text: string): HealthMemory['state'] {
  return (['healthy', 'degraded', 'down', 'probing'] as const).find((state) => state === text) ?? 'healthy';
}

function subjectOf({ configuration }: Resources, { accountId, method }: HealthSeries) {
  const gateway = configuration.account(accountId)?.account.gateway ?? '';
  return { gateway: findGateway(gateway)?.title ?? gateway, method: PAYMENT_METHODS.find((known) => known === method) ?? null };
}
