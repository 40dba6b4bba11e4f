import type { Database } from '@switchyard/db';
import type { Mode } from '@switchyard/db/client';
import type { Coverage, PayoutCredit } from './arrivals.ts';
import type { BankLink, Credit, Payout } from './match-bank.ts';

/** A merchant's mode. */
export interface BankScope {
  readonly merchantId: string;
  readonly mode: Mode;
}

/** The database, or a copy of it that reports read. */
export type BankSource = Pick<Database, 'pool'>;

const ROWS_MAX = 20_000;

/** The days that a merchant's statements cover; null without any. */
export async function readCoverage({ pool }: BankSource, { merchantId, mode }: BankScope): Promise<Coverage | null> {
  const { rows } = await pool.query<{ from: string | null; to: string | null }>({
    name: 'bank-coverage',
    text: `SELECT min(booked_on)::text AS from, max(booked_on)::text AS to FROM bank_line WHERE merchant_id = $1 AND mode = $2::mode`,
    values: [merchantId, mode],
  });
  const { from = null, to = null } = rows[0] ?? {};
  return from === null || to === null ? null : { from, to };
}

/** A payout with when it was matched. */
export interface StoredPayout extends Payout {
  readonly credits: readonly PayoutCredit[];
}

/** Payouts of `[from, to]` above 0, with the credits that they were matched with. */
export async function readPayouts(
  { pool }: BankSource,
  { merchantId, mode }: BankScope,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<StoredPayout[]> {
  const { rows } = await pool.query<StoredPayout>({
    name: 'bank-payouts',
    text: `
SELECT settlement.id AS "settlementId", settlement.account_id AS "accountId", settlement.gateway, settlement.reference,
  trim_scale(settlement.net)::text AS net, settlement.currency::text AS currency, settlement.settled_on::text AS "settledOn",
  coalesce((SELECT json_agg(json_build_object('bankLineId', line.id, 'amount', trim_scale(line.amount)::text, 'bookedOn', line.booked_on)
      ORDER BY line.booked_on, line.id)
    FROM bank_match JOIN bank_line AS line ON line.merchant_id = bank_match.merchant_id AND line.id = bank_match.bank_line_id
    WHERE bank_match.merchant_id = settlement.merchant_id AND bank_match.settlement_id = settlement.id), '[]') AS credits
FROM settlement
WHERE settlement.merchant_id = $1 AND settlement.mode = $2::mode AND settlement.status = 'PAID' AND settlement.net > 0
  AND settlement.settled_on BETWEEN $3::date AND $4::date
ORDER BY settlement.settled_on, settlement.id LIMIT ${ROWS_MAX}`,
    values: [merchantId, mode, from, to],
  });
  return rows;
}

/** Credits since a day that no payout was matched with. */
export async function readOpenCredits({ pool }: BankSource, { merchantId, mode }: BankScope, from: string): Promise<Credit[]> {
  const { rows } = await pool.query<Credit>({
    name: 'bank-open-credits',
    text: `
SELECT id AS "bankLineId", trim_scale(amount)::text AS amount, currency::text AS currency, booked_on::text AS "bookedOn", text
FROM bank_line AS line
WHERE merchant_id = $1 AND mode = $2::mode AND booked_on >= $3::date AND amount > 0
  AND NOT EXISTS (SELECT FROM bank_match WHERE bank_match.merchant_id = line.merchant_id AND bank_match.bank_line_id = line.id)
ORDER BY booked_on DESC, id DESC LIMIT ${ROWS_MAX}`,
    values: [merchantId, mode, from],
  });
  return rows;
}

/** Accounts of which something reached the bank. */
export async function readCoveredAccounts({ pool }: BankSource, { merchantId, mode }: BankScope): Promise<ReadonlySet<string>> {
  const { rows } = await pool.query<{ accountId: string }>({
    name: 'bank-covered-accounts',
    text: `
SELECT DISTINCT settlement.account_id AS "accountId" FROM bank_match
JOIN settlement ON settlement.merchant_id = bank_match.merchant_id AND settlement.id = bank_match.settlement_id
WHERE bank_match.merchant_id = $1 AND settlement.mode = $2::mode`,
    values: [merchantId, mode],
  });
  return new Set(rows.map(({ accountId }) => accountId));
}

/** The first known payout's day of each gateway: what came before it is of payouts that were not read. */
export async function readFirstPayouts(
  { pool }: BankSource,
  { merchantId, mode }: BankScope,
): Promise<ReadonlyMap<string, string>> {
  const { rows } = await pool.query<{ gateway: string; day: string }>({
    name: 'bank-first-payouts',
    text: `SELECT gateway, min(settled_on)::text AS day FROM settlement
WHERE merchant_id = $1 AND mode = $2::mode AND settled_on IS NOT NULL GROUP BY gateway`,
    values: [merchantId, mode],
  });
  return new Map(rows.map(({ gateway, day }) => [gateway, day]));
}

/** Stores matches; those that are stored stay. */
export async function writeMatches(
  { pool }: BankSource,
  { merchantId }: BankScope,
  links: readonly BankLink[],
  now: Date,
): Promise<void> {
  await pool.query({
    name: 'bank-write-matches',
    text: `
INSERT INTO bank_match (merchant_id, bank_line_id, settlement_id, matched_by, created_at)
SELECT $1, link."bankLineId", link."settlementId", link.by, $3 FROM json_to_recordset($2) AS link("bankLineId" uuid, "settlementId" uuid, by text)
ON CONFLICT DO NOTHING`,
    values: [merchantId, JSON.stringify(links), now],
  });
}
