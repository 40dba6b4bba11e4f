import { minorToDecimal, readMinor } from '../amount.ts';
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
import type { WireRequest } from '../http.ts';
import { type FetchedPage, fetchNumberedPage, pageOutcome, readRows } from '../list-answers.ts';
import { baseUrl, title } from './account.ts';
import { unanswered } from './answers.ts';
import { callInterswitch } from './call.ts';
import { methodOf, type Service, settings } from './settings.ts';
import { transactionIdOf } from './verdict.ts';
import {
  currencyFrom,
  listedStatusOf,
  type PaymentRow,
  paymentListSchema,
  type RefundRow,
  readWireTime,
  refundListSchema,
  refundStateOf,
} from './wire.ts';

const searchPath = '/switch-online-gateway-service/api/v1/gateway/quick-search';

/** A page of `POST …/quick-search`; see {@link Gateway.listPayments}. A search whose rows name no reference or no code is unreadable. */
export async function listPayments(
  account: AccountAccess,
  query: ListQuery,
  options: CallOptions,
): Promise<Outcome<ListPage<ListedPayment>>> {
  const { firstDay, lastDay } = daysOf(query);
  const fetched = await fetchPage(account, query, options, 'search', (page) => ({
    method: 'POST',
    path: `${searchPath}?${new URLSearchParams({ page_number: String(page), page_size: String(settings.paymentsPerPage) })}`,
    body: { merchant_code: account.credentials.merchantCode, start_date: firstDay, end_date: lastDay },
  }));
  if (fetched.kind === 'failed') return fetched.outcome;
  const parsed = paymentListSchema.safeParse(fetched.reply.json);
  if (!parsed.success || fetched.reply.status >= 400) return unanswered(fetched.reply);
  const { pageNumber: given, totalPages: last, data } = parsed.data;
  return pageOutcome(title, fetched.reply, query, { asked: fetched.page, given, last, rows: readRows(data, readPayment) });
}

/**
 * A page of the merchant's refunds. The list has no filter by payment, so they are filtered here; a refund that names no payment is
 * kept, as it may be one of these.
 */
export async function listRefunds(
  account: AccountAccess,
  query: RefundListQuery,
  options: CallOptions,
): Promise<Outcome<ListPage<ListedRefund>>> {
  const { firstDay, lastDay } = daysOf(query);
  const fetched = await fetchPage(account, query, options, 'paymentGateway', (page) => {
    const search = new URLSearchParams({
      merchantCode: account.credentials.merchantCode ?? '',
      startDate: firstDay,
      endDate: lastDay,
      pageNumber: String(page),
      pageSize: String(settings.refundsPerPage),
    });
    return { method: 'GET', path: `${settings.refundListPath}?${search}`, body: null };
  });
  if (fetched.kind === 'failed') return fetched.outcome;
  const parsed = refundListSchema.safeParse(fetched.reply.json);
  if (!parsed.success || fetched.reply.status >= 400) return unanswered(fetched.reply);
  const { pageNumber: given, totalPages: last, data } = parsed.data;
  const all = readRows(data, readRefund);
  const rows = all === null ? null : ofPayment(all, query.paymentReference);
  return pageOutcome(title, fetched.reply, query, { asked: fetched.page, given, last, rows });
}

function ofPayment(rows: readonly ListedRefund[], paymentReference: string | null): readonly ListedRefund[] {
  if (paymentReference === null) return rows;
  return rows
    .filter((row) => row.paymentReference === paymentReference || row.paymentReference === null)
    .map((row) => ({ ...row, paymentReference }));
}

function fetchPage(
  account: AccountAccess,
  query: ListQuery,
  options: CallOptions,
  service: Service,
  requestOf: (page: number) => Pick<WireRequest, 'method' | 'path' | 'body'>,
): Promise<FetchedPage> {
  const list = {
    title,
    url: baseUrl + requestOf(1).path,
    fetch: (page: number) =>
      callInterswitch(account, service, { ...requestOf(page), repeatable: true, maxBytes: maxPageBytes, ...options }),
  };
  return fetchNumberedPage(list, query);
}

/** The days in UTC and in Lagos that a period touches, the last included. */
function daysOf(query: ListQuery): { readonly firstDay: string; readonly lastDay: string } {
  const lastInstant = new Date(query.to.getTime() - 1 + settings.zoneOffsetMs);
  return { firstDay: query.from.toISOString().slice(0, 10), lastDay: lastInstant.toISOString().slice(0, 10) };
}

function readPayment(row: PaymentRow): ListedPayment | null {
  const kobo = readMinor(row.transaction_amount);
  const currency = currencyFrom(row.currency_code);
  const createdAt = readWireTime(row.transaction_date);
  const transactionId = transactionIdOf(row.retrieval_reference_number, row.transaction_id) ?? row.merchant_reference;
  if (kobo === null || currency === null || createdAt === null || transactionId === null) return null;
  const status = listedStatusOf(row.response_code);
  return {
    reference: row.merchant_reference,
    transactionId,
    status,
    amount: minorToDecimal(kobo),
    fee: null,
    currency,
    method: methodOf[row.payment_channel ?? ''] ?? null,
    createdAt,
    paidAt: status === 'paid' ? createdAt : null,
  };
}

function readRefund(row: RefundRow): ListedRefund | null {
  const kobo = readMinor(row.refundAmount);
  const createdAt = readWireTime(row.createdDate);
  if (kobo === null || createdAt === null) return null;
  return {
    gatewayRefundId: row.refundReference,
    paymentReference: row.parentTransactionReference ?? null,
    transactionId: row.parentPaymentId ?? null,
    amount: minorToDecimal(kobo),
    currency: null,
    state: refundStateOf(row.refundStatus),
    note: [row.refundReference, row.reasonForRefund].filter((part) => part !== null && part !== undefined).join(' '),
    createdAt,
  };
}
