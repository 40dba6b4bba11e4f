import { NIL_ID } from '@switchyard/db';
import type { RollupDetail, RollupStep } from '@switchyard/db/client';
import { DISPLAY_STATUS_SQL } from './display-status.ts';

/** The zone of daily roll-ups: UTC+1 all year. */
export const DAY_ZONE = 'Africa/Lagos';

/** Merchant id of roll-ups over all merchants. */
export const ALL_MERCHANTS = NIL_ID;

/** A kind of roll-up: its period and what it is grouped by. */
export interface RollupKind {
  readonly detail: RollupDetail;
  readonly step: RollupStep;
  /** The kind it can be computed from; null for the payments themselves. */
  readonly from: Omit<RollupKind, 'from'> | null;
}

/** Every kind of roll-up, each after the one it is computed from. */
export const ROLLUP_KINDS: readonly RollupKind[] = [
  { detail: 'rules', step: 'hour', from: null },
  { detail: 'rules', step: 'day', from: { detail: 'rules', step: 'hour' } },
  { detail: 'accounts', step: 'day', from: { detail: 'rules', step: 'day' } },
  { detail: 'all_merchants', step: 'hour', from: { detail: 'rules', step: 'hour' } },
  { detail: 'all_merchants', step: 'day', from: { detail: 'accounts', step: 'day' } },
];

/** Key columns of a roll-up. */
export const ROLLUP_KEY = 'merchant_id, mode, detail, step, begins_at, account_id, gateway, method, rule_id, currency, status';
/** Summed columns of a roll-up. */
export const ROLLUP_MEASURES = ['payments', 'amount', 'fees', 'refunded', 'late', 'reversed', 'expired'];
const ROLLUP_COLUMNS = `${ROLLUP_KEY}, ${ROLLUP_MEASURES.join(', ')}`;
const NIL = `'${ALL_MERCHANTS}'::uuid`;

/**
 * Contribution of every payment that matches `where` to the roll-ups, one row each, over `p`. The same as what the triggers of
 * payments record; `reports check` compares both. `from` has the payments as `p` where another table finds them, and `at` is their time.
 */
export function selectContributions(where: string, { from = 'payment AS p', at = 'p.created_at' } = {}): string {
  return `SELECT p.merchant_id, p.mode, ${at} AS created_at, p.currency, p.status, 1 AS payments, p.amount, p.refunded_amount AS refunded,
    p.reversed_amount AS reversed,
    COALESCE(p.account_id, ${NIL}) AS account_id, COALESCE(p.account_gateway, '') AS gateway,
    COALESCE(p.paid_method, p.payment_method, '') AS method, COALESCE(p.rule_id, '') AS rule_id, p.late::int AS late,
    CASE WHEN p.status IN ('SUCCESS', 'REFUNDED') THEN COALESCE(p.fee_amount, 0) ELSE 0 END AS fees,
    (${DISPLAY_STATUS_SQL} = 'EXPIRED')::int AS expired
  FROM ${from} WHERE p.status <> 'INITIATED' AND ${where}`;
}

/** The rows of one kind of roll-up, for a FROM. */
export function rollupsOfKind({ detail, step }: Omit<RollupKind, 'from'>): string {
  return `(SELECT * FROM payment_rollup WHERE detail = '${detail}' AND step = '${step}') AS rollups`;
}

/** The rows of `source` with the keys of one kind of roll-up, not summed; `at` is a row's time, as SQL. */
function withKeysOf({ detail, step }: RollupKind, source: string, at: string): string {
  const merchant = detail === 'all_merchants' ? NIL : 'merchant_id';
  const account = detail === 'all_merchants' ? NIL : 'account_id';
  return `SELECT ${merchant} AS merchant_id, mode, '${detail}'::rollup_detail AS detail, '${step}'::rollup_step AS step,
    date_trunc('${step}', ${at}, '${DAY_ZONE}') AS begins_at, ${account} AS account_id, gateway, method,
    ${detail === 'rules' ? 'rule_id' : "''::text"} AS rule_id, currency, status, ${ROLLUP_MEASURES.join(', ')} FROM ${source}`;
}

/** The rows that one kind of roll-up is computed from, with its keys. */
export function rowsOfKind(kind: RollupKind): string {
  if (kind.from === null) return withKeysOf(kind, `(${selectContributions('true')}) AS raw`, 'created_at');
  return withKeysOf(kind, rollupsOfKind(kind.from), 'begins_at');
}

function sumByKey(rows: string): string {
  return `SELECT ${ROLLUP_KEY}, ${ROLLUP_MEASURES.map((name) => `sum(${name})`).join(', ')} FROM (${rows}) AS rows GROUP BY ${ROLLUP_KEY}`;
}

/** Adds the rows of `source`, shaped as change records of payments, to the roll-ups of every kind. */
export function addToRollups(source: string): string {
  const all = ROLLUP_KINDS.map((kind) => sumByKey(withKeysOf(kind, source, 'created_at'))).join('\n  UNION ALL\n  ');
  const set = ROLLUP_MEASURES.map((name) => `${name} = r.${name} + excluded.${name}`).join(', ');
  return `INSERT INTO payment_rollup AS r (${ROLLUP_COLUMNS})\n  ${all}\n  ON CONFLICT (${ROLLUP_KEY}) DO UPDATE SET ${set}`;
}

/** Fills one empty kind of roll-up, in the order in which it is read. */
export function fillRollups(kind: RollupKind): string {
  return `INSERT INTO payment_rollup (${ROLLUP_COLUMNS}) ${sumByKey(rowsOfKind(kind))} ORDER BY merchant_id, mode, begins_at`;
}
