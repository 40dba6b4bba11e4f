import { readDecimal } from '../amount.ts';
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
import { type FetchedPage, fetchNumberedPage, pageOutcome, readRows } from '../list-answers.ts';
import { baseUrl, title } from './account.ts';
import { unanswered } from './answers.ts';
import { callMonnify } from './calls.ts';
import { methodOf, settings } from './settings.ts';
import {
  listedStatusOf,
  type RefundRow,
  readMonnifyTime,
  refundPageSchema,
  refundStateOf,
  type TransactionRow,
  transactionPageSchema,
} from './wire.ts';

/** A page of `GET /api/v1/transactions/search`; see {@link Gateway.listPayments}. */
export async function listPayments(
  account: AccountAccess,
  query: ListQuery,
  options: CallOptions,
): Promise<Outcome<ListPage<ListedPayment>>> {
  const fetched = await fetchPage(account, '/api/v1/transactions/search', query, {}, options);
  if (fetched.kind === 'failed') return fetched.outcome;
  const { reply, page: asked } = fetched;
  const parsed = transactionPageSchema.safeParse(reply.json);
  if (!parsed.success || reply.status >= 400) return unanswered(reply);
  const { number, totalPages, content } = parsed.data.responseBody;
  return pageOutcome(title, reply, query, { asked, given: number + 1, last: totalPages, rows: readRows(content, readPayment) });
}

/** A page of `GET /api/v1/refunds`: all of them, or those of the transaction with the id given. */
export async function listRefundsOf(
  account: AccountAccess,
  query: RefundListQuery,
  options: CallOptions,
): Promise<Outcome<ListPage<ListedRefund>>> {
  const { transactionId, paymentReference } = query;
  const filter = transactionId === null ? {} : { transactionReference: transactionId };
  const fetched = await fetchPage(account, '/api/v1/refunds', query, filter, options);
  if (fetched.kind === 'failed') return fetched.outcome;
  const { reply, page: asked } = fetched;
  const parsed = refundPageSchema.safeParse(reply.json);
  if (!parsed.success || reply.status >= 400) return unanswered(reply);
  const { number, totalPages, content } = parsed.data.responseBody;
  // The filter is only in a later version of the documentation: rows of other transactions are left out here too.
  const wanted = content.filter((row) => transactionId === null || row.transactionReference === transactionId);
  const rows = readRows(wanted, (row) => readRefund(row, paymentReference));
  return pageOutcome(title, reply, query, { asked, given: number + 1, last: totalPages, rows });
}

/** Monnify counts pages from 0, cursors count from 1. The period is in milliseconds. */
function fetchPage(
  account: AccountAccess,
  path: string,
  query: ListQuery,
  filter: Readonly<Record<string, string>>,
  options: CallOptions,
): Promise<FetchedPage> {
  const list = {
    title,
    url: baseUrl + path,
    fetch(page: number) {
      const search = new URLSearchParams({
        page: String(page - 1),
        size: String(settings.rowsPerPage),
        from: String(query.from.getTime()),
        to: String(query.to.getTime()),
        ...filter,
      });
      return callMonnify(account, {
        method: 'GET',
        path: `${path}?${search}`,
        body: null,
        repeatable: true,
        maxBytes: maxPageBytes,
        timeoutMs: options.timeoutMs,
      });
    },
  };
  return fetchNumberedPage(list, query);
}

function readPayment(row: TransactionRow): ListedPayment | null {
  const status = listedStatusOf(row.paymentStatus);
  const hasMoney = status === 'paid' || status === 'reversed';
  // Some answers leave out what was paid; there the amount requested is all that is known.
  const amount = readDecimal(hasMoney ? (row.amountPaid ?? row.amount) : row.amount);
  const createdAt = readMonnifyTime(row.createdOn);
  if (amount === null || createdAt === null) return null;
  return {
    reference: row.paymentReference ?? null,
    transactionId: row.transactionReference,
    status,
    amount,
    fee: row.fee === null || row.fee === undefined ? null : readDecimal(row.fee),
    currency: row.currencyCode,
    method: methodOf[row.paymentMethod ?? ''] ?? null,
    createdAt,
    paidAt: hasMoney ? readMonnifyTime(row.completedOn) : null,
  };
}

function readRefund(row: RefundRow, paymentReference: string | null): ListedRefund | null {
  const amount = readDecimal(row.refundAmount);
  const createdAt = readMonnifyTime(row.createdOn);
  if (amount === null || createdAt === null) return null;
  return {
    gatewayRefundId: row.refundReference,
    paymentReference,
    transactionId: row.transactionReference,
    amount,
    currency: null,
    state: refundStateOf(row.refundStatus),
    // The refund's own reference is the one it was requested under.
    note: [row.refundReference, row.refundReason ?? ''].join(' ').trim(),
    createdAt,
  };
}
