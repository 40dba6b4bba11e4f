import type pg from 'pg';
import { ROLLUP_MEASURES } from './payment-rollups.ts';
import type { VolumeGroup, VolumeQuery } from './volume-query.ts';
import { columnOf, coversAllMerchants, sourcesOf } from './volume-sources.ts';

/** One index probe for each merchant that is not among these. */
const OUTSIDE = `
SELECT 1 FROM tenant
WHERE id <> ALL ($1::uuid[]) AND EXISTS (SELECT FROM payment_rollup WHERE payment_rollup.merchant_id = tenant.id) LIMIT 1`;

/** True if no other merchant has roll-ups: those over all merchants then cover exactly these, in the same snapshot. */
export async function isAllMerchants(client: Pick<pg.ClientBase, 'query'>, merchantIds: readonly string[]): Promise<boolean> {
  const { rows } = await client.query({ name: 'counted-outside', text: OUTSIDE, values: [merchantIds] });
  return rows.length === 0;
}

/** Sums of one group. Money in whole main units, fees as exact decimals of them. Payments that are only INITIATED do not count. */
export interface VolumeRow {
  /** The group's values by name; times as `YYYY-MM-DD` of their first day. */
  readonly keys: Readonly<Partial<Record<VolumeGroup, string>>>;
  readonly payments: number;
  /** Succeeded, whether or not refunded since. */
  readonly paid: number;
  /** Not paid in the end: failed or expired. */
  readonly failed: number;
  /** Those of the failed ones whose session expired unpaid: no gateway failed. */
  readonly expired: number;
  readonly pending: number;
  readonly late: number;
  readonly amount: bigint;
  readonly paidAmount: bigint;
  readonly refunded: bigint;
  /** Taken back by gateways, apart from refunds: an exact decimal. */
  readonly reversed: string;
  readonly fees: string;
}

/** The most groups a report returns. */
export const VOLUME_ROWS_MAX = 10_000;

const TOTALS = `
  sum(payments)::int8 AS payments, sum(payments) FILTER (WHERE status IN ('SUCCESS', 'REFUNDED'))::int8 AS paid,
  sum(payments) FILTER (WHERE status = 'FAILED')::int8 AS failed, sum(payments) FILTER (WHERE status = 'PENDING')::int8 AS pending,
  sum(expired)::int8 AS expired, sum(late)::int8 AS late, sum(amount)::int8 AS amount,
  sum(amount) FILTER (WHERE status IN ('SUCCESS', 'REFUNDED'))::int8 AS "paidAmount", sum(refunded)::int8 AS refunded,
  sum(fees)::text AS fees, trim_scale(sum(reversed))::text AS reversed`;
const PARTIAL = ROLLUP_MEASURES.map((name) => `sum(${name}) AS ${name}`).join(', ');

/**
 * Adds payments up by time and status. Exact at every moment: roll-ups, change records that are not applied yet and single
 * payments at the edges are read in one snapshot; by another date than creation, single payments alone.
 */
export async function readVolume(client: Pick<pg.ClientBase, 'query'>, query: VolumeQuery): Promise<VolumeRow[]> {
  if (query.from >= query.to) return [];
  const isAllMerchantsQuery = coversAllMerchants(query) && (await isAllMerchants(client, query.merchantIds));
  const values: unknown[] = [];
  const bind = (value: unknown) => `$${values.push(value)}`;
  const source = sourcesOf(query, isAllMerchantsQuery, bind).join('\n  UNION ALL\n  ');
  const parts = [...new Set([...query.groupBy.map(columnOf), 'status'])].join(', ');
  const zone = parts.includes('created_at') ? `${bind(query.zone)}::text` : '';
  const keys = query.groupBy.map((group, index) => ({ name: `k${index}`, sql: `${expression(group, zone)} AS k${index}` }));
  const names = keys.map(({ name }) => name).join(', ');
  // Summed by stored columns first, so that days and names are computed for few rows.
  // Grouping by nothing would give a row of nothing for no payments at all.
  const text = `SELECT ${[...keys.map(({ sql }) => sql), TOTALS].join(', ')} FROM (
    SELECT ${parts}, ${PARTIAL} FROM (\n  ${source}) AS counted GROUP BY ${parts}) AS added
    ${names === '' ? '' : `GROUP BY ${names}`} HAVING sum(payments) <> 0 OR sum(amount) <> 0
    ${names === '' ? '' : `ORDER BY ${names}`} LIMIT ${VOLUME_ROWS_MAX}`;
  const { rows } = await client.query<Record<string, string | null>>(text, values);
  return rows.map((row) => toVolume(row, query.groupBy));
}

function expression(group: VolumeGroup, zone: string): string {
  const column = columnOf(group);
  return column === 'created_at'
    ? `to_char(date_trunc('${group}', created_at AT TIME ZONE ${zone}), 'YYYY-MM-DD')`
    : `${column}::text`;
}

function toVolume(row: Readonly<Record<string, string | null>>, groupBy: readonly VolumeGroup[]): VolumeRow {
  const whole = (name: string) => Number(row[name] ?? 0);
  return {
    keys: Object.fromEntries(groupBy.map((group, index) => [group, row[`k${index}`] ?? ''])),
    payments: whole('payments'),
    paid: whole('paid'),
    failed: whole('failed'),
    expired: whole('expired'),
    pending: whole('pending'),
    late: whole('late'),
    amount: BigInt(row.amount ?? 0),
    paidAmount: BigInt(row.paidAmount ?? 0),
    refunded: BigInt(row.refunded ?? 0),
    reversed: row.reversed ?? '0',
    fees: row.fees ?? '0',
  };
}
