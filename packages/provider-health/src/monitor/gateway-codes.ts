import type { Database } from '@switchyard/db';
import { type GatewayOperation, isKnownErrorCode, type Outcome } from '@switchyard/gateways';

/** A call to a gateway that may have been refused. */
export interface CodedCall {
  readonly merchantId: string;
  readonly accountId: string;
  readonly gateway: string;
  readonly operation: GatewayOperation['operation'];
  readonly paymentId: string;
}

/** How often a code came at one account, by one operation, on one day in UTC. */
export interface GatewayCodeCount extends Omit<CodedCall, 'gateway' | 'paymentId'> {
  /** `2026-11-30` */
  readonly day: string;
  readonly code: string;
  count: number;
  readonly firstAt: Date;
  lastAt: Date;
  /** Payments of a code that is in no table, the latest first. */
  paymentIds: string[];
}

/** Most codes kept between two drains; further ones are not counted. */
const PENDING_MAX = 1_000;
/** Payments that are kept of a code. */
export const PAYMENTS_MAX = 20;

/** Counts error codes in memory until they are drained. */
export function createGatewayCodes(now: () => Date) {
  const pending = new Map<string, GatewayCodeCount>();
  return {
    observe({ merchantId, accountId, gateway, operation, paymentId }: CodedCall, outcome: Outcome<unknown>): void {
      const code = outcome.outcome === 'yes' ? undefined : outcome.failure.gatewayCode;
      if (code === undefined) return;
      const at = now();
      const day = at.toISOString().slice(0, 10);
      const key = [merchantId, accountId, day, operation, code].join('|');
      const first = { merchantId, accountId, operation, day, code, count: 0, firstAt: at, lastAt: at, paymentIds: [] };
      const known: GatewayCodeCount = pending.get(key) ?? first;
      known.count += 1;
      known.lastAt = at;
      if (!isKnownErrorCode(gateway, code))
        known.paymentIds = [...new Set([paymentId, ...known.paymentIds])].slice(0, PAYMENTS_MAX);
      if (pending.size < PENDING_MAX) pending.set(key, known);
    },
    /** Returns and clears all counts, in the order in which every process writes them. */
    drain(): GatewayCodeCount[] {
      const rows = [...pending].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, row]) => row);
      pending.clear();
      return rows;
    },
  };
}

// Trimmed by a function: Citus 14.0.1 ends the server over a slice of an array that is computed.
const ADD = `
INSERT INTO gateway_code AS known (merchant_id, account_id, day, operation, code, count, first_at, last_at, payment_ids)
SELECT merchant_id, account_id, day, operation, code, count, first_at, last_at, payment_ids
FROM json_to_recordset($1::json) AS input (merchant_id uuid, account_id uuid, day date, operation text, code text, count int,
  first_at timestamptz, last_at timestamptz, payment_ids uuid[])
ON CONFLICT (merchant_id, account_id, day, operation, code) DO UPDATE SET count = known.count + excluded.count,
  first_at = least(known.first_at, excluded.first_at), last_at = greatest(known.last_at, excluded.last_at),
  payment_ids = trim_array(excluded.payment_ids || known.payment_ids,
    greatest(0, cardinality(excluded.payment_ids) + cardinality(known.payment_ids) - ${PAYMENTS_MAX}))`;

/** Adds one process's counts to the shared ones. */
export async function addGatewayCodes({ pool }: Pick<Database, 'pool'>, rows: readonly GatewayCodeCount[]): Promise<void> {
  if (rows.length === 0) return;
  const written = rows.map(({ merchantId, accountId, day, operation, code, count, firstAt, lastAt, paymentIds }) => ({
    merchant_id: merchantId,
    account_id: accountId,
    day,
    operation,
    code,
    count,
    first_at: firstAt,
    last_at: lastAt,
    payment_ids: paymentIds,
  }));
  await pool.query({ name: 'add-gateway-codes', text: ADD, values: [JSON.stringify(written)] });
}

const DELETE = `
DELETE FROM gateway_code WHERE (merchant_id, account_id, day, operation, code) IN (
  SELECT merchant_id, account_id, day, operation, code FROM gateway_code WHERE day < $1::date ORDER BY day LIMIT $2)`;

/** Deletes counts of error codes from before a day, at most `limit` rows, oldest first. Returns how many. */
export async function ageOutGatewayCodes({ pool }: Pick<Database, 'pool'>, before: Date, limit: number): Promise<number> {
  const { rowCount } = await pool.query(DELETE, [before.toISOString().slice(0, 10), limit]);
  return rowCount ?? 0;
}
