import { type Database, enqueueJobs } from '@switchyard/db';
import { Prisma } from '@switchyard/db/client';
import { type ListedPayment, type ListedRefund, type ListPage, type Outcome, readAllPages } from '@switchyard/gateways';
import { namedPayment } from '@switchyard/payments/attempts';
import type { OpenAccount } from '@switchyard/runtime';
import { namesIn } from './compare-refunds.ts';
import type { Day } from './days.ts';
import type { FoundDiscrepancy, Ledger, LedgerDuplicate, LedgerPayment, LedgerRefund, Statement } from './ledger.ts';

/* The ledger, for reconciliation. Each query reads one account and is bounded by its arguments or by a page. */

/** The account of a ledger. */
interface LedgerKey {
  readonly merchantId: string;
  readonly accountId: string;
}

const NAMED_PAYMENT = Prisma.raw(namedPayment('reference'));

const LEDGER_ATTEMPT = Prisma.sql`
  SELECT attempt.payment_id AS "paymentId", attempt.id AS "attemptId", payment.merchant_order_id AS "merchantOrderId",
    attempt.reference, attempt.transaction_id AS "transactionId", attempt.state = 'PAID' AS paid,
    trim_scale(CASE WHEN attempt.state = 'PAID' THEN coalesce(attempt.received_amount, payment.amount)
      ELSE payment.amount END)::text AS amount,
    (CASE WHEN attempt.state = 'PAID' THEN coalesce(attempt.received_currency, payment.currency)
      ELSE payment.currency END)::text AS currency,
    payment.status::text AS status, payment.review = 'OPEN' AND payment.review IS NOT NULL AS "underReview",
    coalesce((SELECT sum(refund.amount) FROM refund WHERE refund.merchant_id = attempt.merchant_id
      AND refund.payment_id = attempt.payment_id AND refund.attempt_id = attempt.id AND refund.state <> 'FAILED'), 0)::text AS refunded,
    trim_scale(CASE WHEN attempt.state = 'PAID' AND NOT attempt.duplicate THEN payment.reversed_amount ELSE 0 END)::text AS reversed,
    attempt.state = 'PAID' AND NOT attempt.duplicate AND payment.fee_amount IS NULL AS "lacksFee",
    attempt.created_at AS "createdAt",
    CASE WHEN attempt.state = 'PAID' AND NOT attempt.duplicate THEN payment.paid_at END AS "paidAt"
  FROM attempt JOIN payment ON payment.merchant_id = attempt.merchant_id AND payment.id = attempt.payment_id`;

/** Our attempts under these references; at most as many as there are references. */
export function readLedgerAttempts(
  database: Database,
  { merchantId, accountId }: LedgerKey,
  references: readonly string[],
): Promise<LedgerPayment[]> {
  return database.prisma.$queryRaw<LedgerPayment[]>`${LEDGER_ATTEMPT}
    WHERE attempt.merchant_id = ${merchantId}::uuid AND attempt.account_id = ${accountId}::uuid
      AND attempt.reference = ANY (${references}::text[])
      AND attempt.payment_id = ANY (ARRAY(SELECT ${NAMED_PAYMENT} FROM unnest(${references}::text[]) AS reference))`;
}

/** A page of the attempts made in `[from, to)` that are paid, oldest first. */
export function readPaidAttempts(
  database: Database,
  { merchantId, accountId }: LedgerKey,
  { from, to }: { readonly from: Date; readonly to: Date },
  after: { readonly createdAt: Date; readonly attemptId: string } | null,
  limit: number,
): Promise<LedgerPayment[]> {
  const begin =
    after === null
      ? Prisma.empty
      : Prisma.sql`AND (attempt.created_at, attempt.id) > (${after.createdAt}, ${after.attemptId}::uuid)`;
  return database.prisma.$queryRaw<LedgerPayment[]>`${LEDGER_ATTEMPT}
    WHERE attempt.merchant_id = ${merchantId}::uuid AND attempt.account_id = ${accountId}::uuid AND attempt.state = 'PAID'
      AND attempt.created_at >= ${from} AND attempt.created_at < ${to} ${begin}
    ORDER BY attempt.created_at, attempt.id LIMIT ${limit}`;
}

/** The recorded duplicate charges among these transactions. */
export function readLedgerDuplicates(
  database: Database,
  { merchantId, accountId }: LedgerKey,
  transactionIds: readonly string[],
): Promise<LedgerDuplicate[]> {
  return database.prisma.$queryRaw<LedgerDuplicate[]>`
    SELECT payment_id AS "paymentId", attempt_id AS "attemptId", reference, transaction_id AS "transactionId",
      trim_scale(amount)::text AS amount, currency::text AS currency, state::text AS state
    FROM duplicate_charge WHERE merchant_id = ${merchantId}::uuid AND account_id = ${accountId}::uuid
      AND transaction_id = ANY (${transactionIds}::text[])`;
}

const REFUNDS_MAX = 20_000;

/** Refunds made in `[from, to)`, and those the gateway named by its id or our reference; at most 20,000. */
export function readLedgerRefunds(
  database: Database,
  { merchantId, accountId }: LedgerKey,
  { from, to }: { readonly from: Date; readonly to: Date },
  named: { readonly gatewayRefundIds: readonly string[]; readonly references: readonly string[] },
): Promise<LedgerRefund[]> {
  return database.prisma.$queryRaw<LedgerRefund[]>`
    SELECT id AS "refundId", payment_id AS "paymentId", reference, gateway_refund_id AS "gatewayRefundId", amount::text AS amount,
      currency::text AS currency, state::text AS state, created_at AS "createdAt"
    FROM refund WHERE merchant_id = ${merchantId}::uuid AND account_id = ${accountId}::uuid
      AND ((created_at >= ${from} AND created_at < ${to}) OR gateway_refund_id = ANY (${named.gatewayRefundIds}::text[])
        OR reference = ANY (${named.references}::text[]))
    ORDER BY created_at, id LIMIT ${REFUNDS_MAX}`;
}

/** Records the statement's fees of payments without one. Nothing else of a payment changes. */
export async function recordPaymentFees(
  transaction: Prisma.TransactionClient,
  merchantId: string,
  fees: readonly { readonly paymentId: string; readonly fee: string }[],
): Promise<void> {
  await transaction.$executeRaw`
    UPDATE payment SET fee_amount = stated.fee
    FROM unnest(${fees.map(({ paymentId }) => paymentId)}::uuid[], ${fees.map(({ fee }) => fee)}::numeric[]) AS stated (payment_id, fee)
    WHERE merchant_id = ${merchantId}::uuid AND id = stated.payment_id AND fee_amount IS NULL`;
}

/** Queues verification of attempts that are paid on the statement: one job per transaction, however often it is found. */
export async function requestAttemptChecks(
  transaction: Prisma.TransactionClient,
  merchantId: string,
  attempts: readonly { readonly attemptId: string; readonly transactionId: string }[],
): Promise<void> {
  const jobs = attempts.map(({ attemptId, transactionId }) => ({
    payload: { merchantId, attemptId, transactionId },
    key: `check-attempt:${attemptId}:${transactionId}`,
  }));
  await enqueueJobs(transaction, 'check-attempt', jobs);
}

/** Most milliseconds that a page of a gateway's list takes. */
export const PAGE_TIMEOUT_MS = 20_000;
const BATCH = 1_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** How late an entry of a day can appear on the gateway's statement. */
const LATE_MAX_MS = 4 * DAY_MS;

/** The gateway's statement could not be read completely. */
export class StatementUnreadable extends Error {}

/** Called with the row count of every page; throws to stop reading. */
export type OnPage = (rows: number) => Promise<void>;

type Span = Pick<Day, 'from' | 'to'>;

/** The gateway's statement of a day. Throws {@link StatementUnreadable} with why, in one sentence. */
export async function readStatement(account: OpenAccount, day: Span, onPage: OnPage): Promise<Statement> {
  const payments = await listPayments(account, day, onPage);
  const listed = account.gateway.capabilities.missingLookups?.includes('listRefunds') !== true;
  return { payments, refunds: listed ? await listRefunds(account, day, onPage) : null, elsewhere: new Set() };
}

async function listPayments({ gateway, access }: OpenAccount, span: Span, onPage: OnPage): Promise<readonly ListedPayment[]> {
  const read = (cursor: string | null) => gateway.listPayments(access, { ...span, cursor }, { timeoutMs: PAGE_TIMEOUT_MS });
  return readable(await readAllPages(counting(read, onPage), (row) => row.transactionId));
}

async function listRefunds({ gateway, access }: OpenAccount, span: Span, onPage: OnPage): Promise<readonly ListedRefund[]> {
  const all = { ...span, paymentReference: null, transactionId: null };
  const read = (cursor: string | null) => gateway.listRefunds(access, { ...all, cursor }, { timeoutMs: PAGE_TIMEOUT_MS });
  return readable(await readAllPages(counting(read, onPage), (row) => row.gatewayRefundId));
}

function counting<T>(read: (cursor: string | null) => Promise<Outcome<ListPage<T>>>, onPage: OnPage): typeof read {
  return async (cursor) => {
    const page = await read(cursor);
    if (page.outcome === 'yes') await onPage(page.value.rows.length);
    return page;
  };
}

function readable<T>(outcome: Outcome<T>): T {
  if (outcome.outcome === 'yes') return outcome.value;
  throw new StatementUnreadable(outcome.failure.message);
}

/** The ledger of a day, with the entries that the statement refers to. */
export async function readLedger(database: Database, key: LedgerKey, day: Span, statement: Statement): Promise<Ledger> {
  const references = [...new Set(statement.payments.flatMap(({ reference }) => reference ?? []))];
  const found = new Map<string, LedgerPayment>();
  for (const some of batches(references)) {
    for (const attempt of await readLedgerAttempts(database, key, some)) found.set(attempt.attemptId, attempt);
  }
  for (let after: LedgerPayment | null = null; ; ) {
    const page: LedgerPayment[] = await readPaidAttempts(database, key, day, after, BATCH);
    for (const attempt of page) found.set(attempt.attemptId, attempt);
    after = page.at(-1) ?? null;
    if (page.length < BATCH) break;
  }
  const duplicates = [];
  for (const some of batches(statement.payments.map(({ transactionId }) => transactionId))) {
    duplicates.push(...(await readLedgerDuplicates(database, key, some)));
  }
  const refunds = statement.refunds ?? [];
  const named = {
    gatewayRefundIds: refunds.map(({ gatewayRefundId }) => gatewayRefundId),
    references: refunds.flatMap(({ note }) => namesIn(note)),
  };
  return { payments: [...found.values()], duplicates, refunds: await readLedgerRefunds(database, key, day, named) };
}

/** Rows of one statement each. */
export function batches<T>(all: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(all.length / BATCH) }, (_, at) => all.slice(at * BATCH, (at + 1) * BATCH));
}

/**
 * Searches the neighbouring days for ledger entries that the statement lacks: some gateways date a payment by its checkout, some by
 * the customer's submission, and clocks differ at midnight. Returns the ids and references found there.
 */
export async function readNeighbouringDays(
  account: OpenAccount,
  day: Span,
  missing: readonly FoundDiscrepancy[],
  ledger: Ledger,
  asOf: Date,
  onPage: OnPage,
): Promise<ReadonlySet<string>> {
  const spans = neighbouringSpans(day, latestPayment(missing, ledger, day), asOf);
  const seen = new Set<string>();
  if (missing.some(({ about }) => about === 'payment')) {
    for (const span of spans) {
      for (const row of await listPayments(account, span, onPage)) {
        seen.add(row.transactionId);
        if (row.reference !== null) seen.add(row.reference);
      }
    }
  }
  if (missing.some(({ about }) => about === 'refund')) {
    for (const span of neighbouringSpans(day, new Date(day.to.getTime() + DAY_MS), asOf)) {
      for (const row of await listRefunds(account, span, onPage)) {
        for (const name of [row.gatewayRefundId, ...namesIn(row.note)]) seen.add(name);
      }
    }
  }
  return seen;
}

function latestPayment(missing: readonly FoundDiscrepancy[], ledger: Ledger, day: Span): Date {
  const sought = new Set(missing.map(({ reference }) => reference));
  const times = ledger.payments
    .filter(({ reference }) => sought.has(reference))
    .map(({ paidAt }) => (paidAt ?? new Date(day.to.getTime() + DAY_MS)).getTime() + HOUR_MS);
  return new Date(Math.min(Math.max(day.to.getTime() + HOUR_MS, ...times), day.to.getTime() + LATE_MAX_MS));
}

function neighbouringSpans(day: Span, until: Date, asOf: Date): Span[] {
  const end = until < asOf ? until : asOf;
  const before = { from: new Date(day.from.getTime() - HOUR_MS), to: day.from };
  return end > day.to ? [before, { from: day.to, to: end }] : [before];
}
