import type { Database } from '@switchyard/db';
import type { Mode } from '@switchyard/db/client';
import { type AccountCoverage, mergeDays, type PayoutLine, type UsedBankAccount } from './arrivals.ts';
import type { BankLine, Payout } from './match-bank.ts';

/** A merchant's mode. */
export interface BankScope {
  readonly merchantId: string;
  readonly mode: Mode;
}

/** The database, or a copy of it that reports read. */
export type BankSource = Pick<Database, 'pool'>;

/** The most rows of a merchant: payouts of thirty accounts in ten years, and what is booked beside them. */
export const ROWS_MAX = 200_000;
const COVERAGE_MAX = 20_000;

/** The days that a merchant's statements cover, by bank account. */
export async function readCoverage({ pool }: BankSource, { merchantId, mode }: BankScope): Promise<AccountCoverage[]> {
  const { rows } = await pool.query<{ bankAccount: string; from: string; to: string }>({
    name: 'bank-coverage',
    text: `
SELECT bank_account AS "bankAccount", covered_from::text AS from, covered_to::text AS to FROM bank_coverage
WHERE merchant_id = $1 AND mode = $2::mode ORDER BY bank_account, covered_from, covered_to LIMIT ${COVERAGE_MAX}`,
    values: [merchantId, mode],
  });
  const byAccount = Map.groupBy(rows, ({ bankAccount }) => bankAccount);
  return [...byAccount].map(([bankAccount, days]) => ({ bankAccount, days: mergeDays(days) }));
}

/** Selects the columns of a payout. */
export const PAYOUT = `
SELECT settlement.id AS "settlementId", settlement.account_id AS "accountId", settlement.gateway, settlement.reference,
  trim_scale(settlement.net)::text AS net, settlement.currency::text AS currency, settlement.settled_on::text AS "settledOn"`;
/** Condition of the paid ones in a scope, which is the first two parameters. */
export const PAID = `settlement.merchant_id = $1 AND settlement.mode = $2::mode AND settlement.status = 'PAID' AND settlement.settled_on IS NOT NULL`;

/** A payout with what it was matched with. */
export interface MatchedPayout extends Payout {
  readonly lines: readonly PayoutLine[];
}

/** Payouts of `[from, to]`, and others that share a line with one of them, with the lines that they were matched with. */
export async function readMatchedPayouts(
  { pool }: BankSource,
  { merchantId, mode }: BankScope,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<MatchedPayout[]> {
  const { rows } = await pool.query<MatchedPayout>({
    name: 'bank-matched-payouts',
    text: `
${PAYOUT},
  coalesce((SELECT json_agg(json_build_object('bankLineId', line.id, 'bankAccount', line.bank_account, 'amount', trim_scale(line.amount)::text,
      'bookedOn', line.booked_on) ORDER BY line.booked_on, line.id)
    FROM bank_match JOIN bank_line AS line ON line.merchant_id = bank_match.merchant_id AND line.id = bank_match.bank_line_id
    WHERE bank_match.merchant_id = settlement.merchant_id AND bank_match.settlement_id = settlement.id), '[]') AS lines
FROM settlement WHERE ${PAID} AND (settlement.settled_on BETWEEN $3::date AND $4::date OR settlement.id IN (
  SELECT other.settlement_id FROM bank_match AS other
  JOIN bank_match AS own ON own.merchant_id = other.merchant_id AND own.bank_line_id = other.bank_line_id
  JOIN settlement AS shown ON shown.merchant_id = own.merchant_id AND shown.id = own.settlement_id
  WHERE other.merchant_id = $1 AND own.settlement_id <> other.settlement_id AND shown.settled_on BETWEEN $3::date AND $4::date))
ORDER BY settlement.settled_on, settlement.id LIMIT ${ROWS_MAX}`,
    values: [merchantId, mode, from, to],
  });
  return rows;
}

/** Lines of `[from, to]` that are of no payout. */
export async function readOpenLines(
  { pool }: BankSource,
  { merchantId, mode }: BankScope,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<BankLine[]> {
  const { rows } = await pool.query<BankLine>({
    name: 'bank-open-lines',
    text: `
SELECT id AS "bankLineId", dedupe_key AS "dedupeKey", bank_account AS "bankAccount", trim_scale(amount)::text AS amount,
  currency::text AS currency, booked_on::text AS "bookedOn", text
FROM bank_line AS line
WHERE merchant_id = $1 AND mode = $2::mode AND booked_on BETWEEN $3::date AND $4::date AND amount <> 0
  AND NOT EXISTS (SELECT FROM bank_match WHERE bank_match.merchant_id = line.merchant_id AND bank_match.bank_line_id = line.id)
ORDER BY booked_on DESC, id DESC LIMIT ${ROWS_MAX}`,
    values: [merchantId, mode, from, to],
  });
  return rows;
}

/** The bank accounts that payouts reached. */
export async function readUsedBankAccounts({ pool }: BankSource, { merchantId, mode }: BankScope): Promise<UsedBankAccount[]> {
  const { rows } = await pool.query<UsedBankAccount>({
    name: 'bank-used-accounts',
    text: `
SELECT settlement.account_id AS "accountId", settlement.currency::text AS currency, line.bank_account AS "bankAccount",
  min(settlement.settled_on)::text AS from, max(settlement.settled_on)::text AS to
FROM bank_match
JOIN settlement ON settlement.merchant_id = bank_match.merchant_id AND settlement.id = bank_match.settlement_id
JOIN bank_line AS line ON line.merchant_id = bank_match.merchant_id AND line.id = bank_match.bank_line_id
WHERE bank_match.merchant_id = $1 AND settlement.mode = $2::mode
GROUP BY settlement.account_id, settlement.currency, line.bank_account ORDER BY 1, 2, 3 LIMIT ${COVERAGE_MAX}`,
    values: [merchantId, mode],
  });
  return rows;
}

/** The first known payout's day of each gateway: what came before it is of payouts that were not read. */
export async function readFirstPayouts(
  { pool }: BankSource,
  { merchantId, mode }: BankScope,
): Promise<ReadonlyMap<string, string>> {
  const { rows } = await pool.query<{ gateway: string; day: string }>({
    name: 'bank-first-payouts',
    text: `SELECT gateway, min(settled_on)::text AS day FROM settlement
WHERE merchant_id = $1 AND mode = $2::mode AND status = 'PAID' AND settled_on IS NOT NULL GROUP BY gateway`,
    values: [merchantId, mode],
  });
  return new Map(rows.map(({ gateway, day }) => [gateway, day]));
}
