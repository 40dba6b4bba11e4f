import { compareDecimals, readDecimal } from '../amount.ts';
import { maxPageBytes } from '../connections.ts';
import type {
  AccountAccess,
  CallOptions,
  ListedPayment,
  ListedRefund,
  ListPage,
  ListQuery,
  Outcome,
  RefundListQuery,
} from '../gateway.ts';
import { callGateway, type WireReply } from '../http.ts';
import { pageNumber, pageOutcome, readRows, readTime, unknownCursor } from '../list-answers.ts';
import { callNotMade, failure, protocolViolation, toLookupFailure } from '../outcomes.ts';
import { accessOf, baseUrl, title } from './account.ts';
import { methodOf, settings } from './settings.ts';
import {
  listedStatusOf,
  type RefundRow,
  refundListSchema,
  refundStateOf,
  refusalSchema,
  type TransactionRow,
  transactionListSchema,
} from './wire.ts';

/** A page of `GET /transactions`; see {@link Gateway.listPayments}. */
export async function listPayments(
  account: AccountAccess,
  query: ListQuery,
  options: CallOptions,
): Promise<Outcome<ListPage<ListedPayment>>> {
  const fetched = await fetchPage(account, '/transactions', query, options);
  if (fetched.kind === 'failed') return fetched.outcome;
  const parsed = transactionListSchema.safeParse(fetched.reply.json);
  if (!parsed.success || fetched.reply.status >= 400) return refused(fetched.reply);
  const { current_page: given, total_pages: last } = parsed.data.meta.page_info;
  const rows = readRows(parsed.data.data, readPayment);
  return pageOutcome(title, fetched.reply, query, { asked: fetched.page, given, last, rows });
}

/**
 * Refunds of the transaction with the id given, or of all of them. The list has no filter by transaction, so they are
 * filtered here; a refund that names no transaction is kept, as it may be one of these.
 */
export async function listRefundsOf(
  account: AccountAccess,
  query: RefundListQuery,
  options: CallOptions,
): Promise<Outcome<ListPage<ListedRefund>>> {
  const fetched = await fetchPage(account, '/refunds', query, options);
  if (fetched.kind === 'failed') return fetched.outcome;
  const parsed = refundListSchema.safeParse(fetched.reply.json);
  if (!parsed.success || fetched.reply.status >= 400) return refused(fetched.reply);
  const { current_page: given, total_pages: last } = parsed.data.meta.page_info;
  const all = readRows(parsed.data.data, readRefund);
  const rows = all === null ? null : pick(all, query);
  return pageOutcome(title, fetched.reply, query, { asked: fetched.page, given, last, rows });
}

function pick(rows: readonly ListedRefund[], query: RefundListQuery): readonly ListedRefund[] {
  const { transactionId, paymentReference } = query;
  if (transactionId === null) return rows;
  return rows
    .filter((row) => row.transactionId === transactionId || row.transactionId === null)
    .map((row) => (row.transactionId === null ? row : { ...row, paymentReference }));
}

type Answer = Extract<WireReply, { kind: 'answer' }>;
type Unknown = Extract<Outcome<never>, { outcome: 'unknown' }>;
type Asked =
  | { readonly kind: 'answered'; readonly reply: Answer; readonly page: number }
  | { readonly kind: 'failed'; readonly outcome: Unknown };

async function fetchPage(account: AccountAccess, path: string, query: ListQuery, options: CallOptions): Promise<Asked> {
  const access = accessOf(account);
  if (access.kind === 'unusable') {
    const call = callNotMade('GET', baseUrl + path);
    return { kind: 'failed', outcome: { outcome: 'unknown', failure: access.failure, call } };
  }
  const page = pageNumber(query.cursor);
  if (page === null) return { kind: 'failed', outcome: unknownCursor(title, access.baseUrl + path) };
  const lastInstant = new Date(query.to.getTime() - 1 + settings.dayMayBeginEarlierMs);
  const search = new URLSearchParams({ from: dayOf(query.from), to: dayOf(lastInstant), page: String(page) });
  const reply = await callGateway({
    ...access,
    method: 'GET',
    path: `${path}?${search}`,
    body: null,
    repeatable: true,
    maxBytes: maxPageBytes,
    ...options,
  });
  if (reply.kind === 'failed') return { kind: 'failed', outcome: toLookupFailure(reply.failed, reply.call) };
  return { kind: 'answered', reply, page };
}

function dayOf(time: Date): string {
  return time.toISOString().slice(0, 10);
}

function readPayment(row: TransactionRow): ListedPayment | null {
  const requested = readDecimal(row.amount);
  const charged = row.charged_amount === null || row.charged_amount === undefined ? requested : readDecimal(row.charged_amount);
  const createdAt = readTime(row.created_at);
  if (requested === null || charged === null || createdAt === null) return null;
  const status = listedStatusOf(row.status);
  return {
    reference: row.tx_ref ?? null,
    transactionId: row.id,
    status,
    // The charged amount exceeds the order's where the customer bears the fee. Where it is less, it is all that was received.
    amount: compareDecimals(charged, requested) < 0 ? charged : requested,
    fee: row.app_fee === null || row.app_fee === undefined ? null : readDecimal(row.app_fee),
    currency: row.currency,
    method: methodOf[row.payment_type ?? ''] ?? null,
    createdAt,
    paidAt: status === 'paid' ? createdAt : null,
  };
}

function readRefund(row: RefundRow): ListedRefund | null {
  const amount = readDecimal(row.amount_refunded);
  const createdAt = readTime(row.created_at);
  if (amount === null || createdAt === null) return null;
  return {
    gatewayRefundId: row.id,
    paymentReference: null,
    transactionId: row.tx_id ?? null,
    amount,
    currency: row.currency ?? null,
    state: refundStateOf(row.status, row.meta),
    note: row.comments ?? null,
    createdAt,
  };
}

function refused(reply: Answer): Unknown {
  const refusal = refusalSchema.safeParse(reply.json);
  if (!refusal.success) return toLookupFailure(protocolViolation(title, reply), reply.call);
  const said = reply.redactor.text(refusal.data.message ?? 'no reason given');
  const reason = failure('our_configuration', 'request_rejected', `${title} refused: ${said}`);
  return { outcome: 'unknown', failure: reason, call: reply.call };
}
