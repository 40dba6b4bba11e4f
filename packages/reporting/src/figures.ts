import type pg from 'pg';
import type { PerformanceQuery } from './performance.ts';
import { readVolume } from './volume.ts';
import type { VolumeQuery } from './volume-query.ts';

export { type AccountPerformance, latencyAt, readPerformance } from './performance.ts';
export { readVolume, type VolumeRow } from './volume.ts';
export type { PaymentDate, VolumeGroup, VolumeQuery } from './volume-query.ts';

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

const READ = `
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
  const { rows } = await client.query<OutageRow>(READ, [merchantIds, mode, from, to]);
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
