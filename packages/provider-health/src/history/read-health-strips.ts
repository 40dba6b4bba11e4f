import type { PaymentMethod } from '@switchyard/routing';
import { BUCKET_MS } from '../assess/outcome-counts.ts';
import type { HealthContext } from '../context.ts';
import { type HealthStep, readHealthHistory } from './count-queries.ts';
import { type HealthQuery, toMethod } from './describe-health.ts';

/** Selects counts of a period up to now, by step. */
export interface HealthStripsQuery extends HealthQuery {
  /** One account; null for all. */
  readonly accountId: string | null;
  /** How far back, up to 31 days. Beyond a day, steps are a minute at the least. */
  readonly minutes: number;
  /** Length of a step in seconds; rounded up to whole tens. */
  readonly stepSeconds: number;
}

/** Outcomes and latency of accounts by step. */
export interface HealthStrips {
  /** Beginning of step 0. */
  readonly from: Date;
  readonly to: Date;
  readonly stepMs: number;
  readonly strips: readonly HealthStrip[];
  /** True when the result was cut at its limit; a longer step or fewer accounts help. */
  readonly cut: boolean;
}

/** One account and method over time. The lists have the same length: one entry per step with observations. */
export interface HealthStrip {
  readonly merchantId: string;
  readonly accountId: string;
  /** Null for all methods together. */
  readonly method: PaymentMethod | null;
  /** The number of each step, from 0. */
  readonly steps: readonly number[];
  /** Openings of checkouts that succeeded, and that failed by the gateway's fault. */
  readonly succeeded: readonly number[];
  readonly faulted: readonly number[];
  /** Mean of the openings that succeeded; null where none did. */
  readonly latencyMs: readonly (number | null)[];
  /** Look-ups of payments and idle probes; only for all methods together. */
  readonly lookupsAnswered: readonly number[];
  readonly lookupsFailed: readonly number[];
}

const MINUTE_MS = 60_000;
const MINUTES_MAX = 31 * 24 * 60;
const STEPS_MAX = 3_000;
const ROWS_MAX = 100_000;

/** Successes, faults and latency of accounts over time, of all processes together. */
export async function readHealthStrips(context: HealthContext, query: HealthStripsQuery): Promise<HealthStrips> {
  const spanMs = Math.min(Math.max(1, query.minutes), MINUTES_MAX) * MINUTE_MS;
  const least = Math.max(query.stepSeconds * 1_000, spanMs / STEPS_MAX, BUCKET_MS);
  const stepMs = Math.ceil(least / BUCKET_MS) * BUCKET_MS;
  const to = new Date(Math.ceil((context.now().getTime() + 1) / stepMs) * stepMs);
  const from = new Date(to.getTime() - Math.ceil(spanMs / stepMs) * stepMs);
  const { merchantIds } = query;
  const accountIds = await accountsOf(context, query);
  const rows = await readHealthHistory(context.resources.database, { merchantIds, accountIds, from, to, stepMs }, ROWS_MAX);
  const series = Map.groupBy(rows, ({ accountId, method }) => `${accountId}|${method}`);
  return {
    from,
    to,
    stepMs,
    strips: [...series.values()].flatMap((own) => toStrip(own, from, stepMs)),
    cut: rows.length === ROWS_MAX,
  };
}

/** Ids of the accounts that a health query selects. */
export async function accountsOf(
  context: HealthContext,
  { merchantIds, mode, accountId }: HealthQuery & { readonly accountId: string | null },
): Promise<string[]> {
  const { configuration } = context.resources;
  await configuration.ready();
  const accounts = merchantIds.flatMap((merchantId) => configuration.merchant(merchantId)?.accounts ?? []);
  return accounts.flatMap((account) =>
    account.mode === mode && (accountId === null || account.id === accountId) ? [account.id] : [],
  );
}

function toStrip(rows: readonly HealthStep[], from: Date, stepMs: number): HealthStrip[] {
  const [first] = rows;
  if (first === undefined) return [];
  return [
    {
      merchantId: first.merchantId,
      accountId: first.accountId,
      method: toMethod(first.method),
      steps: rows.map(({ at }) => Math.round((at.getTime() - from.getTime()) / stepMs)),
      succeeded: rows.map(({ succeeded }) => succeeded),
      faulted: rows.map(({ faulted }) => faulted),
      latencyMs: rows.map(({ succeeded, latencyMsSum }) => (succeeded === 0 ? null : Math.round(latencyMsSum / succeeded))),
      lookupsAnswered: rows.map(({ lookupsAnswered }) => lookupsAnswered),
      lookupsFailed: rows.map(({ lookupsFailed }) => lookupsFailed),
    },
  ];
}
