import type { HealthState, PaymentMethod } from '@switchyard/routing';
import { readHealthReason } from '@switchyard/routing/stored-inputs';
import type { HealthContext } from '../context.ts';
import { type HealthQuery, toMethod } from './describe-health.ts';
import { type HealthSpan, type Outage, toOutages, toSpans } from './health-spans.ts';
import { accountsOf } from './read-health-strips.ts';
import { type HealthStateRow, readHealthStates } from './state-queries.ts';

/** Selects the health states of a period up to now. */
export interface HealthStatesQuery extends HealthQuery {
  /** One account; null for all. */
  readonly accountId: string | null;
  /** How far back, up to 31 days. */
  readonly minutes: number;
}

/** The states of one account and method over time. */
export interface HealthStateSeries {
  readonly accountId: string;
  /** Null for the account as a whole. */
  readonly method: PaymentMethod | null;
  /** Without gaps, from the beginning of the period. */
  readonly spans: readonly HealthSpan[];
  /** Outages, latest first. */
  readonly outages: readonly Outage[];
}

/** Recorded changes of health in a period. */
export interface HealthStates {
  readonly from: Date;
  readonly to: Date;
  /** Accounts and methods with recorded changes; all others were healthy all the time, or never used. */
  readonly series: readonly HealthStateSeries[];
  /** True when the changes exceed the limit: the oldest are missing. */
  readonly cut: boolean;
}

const MINUTE_MS = 60_000;
const MINUTES_MAX = 31 * 24 * 60;
const CHANGES_MAX = 10_000;

/** The states of accounts over time, as routing used them. */
export async function listHealthStates(context: HealthContext, query: HealthStatesQuery): Promise<HealthStates> {
  const to = context.now();
  const from = new Date(to.getTime() - Math.min(Math.max(1, query.minutes), MINUTES_MAX) * MINUTE_MS);
  const accountIds = await accountsOf(context, query);
  const { merchantIds } = query;
  const rows = await readHealthStates(context.resources.database, { merchantIds, accountIds }, { from, to }, CHANGES_MAX);
  const grouped = Map.groupBy(rows, ({ accountId, method }) => `${accountId}|${method ?? ''}`);
  const series = [...grouped.values()].flatMap((own) => toSeries(own, from));
  return { from, to, series, cut: rows.filter(({ at }) => at > from).length === CHANGES_MAX };
}

function toSeries(rows: readonly HealthStateRow[], from: Date): HealthStateSeries[] {
  const [first] = rows;
  if (first === undefined) return [];
  const changes = rows.map(({ state, why, at }) => ({ state: asState(state), why: readHealthReason(why), at }));
  const spans = toSpans(changes, from);
  return [{ accountId: first.accountId, method: toMethod(first.method), spans, outages: toOutages(spans) }];
}

function asState(text: string): HealthState {
  return (['healthy', 'degraded', 'down', 'probing'] as const).find((state) => state === text) ?? 'healthy';
}
