import type { Mode } from '@switchyard/db/client';
import type pg from 'pg';
import { readVolume } from './volume.ts';
import type { VolumeQuery } from './volume-query.ts';

export { readVolume } from './volume.ts';
export type { PaymentDate, VolumeQuery } from './volume-query.ts';
export {
  type ComparedVolume,
  readCurrencies,
  readVolumeReport,
  type VolumeReport,
  type VolumeSums,
} from './volume-report.ts';
export { dayIn, isTimeZone, type Period } from './zone-calendar.ts';

/** A period in which an account was down for a method. */
interface OutageRow {
  readonly accountId: string;
  readonly method: string;
  readonly from: Date;
  /** Null while it lasts. */
  readonly to: Date | null;
  /** JSON that provider health wrote. */
  readonly why: unknown;
}

const OUTAGES_MAX = 2_000;

const OUTAGES = `
SELECT * FROM (
  SELECT e.account_id AS "accountId", e.method, e.created_at AS "from", e.to_state AS state, e.why,
    lead(e.created_at) OVER (PARTITION BY e.account_id, e.method ORDER BY e.created_at, e.id) AS "to"
  FROM health_event AS e JOIN gateway_account AS account ON account.merchant_id = e.merchant_id AND account.id = e.account_id
  WHERE e.merchant_id = ANY ($1::uuid[]) AND account.mode = $2::mode AND e.from_state IS DISTINCT FROM e.to_state
    AND e.created_at >= $3::timestamptz - interval '31 days') AS steps
WHERE state = 'down' AND "from" < $4::timestamptz AND ("to" IS NULL OR "to" > $3::timestamptz)
ORDER BY "from" DESC LIMIT ${OUTAGES_MAX}`;

/** Outages that overlap a period, newest first, except those that began more than a month before it. */
export async function readOutages(
  client: Pick<pg.ClientBase, 'query'>,
  { merchantIds, mode, from, to }: PerformanceQuery,
): Promise<OutageRow[]> {
  const { rows } = await client.query<OutageRow>(OUTAGES, [merchantIds, mode, from, to]);
  return rows;
}

/** Amounts that a gateway is expected to settle for one account, day and currency. Whole main units; `reversed` and `fees` are exact decimals. */
export interface ExpectedSettlement {
  readonly accountId: string;
  readonly gateway: string;
  /** The day on which the payments were created, `YYYY-MM-DD` in the query's zone. */
  readonly day: string;
  readonly currency: string;
  readonly payments: number;
  readonly paidAmount: bigint;
  readonly refunded: bigint;
  readonly reversed: string;
  readonly fees: string;
}

/** The settlements expected of paid payments, by day, account and currency, as many as a report may have groups. */
export async function readExpectedSettlements(
  client: Pick<pg.ClientBase, 'query'>,
  query: Pick<VolumeQuery, 'merchantIds' | 'mode' | 'from' | 'to' | 'currency' | 'zone' | 'accountIds'>,
): Promise<ExpectedSettlement[]> {
  const rows = await readVolume(client, {
    ...query,
    asOf: null,
    groupBy: ['day', 'account', 'gateway', 'currency'],
    gateways: [],
    methods: [],
    ruleIds: [],
    statuses: ['SUCCESS', 'REFUNDED'],
  });
  return rows.map(({ keys, paid, paidAmount, refunded, reversed, fees }) => {
    const { account: accountId = '', gateway = '', day = '', currency = '' } = keys;
    return { accountId, gateway, day, currency, payments: paid, paidAmount, refunded, reversed, fees };
  });
}

/** Gateway accounts of these merchants in one mode, by full hours: `from` is rounded down, `to` is exclusive. */
interface PerformanceQuery {
  readonly merchantIds: readonly string[];
  readonly mode: Mode;
  readonly from: Date;
  readonly to: Date;
}

/** The performance of an account at opening checkouts. */
export interface AccountPerformance {
  readonly merchantId: string;
  readonly accountId: string;
  readonly gateway: string;
  readonly attempts: number;
  readonly opened: number;
  /** Failed by the gateway's fault. */
  readonly faulted: number;
  /** Failed for another reason: the order, the customer, our configuration. */
  readonly refused: number;
  /** Attempts by latency bucket; see {@link latencyAt}. */
  readonly steps: readonly { readonly step: number; readonly attempts: number }[];
}

const ACCOUNTS_MAX = 5_000;

const PERFORMANCE = `
WITH counted AS (
  SELECT merchant_id, account_id, gateway, result, latency_bucket, attempts FROM attempt_rollup
  WHERE merchant_id = ANY ($1::uuid[]) AND hour_at >= date_trunc('hour', $3::timestamptz, 'UTC') AND hour_at < $4::timestamptz
  UNION ALL
  SELECT merchant_id, account_id, gateway, result, latency_bucket, attempts FROM attempt_rollup_change
  WHERE merchant_id = ANY ($1::uuid[]) AND created_at >= date_trunc('hour', $3::timestamptz, 'UTC') AND created_at < $4::timestamptz),
steps AS (
  SELECT merchant_id, account_id, min(gateway) AS gateway, latency_bucket, sum(attempts)::int8 AS attempts,
    sum(attempts) FILTER (WHERE result = 'opened')::int8 AS opened,
    sum(attempts) FILTER (WHERE result = 'provider_fault')::int8 AS faulted
  FROM counted GROUP BY merchant_id, account_id, latency_bucket)
SELECT s.merchant_id AS "merchantId", s.account_id AS "accountId", min(s.gateway) AS gateway, sum(s.attempts)::float8 AS attempts,
  COALESCE(sum(s.opened), 0)::float8 AS opened, COALESCE(sum(s.faulted), 0)::float8 AS faulted,
  json_agg(json_build_object('step', s.latency_bucket, 'attempts', s.attempts) ORDER BY s.latency_bucket) AS steps
FROM steps AS s JOIN gateway_account AS account ON account.merchant_id = s.merchant_id AND account.id = s.account_id
WHERE account.mode = $2::mode
GROUP BY s.merchant_id, s.account_id ORDER BY attempts DESC, s.account_id LIMIT ${ACCOUNTS_MAX}`;

/** The performance of accounts, by full hours from the one that contains `from`; the busiest first. */
export async function readPerformance(
  client: Pick<pg.ClientBase, 'query'>,
  { merchantIds, mode, from, to }: PerformanceQuery,
): Promise<AccountPerformance[]> {
  const { rows } = await client.query<Omit<AccountPerformance, 'refused'>>(PERFORMANCE, [merchantIds, mode, from, to]);
  return rows.map((row) => ({ ...row, refused: row.attempts - row.opened - row.faulted }));
}

const FIRST_STEP_MS = 10;
const STEP_FACTOR = 1.2;

/**
 * A latency percentile (`share` 0 to 1) in milliseconds: the upper bound of its bucket, and so at most a fifth too high. Null
 * without attempts.
 */
export function latencyAt(steps: AccountPerformance['steps'], share: number): number | null {
  const all = steps.reduce((sum, { attempts }) => sum + attempts, 0);
  let counted = 0;
  for (const { step, attempts } of steps) {
    counted += attempts;
    if (counted >= share * all && counted > 0) return Math.round(FIRST_STEP_MS * STEP_FACTOR ** step);
  }
  return null;
}
