import type pg from 'pg';
import type { Mode, PaymentStatus } from '../generated/client.ts';
import { DAY_ZONE } from './count-notes.ts';
import { type Part, splitPeriod, sumsThatFit } from './periods.ts';
import { paymentsAsOf } from './volume-as-of.ts';

/** What sums can be told apart by. Days, weeks (from Monday) and months are those of the query's zone. */
export type VolumeGroup = 'day' | 'week' | 'month' | 'gateway' | 'account' | 'method' | 'status' | 'merchant' | 'rule';

export interface VolumeQuery {
  readonly merchantIds: readonly string[];
  readonly mode: Mode;
  readonly currency: string;
  /** Payments created from here… */
  readonly from: Date;
  /** …until just before here. */
  readonly to: Date;
  /** The moment at which payments are looked at; null for now. Numbers of a past moment never change. */
  readonly asOf: Date | null;
  /** An IANA zone. */
  readonly zone: string;
  readonly groupBy: readonly VolumeGroup[];
  /** Empty for all. Names as stored; `''` stands for none. */
  readonly gateways: readonly string[];
  readonly accountIds: readonly string[];
  readonly methods: readonly string[];
  readonly statuses: readonly PaymentStatus[];
  readonly ruleIds: readonly string[];
}

/** Sums of one group. Money in whole main units, fees as exact decimals of them. Payments that are only INITIATED do not count. */
export interface VolumeRow {
  /** The group's values by name; times as `YYYY-MM-DD` of their first day. */
  readonly keys: Readonly<Partial<Record<VolumeGroup, string>>>;
  readonly payments: number;
  /** Succeeded, whether or not refunded since. */
  readonly paid: number;
  readonly failed: number;
  readonly pending: number;
  readonly late: number;
  readonly amount: bigint;
  readonly paidAmount: bigint;
  readonly refunded: bigint;
  readonly fees: string;
}

export const VOLUME_ROWS_MAX = 10_000;

const TOTALS = `
  sum(payments)::int8 AS payments, sum(payments) FILTER (WHERE status IN ('SUCCESS', 'REFUNDED'))::int8 AS paid,
  sum(payments) FILTER (WHERE status = 'FAILED')::int8 AS failed, sum(payments) FILTER (WHERE status = 'PENDING')::int8 AS pending,
  sum(late)::int8 AS late, sum(amount)::int8 AS amount,
  sum(amount) FILTER (WHERE status IN ('SUCCESS', 'REFUNDED'))::int8 AS "paidAmount", sum(refunded)::int8 AS refunded,
  sum(fees)::text AS fees`;

/**
 * Adds up payments by when they were created and by how they stand. Exact to the unit at every moment: sums that are kept ahead,
 * notes that have not been added to them yet and single payments at the edges are read in one snapshot.
 */
export async function readVolume(client: Pick<pg.ClientBase, 'query'>, query: VolumeQuery): Promise<VolumeRow[]> {
  const values: unknown[] = [];
  const bind = (value: unknown) => `$${values.push(value)}`;
  const where = conditions(query, bind);
  if (query.from >= query.to) return [];
  const timed = query.groupBy.some((group) => group === 'day' || group === 'week' || group === 'month');
  const zone = timed ? `${bind(query.zone)}::text` : '';
  const keys = query.groupBy.map((group, index) => ({ group, sql: `${expression(group, zone)} AS k${index}` }));
  const source = sourcesOf(query, where, bind).join('\n  UNION ALL\n  ');
  const names = keys.map((_, index) => `k${index}`);
  // Grouping by nothing would give a row of nothing for no payments at all.
  const text = `SELECT ${[...keys.map(({ sql }) => sql), TOTALS].join(', ')} FROM (\n  ${source}) AS counted
    ${names.length === 0 ? '' : `GROUP BY ${names.join(', ')}`} HAVING sum(payments) <> 0 OR sum(amount) <> 0
    ${names.length === 0 ? '' : `ORDER BY ${names.join(', ')}`} LIMIT ${VOLUME_ROWS_MAX}`;
  const { rows } = await client.query<Record<string, string | null>>(text, values);
  return rows.map((row) => toVolume(row, query.groupBy));
}

type Bind = (value: unknown) => string;

function conditions(query: VolumeQuery, bind: Bind): string {
  const some = (column: string, chosen: readonly string[], type: string) =>
    chosen.length === 0 ? [] : [`${column} = ANY(${bind(chosen)}::${type}[])`];
  return [
    `merchant_id = ANY(${bind(query.merchantIds)}::uuid[])`,
    `mode = ${bind(query.mode)}::mode`,
    `currency = ${bind(query.currency)}`,
    ...some('gateway', query.gateways, 'text'),
    ...some('account_id', query.accountIds, 'uuid'),
    ...some('method', query.methods, 'text'),
    ...some('status', query.statuses, 'payment_status'),
    ...some('rule_id', query.ruleIds, 'text'),
  ].join(' AND ');
}

function sourcesOf({ asOf, from, to, zone }: VolumeQuery, where: string, bind: Bind): string[] {
  if (asOf !== null) {
    return [`SELECT created_at, ${COUNTED} FROM (${paymentsAsOf(bind(asOf), bind(from), bind(to))}) AS single WHERE ${where}`];
  }
  return splitPeriod(from, to, sumsThatFit(zone, from, to)).flatMap((part) => statementsOf(part, where, bind));
}

const COUNTED = 'merchant_id, account_id, gateway, method, rule_id, status, payments, amount, fees, refunded, late';

function statementsOf({ source, from, to }: Part, where: string, bind: Bind): string[] {
  const [begin, end] = [bind(from), bind(to)];
  const notes = `SELECT created_at, ${COUNTED} FROM payment_note_to_count
    WHERE ${where} AND created_at >= ${begin}::timestamptz AND created_at < ${end}::timestamptz`;
  switch (source) {
    case 'days': {
      const day = (moment: string) => `(${moment}::timestamptz AT TIME ZONE '${DAY_ZONE}')::date`;
      return [
        `SELECT day::timestamp AT TIME ZONE '${DAY_ZONE}' AS created_at, ${COUNTED} FROM payment_day
    WHERE ${where} AND day >= ${day(begin)} AND day < ${day(end)}`,
        notes,
      ];
    }
    case 'hours':
      return [
        `SELECT hour_at AS created_at, ${COUNTED} FROM payment_hour
    WHERE ${where} AND hour_at >= ${begin}::timestamptz AND hour_at < ${end}::timestamptz`,
        notes,
      ];
    case 'payments':
      return [
        `SELECT created_at, ${COUNTED} FROM (
      SELECT share.* FROM payment AS p, LATERAL payment_share(p, 1) AS share
      WHERE p.merchant_id = ANY(${'$1'}::uuid[]) AND p.mode = ${'$2'}::mode
        AND p.created_at >= ${begin}::timestamptz AND p.created_at < ${end}::timestamptz) AS single
    WHERE ${where}`,
      ];
    default: {
      const never: never = source;
      return never;
    }
  }
}

function expression(group: VolumeGroup, zone: string): string {
  switch (group) {
    case 'day':
    case 'week':
    case 'month':
      return `to_char(date_trunc('${group}', created_at AT TIME ZONE ${zone}), 'YYYY-MM-DD')`;
    case 'gateway':
    case 'method':
      return group;
    case 'account':
      return 'account_id::text';
    case 'merchant':
      return 'merchant_id::text';
    case 'rule':
      return 'rule_id';
    case 'status':
      return 'status::text';
    default: {
      const never: never = group;
      return never;
    }
  }
}

function toVolume(row: Readonly<Record<string, string | null>>, groupBy: readonly VolumeGroup[]): VolumeRow {
  const whole = (name: string) => Number(row[name] ?? 0);
  return {
    keys: Object.fromEntries(groupBy.map((group, index) => [group, row[`k${index}`] ?? ''])),
    payments: whole('payments'),
    paid: whole('paid'),
    failed: whole('failed'),
    pending: whole('pending'),
    late: whole('late'),
    amount: BigInt(row.amount ?? 0),
    paidAmount: BigInt(row.paidAmount ?? 0),
    refunded: BigInt(row.refunded ?? 0),
    fees: row.fees ?? '0',
  };
}
