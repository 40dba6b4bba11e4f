import type { Database } from '@switchyard/db';
import type { Prisma, SettlementLineKind } from '@switchyard/db/client';
import { SETTLEMENTS_ACTOR } from '../audit.ts';
import type { AccountKey } from '../context.ts';
import type { LedgerEntry, LineLink, MatchLine } from '../matching/entries.ts';

/** A line with its settlement. */
export interface StoredLine extends MatchLine {
  readonly settlementId: string;
}

const LINE = `
SELECT line.id AS "lineId", line.settlement_id AS "settlementId", line.kind::text AS kind, trim_scale(line.amount)::text AS amount,
  line.currency::text AS currency, line.reference, line.transaction_id AS "transactionId", line.occurred_at AS "occurredAt",
  settlement.settled_on::text AS "settledOn", coalesce(line.subjects, '{}') AS subjects
FROM settlement_line AS line
JOIN settlement ON settlement.merchant_id = line.merchant_id AND settlement.id = line.settlement_id AND settlement.status = 'PAID'
WHERE line.merchant_id = $1 AND line.account_id = $2`;

/** A page of the lines that are linked to nothing yet, the newest first; residues never are. */
export async function readUnlinkedLines(
  { pool }: Database,
  { merchantId, accountId }: AccountKey,
  after: string | null,
  limit: number,
): Promise<StoredLine[]> {
  const { rows } = await pool.query<StoredLine>({
    name: 'settlements-unlinked-lines',
    text: `${LINE} AND line.linked_by IS NULL AND line.kind <> 'RESIDUE' AND ($3::uuid IS NULL OR line.id < $3) ORDER BY line.id DESC LIMIT $4`,
    values: [merchantId, accountId, after, limit],
  });
  return rows;
}

/** The lines that are linked to these entries. */
export async function readLinesOf(
  { pool }: Database,
  { merchantId, accountId }: AccountKey,
  entries: readonly LedgerEntry[],
): Promise<StoredLine[]> {
  const paymentIds = [...new Set(entries.map(({ paymentId }) => paymentId))];
  const deducted = entries.filter(({ amount }) => amount.startsWith('-')).map(({ subject }) => subject);
  const ofPayments = pool.query<StoredLine>({
    name: 'settlements-lines-of-payments',
    text: `${LINE} AND line.payment_id = ANY ($3::uuid[])`,
    values: [merchantId, accountId, paymentIds],
  });
  if (deducted.length === 0) return (await ofPayments).rows;
  const ofSeveral = pool.query<StoredLine>({
    name: 'settlements-lines-of-several',
    text: `${LINE} AND line.linked_by = 'AMOUNT_AND_TIME' AND line.payment_id IS NULL AND line.subjects && $3::text[]`,
    values: [merchantId, accountId, deducted],
  });
  const [some, several] = await Promise.all([ofPayments, ofSeveral]);
  return [...some.rows, ...several.rows];
}

/** A link to write. */
export interface NewLink {
  readonly lineId: string;
  readonly by: LineLink['by'];
  /** One, or several of one line. */
  readonly entries: readonly LedgerEntry[];
}

interface SettlementKey {
  readonly merchantId: string;
  readonly settlementId: string;
}

/** Links lines of a settlement that are not linked yet. Returns how many. */
export async function writeLinks(
  transaction: Prisma.TransactionClient,
  key: SettlementKey,
  links: readonly NewLink[],
): Promise<number> {
  let written = 0;
  for (const [by, some] of Map.groupBy(links, (link) => link.by)) written += await writeLinksBy(transaction, key, by, some);
  return written;
}

/**
 * The way of linking is a parameter: Citus makes no enum of a column's text in an UPDATE. The settlement is named, or all that is not linked
 * would be read for each.
 */
function writeLinksBy(
  transaction: Prisma.TransactionClient,
  { merchantId, settlementId }: SettlementKey,
  by: LineLink['by'],
  links: readonly NewLink[],
): Promise<number> {
  const rows = links.map(({ lineId, entries: [first, ...others] }) => {
    const only = others.length === 0 ? first : undefined;
    const { paymentId = null, refundId = null, disputeId = null } = only ?? {};
    const subjects = [first, ...others].flatMap((entry) => (entry === undefined ? [] : [entry.subject]));
    return { id: lineId, subjects, paymentId, refundId, disputeId };
  });
  return transaction.$executeRaw`
    UPDATE settlement_line SET linked_by = ${by}::settlement_linked_by, subjects = link.subjects, payment_id = link."paymentId",
      refund_id = link."refundId", dispute_id = link."disputeId"
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      AS link(id uuid, subjects text[], "paymentId" uuid, "refundId" uuid, "disputeId" uuid)
    WHERE settlement_line.merchant_id = ${merchantId}::uuid AND settlement_line.settlement_id = ${settlementId}::uuid
      AND settlement_line.id = link.id AND settlement_line.linked_by IS NULL`;
}

/** Adds up what a settlement's lines explain, after links of them have changed. */
export async function sumExplained(
  transaction: Prisma.TransactionClient,
  merchantId: string,
  settlementId: string,
  now: Date,
): Promise<void> {
  await transaction.$executeRaw`
    UPDATE settlement SET explained = total.explained, unexplained = total.unexplained, updated_at = ${now}
    FROM (SELECT coalesce(sum(abs(amount)) FILTER (WHERE linked_by IS NOT NULL), 0) AS explained,
        coalesce(sum(abs(amount)) FILTER (WHERE linked_by IS NULL), 0) AS unexplained
      FROM settlement_line WHERE merchant_id = ${merchantId}::uuid AND settlement_id = ${settlementId}::uuid) AS total
    WHERE merchant_id = ${merchantId}::uuid AND id = ${settlementId}::uuid`;
}

/** The charges for these disputes that payouts took off, without a sign; disputes without one are left out. */
export function readDisputeFees(
  transaction: Prisma.TransactionClient,
  merchantId: string,
  disputeIds: readonly string[],
): Promise<{ readonly disputeId: string; readonly fee: string }[]> {
  return transaction.$queryRaw`
    SELECT dispute_id AS "disputeId", trim_scale(-sum(amount))::text AS fee FROM settlement_line
    WHERE merchant_id = ${merchantId}::uuid AND dispute_id = ANY (${disputeIds}::uuid[]) AND kind = 'FEE'
    GROUP BY dispute_id HAVING sum(amount) < 0 ORDER BY dispute_id`;
}

/** A line that is linked to nothing. */
export interface UnmatchedLine {
  readonly lineId: string;
  readonly settlementId: string;
  readonly kind: SettlementLineKind;
  readonly amount: string;
  readonly currency: string;
}

/** A page of them, oldest first, residues among them. */
export async function readUnmatchedLines(
  { pool }: Database,
  { merchantId, accountId }: AccountKey,
  after: string | null,
  limit: number,
): Promise<UnmatchedLine[]> {
  const { rows } = await pool.query<UnmatchedLine>({
    name: 'settlements-unmatched-lines',
    text: `
SELECT line.id AS "lineId", line.settlement_id AS "settlementId", line.kind::text AS kind, trim_scale(line.amount)::text AS amount,
  line.currency::text AS currency
FROM settlement_line AS line
JOIN settlement ON settlement.merchant_id = line.merchant_id AND settlement.id = line.settlement_id AND settlement.status = 'PAID'
WHERE line.merchant_id = $1 AND line.account_id = $2 AND line.linked_by IS NULL AND ($3::uuid IS NULL OR line.id > $3)
ORDER BY line.id LIMIT $4`,
    values: [merchantId, accountId, after, limit],
  });
  return rows;
}

const PAYMENTS_MAX = 300_000;

/** The payments in payouts whose lines or links changed since a moment, in all payouts where it is null. */
export async function readSettledPayments(
  { pool }: Database,
  { merchantId, accountId }: AccountKey,
  since: Date | null,
): Promise<string[]> {
  const { rows } = await pool.query<{ paymentId: string }>({
    name: 'settlements-settled-since',
    text: `
SELECT DISTINCT line.payment_id AS "paymentId" FROM settlement
JOIN settlement_line AS line ON line.merchant_id = settlement.merchant_id AND line.settlement_id = settlement.id
WHERE settlement.merchant_id = $1 AND settlement.account_id = $2 AND settlement.updated_at >= coalesce($3::timestamptz, '-infinity')
  AND line.payment_id IS NOT NULL LIMIT ${PAYMENTS_MAX}`,
    values: [merchantId, accountId, since],
  });
  return rows.map(({ paymentId }) => paymentId);
}

/** The payments that lines were of which people withdrew since a moment: nothing else says that they have to be judged again. */
export async function readWithdrawnPayments(
  { pool }: Database,
  { merchantId, accountId }: AccountKey,
  since: Date,
): Promise<string[]> {
  const { rows } = await pool.query<{ paymentId: string }>({
    name: 'settlements-withdrawn-payments',
    text: `
SELECT DISTINCT line.payment_id AS "paymentId" FROM intake_change AS change
JOIN withdrawn_line AS line ON line.merchant_id = change.merchant_id AND line.change_id = change.id
WHERE change.merchant_id = $1 AND change.account_id = $2 AND change.changed_at >= $3 AND line.payment_id IS NOT NULL LIMIT ${PAYMENTS_MAX}`,
    values: [merchantId, accountId, since],
  });
  return rows.map(({ paymentId }) => paymentId);
}

const OPEN_MAX = 100_000;

/** The payments of the account about which something is open. */
export async function readDisputedPayments({ pool }: Database, { merchantId, accountId }: AccountKey): Promise<string[]> {
  const { rows } = await pool.query<{ paymentId: string }>({
    name: 'settlements-payments-with-discrepancies',
    text: `
SELECT DISTINCT payment_id AS "paymentId" FROM settlement_discrepancy
WHERE merchant_id = $1 AND account_id = $2 AND state = 'OPEN' AND payment_id IS NOT NULL LIMIT ${OPEN_MAX}`,
    values: [merchantId, accountId],
  });
  return rows.map(({ paymentId }) => paymentId);
}

/** The subjects of the account's open discrepancies that begin in one of these ways. */
export async function readOpenSubjects(
  { pool }: Database,
  { merchantId, accountId }: AccountKey,
  beginnings: readonly string[],
): Promise<string[]> {
  const { rows } = await pool.query<{ subject: string }>({
    name: 'settlements-open-subjects',
    text: `
SELECT subject FROM settlement_discrepancy
WHERE merchant_id = $1 AND account_id = $2 AND state = 'OPEN' AND subject LIKE ANY ($3::text[]) ORDER BY subject LIMIT ${OPEN_MAX}`,
    values: [merchantId, accountId, beginnings.map((beginning) => `${beginning}%`)],
  });
  return rows.map(({ subject }) => subject);
}

/**
 * Those of these subjects that have a discrepancy which is open or was closed by a person or a rule. Each is looked up by its key: one condition for
 * all would read every discrepancy of an account where the table has no statistics yet.
 */
export async function readKnownSubjects(
  { pool }: Database,
  { merchantId, accountId }: AccountKey,
  subjects: readonly string[],
): Promise<ReadonlySet<string>> {
  const { rows } = await pool.query<{ subject: string }>({
    name: 'settlements-known-subjects',
    text: `
SELECT wanted.subject FROM unnest($3::text[]) AS wanted(subject) CROSS JOIN LATERAL (
  SELECT FROM settlement_discrepancy AS found WHERE found.merchant_id = $1 AND found.account_id = $2 AND found.subject = wanted.subject
    AND found.resolved_by IS DISTINCT FROM '${SETTLEMENTS_ACTOR}' LIMIT 1) AS known`,
    values: [merchantId, accountId, subjects],
  });
  return new Set(rows.map(({ subject }) => subject));
}

/** An open discrepancy about a line. */
export interface OpenUnmatched extends UnmatchedLine {
  readonly discrepancyId: string;
  /** True if the line is still not linked, and its settlement still paid. */
  readonly unmatched: boolean;
}

/** A page of them, by their ids. */
export async function readOpenUnmatched(
  { pool }: Database,
  { merchantId, accountId }: AccountKey,
  after: string | null,
  limit: number,
): Promise<OpenUnmatched[]> {
  const { rows } = await pool.query<OpenUnmatched>({
    name: 'settlements-open-unmatched',
    text: `
SELECT found.id AS "discrepancyId", line.id AS "lineId", line.settlement_id AS "settlementId", line.kind::text AS kind,
  trim_scale(line.amount)::text AS amount, line.currency::text AS currency,
  line.linked_by IS NULL AND settlement.status = 'PAID' AS unmatched
FROM settlement_discrepancy AS found
JOIN settlement_line AS line ON line.merchant_id = found.merchant_id AND line.id = found.line_id
JOIN settlement ON settlement.merchant_id = line.merchant_id AND settlement.id = line.settlement_id
WHERE found.merchant_id = $1 AND found.account_id = $2 AND found.state = 'OPEN' AND found.kind = 'UNMATCHED'
  AND ($3::uuid IS NULL OR found.id > $3)
ORDER BY found.id LIMIT $4`,
    values: [merchantId, accountId, after, limit],
  });
  return rows;
}
