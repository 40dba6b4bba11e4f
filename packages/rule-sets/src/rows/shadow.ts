import { type Database, isUuid, type JsonValue, toPrismaJson } from '@switchyard/db';
import type { Mode, PaymentStatus, Prisma, ShadowEnd, ShadowRun } from '@switchyard/db/client';
import type { RoutablePayment, UsedKeys } from '@switchyard/routing';
import type { ComparedPayments, OrderComparison } from '@switchyard/routing/replay';
import { type KeyColumns, keyColumns } from '../past-keys.ts';
import { readDecision } from '../snapshot/read-inputs.ts';
import { ROUTABLE_COLUMNS, type RoutableRow, withRoutablePayment } from '../snapshot/routing-snapshot.ts';

type Client = Prisma.TransactionClient | Database['prisma'];

/** A run to store; it has looked at nothing yet. */
export interface NewShadowRun {
  readonly merchantId: string;
  readonly id: string;
  readonly mode: Mode;
  readonly draftId: string;
  readonly draftRevision: number;
  readonly document: JsonValue;
  readonly startedBy: string;
  readonly startedAt: Date;
  readonly endsAt: Date;
}

/** Inserts a run in the caller's transaction. */
export async function insertShadowRun(transaction: Prisma.TransactionClient, run: NewShadowRun): Promise<ShadowRun> {
  const { document, ...rest } = run;
  return transaction.shadowRun.create({ data: { ...rest, document: toPrismaJson(document), scannedTo: run.startedAt } });
}

/** The draft's last run, ended or not, or null. */
export async function findLastShadowRun(client: Client, merchantId: string, draftId: string): Promise<ShadowRun | null> {
  if (!isUuid(merchantId) || !isUuid(draftId)) return null;
  return client.shadowRun.findFirst({ where: { merchantId, draftId }, orderBy: [{ startedAt: 'desc' }, { id: 'desc' }] });
}

/** When the open runs of a merchant and mode end, by their drafts. */
export async function readOpenShadowEnds(
  client: Client,
  { merchantId, mode }: { readonly merchantId: string; readonly mode: Mode },
): Promise<ReadonlyMap<string, Date>> {
  const runs = await client.shadowRun.findMany({
    where: { merchantId, mode, endedAt: null },
    select: { draftId: true, endsAt: true },
  });
  return new Map(runs.map(({ draftId, endsAt }) => [draftId, endsAt]));
}

/** How many runs of a merchant and mode have not ended. */
export async function countOpenShadowRuns(
  client: Client,
  { merchantId, mode }: { readonly merchantId: string; readonly mode: Mode },
): Promise<number> {
  return client.shadowRun.count({ where: { merchantId, mode, endedAt: null } });
}

/** Runs that have not ended, of all merchants, the one looked at longest ago first. */
export async function listOpenShadowRuns(database: Database, limit: number): Promise<ShadowRun[]> {
  return database.prisma.shadowRun.findMany({
    where: { endedAt: null },
    orderBy: [{ scannedTo: 'asc' }, { id: 'asc' }],
    take: limit,
  });
}

/** Ends a draft's run; false when none is open. */
export async function endShadowRun(
  client: Client,
  { merchantId, draftId }: { readonly merchantId: string; readonly draftId: string },
  end: { readonly ended: ShadowEnd; readonly endedAt: Date },
): Promise<boolean> {
  const { count } = await client.shadowRun.updateMany({ where: { merchantId, draftId, endedAt: null }, data: end });
  return count > 0;
}

/** A payment that a run has not decided yet. */
export interface UndecidedPayment extends KeyColumns {
  readonly paymentId: string;
  readonly createdAt: Date;
  readonly currency: string;
  readonly method: string | null;
  /** The stored decision and its inputs, as JSON. */
  readonly routing: unknown;
  readonly inputs: unknown;
  /** The payment as routing read it. */
  readonly payment: RoutablePayment;
}

interface UndecidedRow extends Omit<UndecidedPayment, 'payment' | 'routing' | 'inputs'>, RoutableRow {
  readonly packedDecision: Uint8Array;
}

const undecided = (used: UsedKeys | null) => `
SELECT payment.id AS "paymentId", payment.created_at AS "createdAt", payment.packed_decision AS "packedDecision", ${ROUTABLE_COLUMNS},
  ${keyColumns(used)}
FROM payment
WHERE payment.merchant_id = $1 AND payment.mode = $2 AND payment.created_at >= $3 AND payment.created_at < $4
  AND NOT EXISTS (SELECT FROM shadow_decision
    WHERE shadow_decision.merchant_id = $1 AND shadow_decision.run_id = $5 AND shadow_decision.payment_id = payment.id)
ORDER BY payment.created_at, payment.id LIMIT $6`;

/** The oldest payments of a period that the run has not decided; `from` inclusive, `to` exclusive. `used`: the keys that its rules compare. */
export async function readUndecided(
  { pool }: Database,
  { merchantId, mode, id }: Pick<ShadowRun, 'merchantId' | 'mode' | 'id'>,
  { from, to, used }: { readonly from: Date; readonly to: Date; readonly used: UsedKeys | null },
  limit: number,
): Promise<UndecidedPayment[]> {
  const values = [merchantId, mode, from, to, id, limit];
  const { rows } = await pool.query<UndecidedRow>(undecided(used), values);
  return rows.map(({ packedDecision, ...row }) => withRoutablePayment({ ...row, ...readDecision({ packedDecision }) }));
}

/** A decision in shadow to store. */
export interface NewShadowDecision {
  readonly paymentId: string;
  readonly createdAt: Date;
  readonly currency: string;
  readonly method: string | null;
  readonly result: OrderComparison | 'UNREADABLE';
  readonly ruleId: string | null;
  readonly liveAccountId: string | null;
  readonly accountId: string | null;
  readonly liveFee: number | null;
  readonly fee: number | null;
}

/** Stores decisions, each payment once, and how far the run has looked. Nothing is stored for a run that has ended meanwhile. */
export async function writeShadowDecisions(
  { prisma }: Database,
  { merchantId, id: runId }: Pick<ShadowRun, 'merchantId' | 'id'>,
  decisions: readonly NewShadowDecision[],
  scannedTo: Date,
): Promise<void> {
  await prisma.$transaction(async (transaction) => {
    const open = { merchantId, id: runId, endedAt: null };
    const { count } = await transaction.shadowRun.updateMany({ where: open, data: { scannedTo } });
    if (count === 0) return;
    await transaction.shadowDecision.createMany({
      data: decisions.map((decision) => ({ ...decision, merchantId, runId })),
      skipDuplicates: true,
    });
  });
}

/** How many payments a run has decided; counting ends at `limit`. */
export async function countShadowDecisions(
  { pool }: Database,
  { merchantId, id }: Pick<ShadowRun, 'merchantId' | 'id'>,
  limit: number,
): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM (
      SELECT FROM shadow_decision WHERE merchant_id = $1 AND run_id = $2 LIMIT $3) AS counted`,
    [merchantId, id, limit],
  );
  return rows[0]?.count ?? 0;
}

/** The readable decisions of a run, those that are alike together, and how many could not be read. */
export interface ShadowComparisons {
  readonly compared: readonly ComparedPayments[];
  readonly unreadable: number;
}

const COMPARISONS = `
SELECT d.result, d.currency, d.method, d.live_account_id AS "from", d.account_id AS "to", payment.account_id AS "servedBy",
  CASE WHEN payment.status IN ('SUCCESS', 'REFUNDED') THEN 'paid' WHEN payment.status = 'FAILED' THEN 'unpaid' ELSE 'open' END AS outcome,
  d.fee IS NOT NULL AND d.live_fee IS NOT NULL AS priced, count(*)::int AS payments, sum(payment.amount)::text AS amount,
  coalesce(sum(d.live_fee), 0)::text AS "liveFees", coalesce(sum(d.fee), 0)::text AS fees
FROM shadow_decision AS d JOIN payment ON payment.merchant_id = d.merchant_id AND payment.id = d.payment_id
WHERE d.merchant_id = $1 AND d.run_id = $2
GROUP BY 1, 2, 3, 4, 5, 6, 7, 8`;

interface ComparedRow extends Omit<ComparedPayments, 'result' | 'amount' | 'fees' | 'why' | 'example'> {
  readonly result: NewShadowDecision['result'];
  readonly priced: boolean;
  readonly amount: string;
  readonly liveFees: string;
  readonly fees: string;
}

/** The decisions of a run, counted by everything that their sum distinguishes, with the present status of their payments. */
export async function readShadowComparisons(
  { pool }: Database,
  { merchantId, id }: Pick<ShadowRun, 'merchantId' | 'id'>,
): Promise<ShadowComparisons> {
  const { rows } = await pool.query<ComparedRow>(COMPARISONS, [merchantId, id]);
  const compared: ComparedPayments[] = [];
  let unreadable = 0;
  for (const { result, priced, amount, liveFees, fees, ...row } of rows) {
    if (result === 'UNREADABLE') unreadable += row.payments;
    else {
      const known = { ...row, result, amount: BigInt(amount), why: null, example: null };
      compared.push({ ...known, fees: priced ? { from: BigInt(liveFees), to: BigInt(fees) } : null });
    }
  }
  return { compared, unreadable };
}

const DIFFERENCES = `
SELECT d.payment_id AS "paymentId", payment.merchant_order_id AS "merchantOrderId", d.created_at AS "createdAt", payment.status,
  payment.amount::text AS amount, d.currency, d.method, d.live_account_id AS "from", d.account_id AS "to",
  d.rule_id AS "ruleId"
FROM shadow_decision AS d JOIN payment ON payment.merchant_id = d.merchant_id AND payment.id = d.payment_id
WHERE d.merchant_id = $1 AND d.run_id = $2 AND d.result = 'MOVED' AND (d.created_at, d.payment_id) < ($3, $4::uuid)
ORDER BY d.created_at DESC, d.payment_id DESC LIMIT $5`;

/** More than every id and time. */
const END: MovedPaymentKey = {
  createdAt: new Date('9999-12-31T00:00:00Z'),
  paymentId: 'ffffffff-ffff-ffff-ffff-ffffffffffff',
};

/** Payments of a run that would have gone elsewhere, newest first. */
export async function listShadowDifferenceRows(
  { pool }: Database,
  { merchantId, id }: Pick<ShadowRun, 'merchantId' | 'id'>,
  after: MovedPaymentKey | null,
  limit: number,
): Promise<MovedPayment[]> {
  const { createdAt, paymentId } = after ?? END;
  type Row = Omit<MovedPayment, 'amount'> & { readonly amount: string };
  const { rows } = await pool.query<Row>(DIFFERENCES, [merchantId, id, createdAt, paymentId, limit]);
  return rows.map((row) => ({ ...row, amount: BigInt(row.amount) }));
}

const DELETE_DECISIONS = `
DELETE FROM shadow_decision AS d USING (
  SELECT old.run_id, old.payment_id FROM shadow_decision AS old
  JOIN shadow_run ON shadow_run.merchant_id = old.merchant_id AND shadow_run.id = old.run_id
  WHERE old.merchant_id = $1 AND shadow_run.merchant_id = $1 AND shadow_run.ended_at < $2
  LIMIT $3 FOR UPDATE OF old SKIP LOCKED) AS gone
WHERE d.merchant_id = $1 AND d.run_id = gone.run_id AND d.payment_id = gone.payment_id`;

const DELETE_RUNS = `
DELETE FROM shadow_run WHERE merchant_id = $1 AND ended_at < $2 AND NOT EXISTS (
  SELECT FROM shadow_decision WHERE shadow_decision.merchant_id = $1 AND shadow_decision.run_id = shadow_run.id)`;

/**
 * Deletes the decisions of a merchant's runs that ended before a time, at most `limit` of them, and runs without any left. Returns how
 * many decisions.
 */
export async function ageOutShadowRuns({ pool }: Database, merchantId: string, before: Date, limit: number): Promise<number> {
  const { rowCount } = await pool.query(DELETE_DECISIONS, [merchantId, before, limit]);
  await pool.query(DELETE_RUNS, [merchantId, before]);
  return rowCount ?? 0;
}

/** A payment that other rules send to another account first: found by a replay, or recorded in shadow. */
export interface MovedPayment {
  readonly paymentId: string;
  readonly merchantOrderId: string;
  readonly createdAt: Date;
  readonly status: PaymentStatus;
  /** Whole main units. */
  readonly amount: bigint;
  readonly currency: string;
  readonly method: string | null;
  /** The first account by the rules in force, and by the others; null for none. */
  readonly from: string | null;
  readonly to: string | null;
  /** The rule of the others that decides it; null for their default order. */
  readonly ruleId: string | null;
}

/** Cursor of a list of moved payments: the last one read. */
export interface MovedPaymentKey {
  readonly createdAt: Date;
  readonly paymentId: string;
}
