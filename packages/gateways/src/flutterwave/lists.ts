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
import { type FetchedPage, fetchNumberedPage, pageOutcome, readRows, readTime } from '../list-answers.ts';
import { baseUrl, callFlutterwave, title } from './account.ts';
import { unanswered } from './answers.ts';
import { methodOf, settings } from './settings.ts';
import {
  listedStatusOf,
  type RefundRow,
  refundListSchema,
  refundStateOf,
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
  if (!parsed.success || fetched.reply.status >= 400) return unanswered(fetched.reply);
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
  if (!parsed.success || fetched.reply.status >= 400) return unanswered(fetched.reply);
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

function fetchPage(account: AccountAccess, path: string, query: ListQuery, options: CallOptions): Promise<FetchedPage> {
  const lastInstant = new Date(query.to.getTime() - 1 + settings.dayMayBeginEarlierMs);
  const list = {
    title,
    url: baseUrl + path,
    fetch(page: number) {
      const search = new URLSearchParams({ from: dayOf(query.from), to: dayOf(lastInstant), page: String(page) });
      return callFlutterwave(account, {
        method: 'GET',
        path: `${path}?${search}`,
        body: null,
        repeatable: true,
        maxBytes: maxPageBytes,
        ...options,
      });
    },
  };
  return fetchNumberedPage(list, query);
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
    transactionId: row.transaction_id ?? row.tx_id ?? null,
    amount,
    currency: row.currency ?? null,
    state: refundStateOf(row.status, row.meta),
    note: row.comment ?? row.comments ?? null,
    createdAt,
  };
}
