import { gatewayTitle } from '@switchyard/gateways';
import {
  accountHealthOf,
  assessHealth,
  BUCKET_MS,
  bucketOf,
  DEFAULT_HEALTH_THRESHOLDS,
  type HealthAssessment,
  type HealthMemory,
  learnUsualLatency,
  sumSince,
  type UsualLatency,
  WINDOW_MS,
} from '@switchyard/provider-health';
import type { AccountHealth, FaultKind, PaymentMethod } from '@switchyard/routing';
import { moment, type Row, type WeekAccount, type WeekMerchant } from './plan.ts';
import type { Random } from './random.ts';

/** Key of an account's counts over all methods. */
const ANY = '*';
/** Ten-second counts are kept for a day, minutes before that, and nothing past a month. */
const MINUTE_MS = 60_000;
const FINE_MS = 24 * 60 * MINUTE_MS;
const KEPT_MS = 31 * FINE_MS;

interface Bucket {
  readonly at: number;
  succeeded: number;
  faulted: number;
  latencyMsSum: number;
  paid: number;
  unpaid: number;
  readonly faults: Record<FaultKind, number>;
}

interface Series {
  readonly merchantId: string;
  readonly account: WeekAccount['routable'];
  readonly method: PaymentMethod | null;
  readonly buckets: Map<number, Bucket>;
  /** Outcomes that may still be in the window. */
  recent: Bucket[];
  memory: HealthMemory | null;
  usual: UsualLatency | null;
  assessment: HealthAssessment | null;
  judgedTo: number;
  version: number;
}

/** The health of every account, computed from its outcomes as the running system would. */
export interface WeekHealth {
  /** Ordered by time, within a call's duration. */
  observe(
    accountId: string,
    method: PaymentMethod | null,
    at: number,
    call: { latencyMs: number; fault: FaultKind | null },
  ): void;
  observeEnd(accountId: string, method: PaymentMethod | null, at: number, end: 'paid' | 'unpaid'): void;
  /** The health snapshot of a decision at this moment. */
  snapshot(merchantId: string, at: number): AccountHealth[];
  /** All rows to store. */
  rows(endsAt: number): { readonly health_bucket: Row[]; readonly health_event: Row[]; readonly health_status: Row[] };
}

export function createWeekHealth(random: Random, merchants: readonly WeekMerchant[]): WeekHealth {
  const series = new Map<string, Series>();
  const events: Row[] = [];
  const processId = random.id(merchants.length);
  for (const { merchantId, accounts } of merchants) {
    for (const { routable: account } of accounts) {
      for (const method of [null, ...account.methods])
        series.set(keyOf(account.accountId, method), newSeries(merchantId, account, method));
    }
  }

  function concerned(accountId: string, method: PaymentMethod | null): Series[] {
    const keys = method === null ? [null] : [null, method];
    return keys.flatMap((key) => series.get(keyOf(accountId, key)) ?? []);
  }

  function advance(held: Series, at: number): void {
    const end = bucketOf(at);
    for (let tick = held.judgedTo + BUCKET_MS; tick <= end; tick += BUCKET_MS) {
      if (isQuiet(held)) {
        const trouble = held.recent.find((bucket) => bucket.faulted > 0 && bucket.at > tick - WINDOW_MS);
        tick = trouble === undefined ? end : Math.min(end, Math.max(tick, trouble.at));
      }
      judge(held, tick + BUCKET_MS - 1, events, random);
    }
    held.judgedTo = Math.max(end, held.judgedTo);
    held.recent = held.recent.filter((bucket) => bucket.at > end - 2 * WINDOW_MS);
  }

  return {
    observe(accountId, method, at, { latencyMs, fault }) {
      for (const held of concerned(accountId, method)) {
        const bucket = bucketAt(held, at);
        if (fault === null) {
          bucket.succeeded += 1;
          bucket.latencyMsSum += latencyMs;
        } else {
          bucket.faulted += 1;
          bucket.faults[fault] += 1;
        }
      }
    },
    observeEnd(accountId, method, at, end) {
      for (const held of concerned(accountId, method)) bucketAt(held, at)[end] += 1;
    },
    snapshot(merchantId, at) {
      const own = [...series.values()].filter((held) => held.merchantId === merchantId);
      return own.flatMap((held) => {
        advance(held, at);
        return snapshotOf(held);
      });
    },
    rows(endsAt) {
      for (const held of series.values()) advance(held, endsAt - 1);
      const all = [...series.values()];
      return {
        health_bucket: all.flatMap((held) => bucketRows(held, processId, endsAt)),
        health_event: events.toSorted((first, second) => String(first.created_at).localeCompare(String(second.created_at))),
        health_status: all.flatMap((held) => statusRow(held)),
      };
    },
  };
}

function keyOf(accountId: string, method: PaymentMethod | null): string {
  return `${accountId}|${method ?? ANY}`;
}

function newSeries(merchantId: string, account: Series['account'], method: PaymentMethod | null): Series {
  const rest = { memory: null, usual: null, assessment: null, judgedTo: Number.NEGATIVE_INFINITY, version: 0 };
  return { merchantId, account, method, buckets: new Map(), recent: [], ...rest };
}

function bucketAt(held: Series, moment: number): Bucket {
  const at = bucketOf(moment);
  const known = held.buckets.get(at);
  if (known !== undefined) return known;
  const faults = { timed_out: 0, refused: 0, server_error: 0, rate_limited: 0, malformed: 0 };
  const made: Bucket = { at, succeeded: 0, faulted: 0, latencyMsSum: 0, paid: 0, unpaid: 0, faults };
  held.buckets.set(at, made);
  held.recent.push(made);
  if (held.judgedTo === Number.NEGATIVE_INFINITY) held.judgedTo = at - BUCKET_MS;
  return made;
}

function isQuiet({ memory }: Series): boolean {
  return memory === null || memory.state === 'healthy';
}

function judge(held: Series, now: number, events: Row[], random: Random): void {
  const { account, method, memory, recent } = held;
  const buckets = recent.filter((bucket) => bucket.at <= now && bucket.at > now - 2 * WINDOW_MS);
  if (memory === null && buckets.length === 0) return;
  const subject = { gateway: gatewayTitle(account.gateway), method };
  const assessment = assessHealth({ subject, buckets, previous: memory, usualMs: held.usual?.ms ?? null, now });
  const { succeeded, faulted, movedFrom, state, why, demotion } = assessment;
  const window = sumSince(buckets, Math.max(now - WINDOW_MS, assessment.countFrom));
  const usual = learnUsualLatency(held.usual, window, state, now, DEFAULT_HEALTH_THRESHOLDS);
  const learned = usual !== held.usual;
  Object.assign(held, { assessment, memory: assessment, usual });
  if (movedFrom !== null || learned) held.version += 1;
  if (movedFrom === null) return;
  events.push({
    merchant_id: held.merchantId,
    id: random.id(now),
    account_id: account.accountId,
    method: method ?? ANY,
    from_state: movedFrom,
    to_state: state,
    why,
    detail: { succeeded, faulted, cause: demotion?.cause ?? null },
    created_at: moment(now),
  });
}

/** The snapshot of a series; null for a series without a state of its own, where the account's applies. */
function snapshotOf({ assessment, account, method }: Series): AccountHealth[] {
  if (assessment === null) return [];
  const { state, succeeded, faulted, probesLeft } = assessment;
  if (method !== null && state === 'healthy' && succeeded + faulted < DEFAULT_HEALTH_THRESHOLDS.minSamples) return [];
  const health = accountHealthOf(assessment, { accountId: account.accountId, method, paid: 0, unpaid: 0 });
  return [state === 'probing' ? { ...health, probeSlot: probesLeft > 0 } : health];
}

function statusRow({ merchantId, account, method, memory, usual, version }: Series): Row[] {
  if (memory === null || version === 0) return [];
  const { state, why, since, countFrom, relapses, demotion } = memory;
  return [
    {
      merchant_id: merchantId,
      account_id: account.accountId,
      method: method ?? ANY,
      state,
      why,
      since: moment(since),
      count_from: moment(countFrom),
      relapses,
      version,
      updated_at: moment(usual?.learnedAt ?? since),
      demoted_to: demotion?.to ?? null,
      demoted_by: demotion?.cause ?? null,
      demoted_succeeded: demotion?.succeeded ?? 0,
      demoted_faulted: demotion?.faulted ?? 0,
      demoted_shared: demotion?.sharedFaults ?? 0,
      usual_ms: usual?.ms ?? null,
      usual_at: usual === null ? null : moment(usual.learnedAt),
    },
  ];
}

function bucketRows({ merchantId, account, method, buckets }: Series, processId: string, endsAt: number): Row[] {
  const kept = [...buckets.values()].filter(({ at }) => at >= endsAt - KEPT_MS && at < endsAt);
  const fine = Math.floor((endsAt - FINE_MS) / MINUTE_MS) * MINUTE_MS;
  const stretches = Map.groupBy(kept, ({ at }) => (at >= fine ? at : Math.floor(at / MINUTE_MS) * MINUTE_MS));
  return [...stretches].map(([at, parts]) => {
    const sum = (value: (part: Bucket) => number): number => parts.reduce((whole, part) => whole + value(part), 0);
    return {
      merchant_id: merchantId,
      account_id: account.accountId,
      method: method ?? ANY,
      bucket_at: moment(at),
      process_id: processId,
      succeeded: sum((part) => part.succeeded),
      faulted: sum((part) => part.faulted),
      paid: sum((part) => part.paid),
      unpaid: sum((part) => part.unpaid),
      timed_out: sum((part) => part.faults.timed_out),
      refused: sum((part) => part.faults.refused),
      server_error: sum((part) => part.faults.server_error),
      malformed: sum((part) => part.faults.malformed),
      latency_ms_sum: Math.round(sum((part) => part.latencyMsSum)),
    };
  });
}
