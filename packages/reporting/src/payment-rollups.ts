import { NIL_ID } from '@switchyard/db';
import type { RollupDetail, RollupStep } from '@switchyard/db/client';

/** The zone whose days are summed ahead. It keeps UTC+1 all year. */
export const DAY_ZONE = 'Africa/Lagos';

/** Stands in sums for all merchants together. */
export const EVERYONE = NIL_ID;

/** Sums that are kept: of stretches of time as long as `step`, telling apart what `detail` says. */
export interface SumKind {
  readonly detail: RollupDetail;
  readonly step: RollupStep;
  /** The sums they can be added up from; null for the payments themselves. */
  readonly from: Omit<SumKind, 'from'> | null;
}

/** Every kind of sums, each after the one it is added up from. */
export const SUM_KINDS: readonly SumKind[] = [
  { detail: 'rules', step: 'hour', from: null },
  { detail: 'rules', step: 'day', from: { detail: 'rules', step: 'hour' } },
  { detail: 'accounts', step: 'day', from: { detail: 'rules', step: 'day' } },
  { detail: 'all_merchants', step: 'hour', from: { detail: 'rules', step: 'hour' } },
  { detail: 'all_merchants', step: 'day', from: { detail: 'accounts', step: 'day' } },
];

/** What tells sums apart. */
export const SUM_KEY = 'merchant_id, mode, detail, step, begins_at, account_id, gateway, method, rule_id, currency, status';
/** What is added up. */
export const SUM_NUMBERS = ['payments', 'amount', 'fees', 'refunded', 'late'];
const COLUMNS = `${SUM_KEY}, ${SUM_NUMBERS.join(', ')}`;
const NOBODY = `'${EVERYONE}'::uuid`;

/**
 * What every payment adds to the sums, one row each, of the payments that `where` says, over `p`. Says in SQL for many what a trigger
 * says of one payment at a time, so that each holds the other to it.
 */
export function countedPayments(where: string): string {
  return `SELECT p.merchant_id, p.mode, p.created_at, p.currency, p.status, 1 AS payments, p.amount, p.refunded_amount AS refunded,
    COALESCE(p.account_id, ${NOBODY}) AS account_id, COALESCE(p.account_gateway, '') AS gateway,
    COALESCE(p.paid_method, p.payment_method, '') AS method, COALESCE(p.rule_id, '') AS rule_id, p.late::int AS late,
    CASE WHEN p.status IN ('SUCCESS', 'REFUNDED') THEN COALESCE(p.fee_amount, 0) ELSE 0 END AS fees
  FROM payment AS p WHERE p.status <> 'INITIATED' AND ${where}`;
}

/** The rows of one kind of sums, as what a FROM names. */
export function sumsOfKind({ detail, step }: Omit<SumKind, 'from'>): string {
  return `(SELECT * FROM payment_rollup WHERE detail = '${detail}' AND step = '${step}') AS sums`;
}

/** The rows of `source` under the keys of one kind of sums, not added up yet; `at` is the moment of a row, as SQL. */
function under({ detail, step }: SumKind, source: string, at: string): string {
  const [merchant, account] = detail === 'all_merchants' ? [NOBODY, NOBODY] : ['merchant_id', 'account_id'];
  return `SELECT ${merchant} AS merchant_id, mode, '${detail}'::rollup_detail AS detail, '${step}'::rollup_step AS step,
    date_trunc('${step}', ${at}, '${DAY_ZONE}') AS begins_at, ${account} AS account_id, gateway, method,
    ${detail === 'rules' ? 'rule_id' : "''::text"} AS rule_id, currency, status, ${SUM_NUMBERS.join(', ')} FROM ${source}`;
}

/** What the sums of one kind are to be added up from, under their keys. */
export function rowsOfKind(kind: SumKind): string {
  if (kind.from === null) return under(kind, `(${countedPayments('true')}) AS raw`, 'created_at');
  return under(kind, sumsOfKind(kind.from), 'begins_at');
}

function addUp(rows: string): string {
  return `SELECT ${SUM_KEY}, ${SUM_NUMBERS.map((name) => `sum(${name})`).join(', ')} FROM (${rows}) AS rows GROUP BY ${SUM_KEY}`;
}

/** Adds the rows of `source`, shaped as notes of payments, to the sums of every kind. */
export function addToRollups(source: string): string {
  const all = SUM_KINDS.map((kind) => addUp(under(kind, source, 'created_at'))).join('\n  UNION ALL\n  ');
  const set = SUM_NUMBERS.map((name) => `${name} = r.${name} + excluded.${name}`).join(', ');
  return `INSERT INTO payment_rollup AS r (${COLUMNS})\n  ${all}\n  ON CONFLICT (${SUM_KEY}) DO UPDATE SET ${set}`;
}

/** Fills in the sums of one kind, of which there are none; what is read together comes to lie together. */
export function fillSums(kind: SumKind): string {
  return `INSERT INTO payment_rollup (${COLUMNS}) ${addUp(rowsOfKind(kind))} ORDER BY merchant_id, mode, begins_at`;
}
