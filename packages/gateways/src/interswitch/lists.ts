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
import type { WireReply, WireRequest } from '../http.ts';
import { type FetchedPage, fetchNumberedPage, pageOutcome, readRows, unknownCursor } from '../list-answers.ts';
import { protocolViolation, toLookupFailure } from '../outcomes.ts';
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

/**
 * A page of `POST …/quick-search`; see {@link Gateway.listPayments}. A search whose rows name no reference or no code is unreadable.
 *
 * "Quick Search" (https://docs.interswitchgroup.com/docs/quick-search): the client ID in a header, which one edition calls `client_id` and
 * the other `ClientId`; `start_date` compulsory; `cursor`, blank in the first call, is the "value to send in your next request, so you can
 * query the next set of data". Answers of the earlier edition have `totalPages` and no cursor: then pages go by their numbers.
 */
export async function listPayments(
  account: AccountAccess,
  query: ListQuery,
  options: CallOptions,
): Promise<Outcome<ListPage<ListedPayment>>> {
  const asked = readSearchCursor(query.cursor);
  if (asked === null) return unknownCursor(title, baseUrl + searchPath);
  const { firstDay, lastDay } = daysOf(query);
  const { clientId = '', merchantCode = '' } = account.credentials;
  const paging = new URLSearchParams({ page_number: String(asked.page), page_size: String(settings.paymentsPerPage) });
  const reply = await callInterswitch(account, 'search', {
    method: 'POST',
    path: `${searchPath}?${paging}`,
    headers: { client_id: clientId, clientid: clientId },
    body: { merchant_code: merchantCode, start_date: firstDay, end_date: lastDay, cursor: asked.cursor },
    repeatable: true,
    maxBytes: maxPageBytes,
    ...options,
  });
  if (reply.kind === 'failed') return toLookupFailure(reply.failed, reply.call);
  const parsed = paymentListSchema.safeParse(reply.json);
  if (!parsed.success || reply.status >= 400) return unanswered(reply);
  const { pageNumber, totalPages, cursor: following, data } = parsed.data;
  const rows = readRows(data, readPayment);
  if (following !== null && following !== undefined && following !== '') {
    return cursorPage(reply, query, { rows, next: `cursor:${following}`, repeats: following === asked.cursor });
  }
  // The last page by cursor; a page by cursor has no number of its own.
  if (asked.cursor !== '') return cursorPage(reply, query, { rows, next: null, repeats: false });
  if (pageNumber === undefined || totalPages === undefined) {
    // Without a cursor and a number of pages, a full page may be followed by another that nothing leads to.
    const mayHaveMore = following === undefined && data.length >= settings.paymentsPerPage;
    return cursorPage(reply, query, { rows, next: null, repeats: mayHaveMore });
  }
  return pageOutcome(title, reply, query, { asked: asked.page, given: pageNumber, last: totalPages, rows });
}

/** The page or the cursor to ask for, or null when the cursor is not one of ours. */
function readSearchCursor(cursor: string | null): { readonly page: number; readonly cursor: string } | null {
  if (cursor === null) return { page: 1, cursor: '' };
  if (/^[1-9]\d{0,5}$/.test(cursor)) return { page: Number(cursor), cursor: '' };
  const given = /^cursor:([\x21-\x7e]{1,1000})$/.exec(cursor)?.[1];
  return given === undefined ? null : { page: 1, cursor: given };
}

/** A page that names the next one by a cursor. One that leads back to itself, or nowhere, is a protocol violation. */
function cursorPage(
  reply: Extract<WireReply, { kind: 'answer' }>,
  query: ListQuery,
  page: { readonly rows: readonly ListedPayment[] | null; readonly next: string | null; readonly repeats: boolean },
): Outcome<ListPage<ListedPayment>> {
  if (page.rows === null || page.repeats) return toLookupFailure(protocolViolation(title, reply), reply.call);
  const rows = page.rows.filter((row) => row.createdAt >= query.from && row.createdAt < query.to);
  return { outcome: 'yes', value: { rows, nextCursor: page.next }, call: reply.call };
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
