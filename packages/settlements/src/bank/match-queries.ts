import { enqueueJob } from '@switchyard/db';
import type { Prisma } from '@switchyard/db/client';
import type { AccountKey, SettlementContext } from '../context.ts';
import type { BankDecision, BankLine, BankLink, Payout } from './match-bank.ts';
import { type BankScope, type BankSource, PAID, PAYOUT, ROWS_MAX } from './queries.ts';

/* Statements of matching alone; those that reports use too are apart. */

const PAGE = 10_000;

/** True if a merchant ever had a statement, or something of one is left. */
export async function hasStatements({ pool }: BankSource, { merchantId, mode }: BankScope): Promise<boolean> {
  const { rows } = await pool.query<{ found: boolean }>({
    name: 'bank-has-statements',
    text: `SELECT EXISTS (SELECT FROM bank_statement WHERE merchant_id = $1 AND mode = $2::mode) AS found`,
    values: [merchantId, mode],
  });
  return rows[0]?.found === true;
}

/** When a merchant's last statement came, or the last payout of these accounts by file or webhook; null before any. */
export async function readLastBankIntake(
  { pool }: BankSource,
  { merchantId, mode }: BankScope,
  accounts: readonly { readonly accountId: string }[],
): Promise<Date | null> {
  const { rows } = await pool.query<{ at: Date | null }>({
    name: 'bank-last-intake',
    text: `
SELECT greatest((SELECT max(greatest(taken_at, withdrawn_at)) FROM bank_statement WHERE merchant_id = $1 AND mode = $2::mode),
  (SELECT max(last_intake_at) FROM settlement_source WHERE merchant_id = $1 AND account_id = ANY ($3::uuid[]))) AS at`,
    values: [merchantId, mode, accounts.map(({ accountId }) => accountId)],
  });
  return rows[0]?.at ?? null;
}

/** All payouts of a merchant. */
export async function readPayouts({ pool }: BankSource, { merchantId, mode }: BankScope): Promise<Payout[]> {
  const payouts: Payout[] = [];
  for (let after: Payout | undefined; payouts.length < ROWS_MAX; after = payouts.at(-1)) {
    const { rows }: { rows: Payout[] } = await pool.query<Payout>({
      name: 'bank-payouts',
      text: `${PAYOUT} FROM settlement WHERE ${PAID} AND ($3::date IS NULL OR (settlement.settled_on, settlement.id) > ($3, $4::uuid))
ORDER BY settlement.settled_on, settlement.id LIMIT ${PAGE}`,
      values: [merchantId, mode, after?.settledOn ?? null, after?.settlementId ?? null],
    });
    payouts.push(...rows);
    if (rows.length < PAGE) break;
  }
  return payouts;
}

/** The lines that are wanted: the others of a busy bank account need not be held in memory. */
export async function readLines(
  { pool }: BankSource,
  { merchantId, mode }: BankScope,
  isWanted: (line: BankLine) => boolean,
): Promise<BankLine[]> {
  const lines: BankLine[] = [];
  for (let after: BankLine | undefined; lines.length < ROWS_MAX; ) {
    const { rows }: { rows: BankLine[] } = await pool.query<BankLine>({
      name: 'bank-lines',
      text: `
SELECT id AS "bankLineId", dedupe_key AS "dedupeKey", bank_account AS "bankAccount", trim_scale(amount)::text AS amount,
  currency::text AS currency, booked_on::text AS "bookedOn", text
FROM bank_line WHERE merchant_id = $1 AND mode = $2::mode AND ($3::date IS NULL OR (booked_on, id) > ($3, $4::uuid))
ORDER BY booked_on, id LIMIT ${PAGE}`,
      values: [merchantId, mode, after?.bookedOn ?? null, after?.bankLineId ?? null],
    });
    lines.push(...rows.filter(isWanted));
    after = rows.at(-1);
    if (rows.length < PAGE) break;
  }
  return lines;
}

/** Decisions of people about a merchant's lines. */
export async function readDecisions({ pool }: BankSource, { merchantId }: BankScope): Promise<BankDecision[]> {
  const { rows } = await pool.query<BankDecision>({
    name: 'bank-decisions',
    text: `
SELECT bank_line_id AS "bankLineId", settlement_id AS "settlementId", is_linked AS "isLinked" FROM bank_decision
WHERE merchant_id = $1 ORDER BY bank_line_id, settlement_id LIMIT ${ROWS_MAX}`,
    values: [merchantId],
  });
  return rows;
}

/** Stores what matching found in place of what it found before. Returns how many links are new, and how many are gone. */
export async function replaceMatches(
  transaction: Prisma.TransactionClient,
  { merchantId, mode }: BankScope,
  links: readonly BankLink[],
  now: Date,
): Promise<{ readonly added: number; readonly removed: number }> {
  const found = JSON.stringify(links);
  const removed = await transaction.$executeRaw`
    DELETE FROM bank_match USING bank_line AS line
    WHERE bank_match.merchant_id = ${merchantId}::uuid AND line.merchant_id = ${merchantId}::uuid AND line.id = bank_match.bank_line_id
      AND line.mode = ${mode}::mode
      AND NOT EXISTS (SELECT FROM jsonb_to_recordset(${found}::jsonb) AS link("bankLineId" uuid, "settlementId" uuid)
        WHERE link."bankLineId" = bank_match.bank_line_id AND link."settlementId" = bank_match.settlement_id)`;
  const [row] = await transaction.$queryRaw<{ added: number }[]>`
    WITH written AS (
      INSERT INTO bank_match (merchant_id, bank_line_id, settlement_id, matched_by, created_at)
      SELECT ${merchantId}::uuid, link."bankLineId", link."settlementId", link.by, ${now}
      FROM jsonb_to_recordset(${found}::jsonb) AS link("bankLineId" uuid, "settlementId" uuid, by text)
      ON CONFLICT (merchant_id, bank_line_id, settlement_id) DO UPDATE SET matched_by = excluded.matched_by
        WHERE bank_match.matched_by <> excluded.matched_by
      RETURNING xmax = 0 AS is_new)
    SELECT count(*) FILTER (WHERE is_new)::int AS added FROM written`;
  return { added: row?.added ?? 0, removed };
}

/** Requests matching a merchant's payouts with its bank, where it has statements. */
export async function requestBankMatch({ resources }: SettlementContext, { merchantId, accountId }: AccountKey): Promise<void> {
  const { configuration, database } = resources;
  const mode = configuration.account(accountId)?.account.mode;
  if (mode === undefined || !(await hasStatements(database, { merchantId, mode }))) return;
  await database.prisma.$transaction((transaction) => enqueueBankMatch(transaction, { merchantId, mode }, null));
}

/** Queues matching in the transaction of what it follows: at once, or to judge what is open when no more has come by a moment. */
export function enqueueBankMatch(
  transaction: Prisma.TransactionClient,
  { merchantId, mode }: BankScope,
  judgedAt: Date | null,
): Promise<void> {
  const queue = `match-bank:${merchantId}:${mode}`;
  const options = judgedAt === null ? { key: queue, queue } : { key: `judge-bank:${merchantId}:${mode}`, queue, runAt: judgedAt };
  return enqueueJob(transaction, 'match-bank', { merchantId, mode }, options);
}
