import { getPage } from '../access.ts';
import { readMinorAsDecimal } from '../amount.ts';
import { maxPageBytes } from '../connections.ts';
import type { Gateway, ListedPayment, ListedRefund, ListQuery } from '../gateway.ts';
import { dayOf, type ListPlace, type NextPage, nextNumber, readPage, readRows } from '../list-answers.ts';
import type { Redactor } from '../redact.ts';
import { readRefundState, readWord } from '../states.ts';
import { api, callInterswitch } from './api.ts';
import { methodOf, settings } from './settings.ts';
import { transactionIdOf } from './verdict.ts';
import {
  currencyFrom,
  listedStatusOf,
  type PaymentList,
  type PaymentRow,
  paymentListSchema,
  type RefundRow,
  readWireTime,
  refundListSchema,
  refundStates,
} from './wire.ts';

const searchPath = '/switch-online-gateway-service/api/v1/gateway/quick-search';

/**
 * A page of `POST …/quick-search`; see {@link Gateway.listPayments}. A search whose rows name no reference or no code is unreadable.
 *
 * "Quick Search" (https://docs.interswitchgroup.com/docs/quick-search): the client ID in a header, which one edition calls `client_id` and
 * the other `ClientId`; `start_date` compulsory; `cursor`, blank in the first call, is the "value to send in your next request, so you can
 * query the next set of data". Answers of the earlier edition have `totalPages` and no cursor: then pages go by their numbers.
 */
export const listPayments: Gateway['listPayments'] = (account, query, options) => {
  const { clientId = '', merchantCode = '' } = account.credentials;
  const { firstDay, lastDay } = daysOf(query);
  const rowsPerPage = query.rowsPerPage ?? settings.paymentsPerPage;
  return readPage(api, query, {
    path: searchPath,
    mark: 'cursor',
    schema: paymentListSchema,
    fetchPage({ page, token }) {
      const paging = new URLSearchParams({ page_number: String(page), page_size: String(rowsPerPage) });
      return callInterswitch(account, 'search', {
        method: 'POST',
        path: `${searchPath}?${paging}`,
        headers: { client_id: clientId, clientid: clientId },
        body: { merchant_code: merchantCode, start_date: firstDay, end_date: lastDay, cursor: token ?? '' },
        repeatable: true,
        maxBytes: maxPageBytes,
        ...options,
      });
    },
    read: (list, place) => ({ rows: readRows(list.data, readPayment), next: nextOf(list, place, rowsPerPage) }),
  });
};

function nextOf({ cursor, pageNumber, totalPages, data }: PaymentList, place: ListPlace, rowsPerPage: number): NextPage {
  if (cursor !== null && cursor !== undefined && cursor !== '') return { token: cursor };
  // The last page by cursor; a page by cursor has no number of its own.
  if (place.token !== null) return null;
  if (pageNumber !== undefined && totalPages !== undefined) return nextNumber(place, pageNumber, totalPages);
  // Without a cursor and a number of pages, a full page may be followed by another that nothing leads to.
  return cursor === undefined && data.length >= rowsPerPage ? 'contradiction' : null;
}

/**
 * A page of the merchant's refunds. The list has no filter by payment, so they are filtered here; a refund that names no payment is
 * kept, as it may be one of these.
 */
export const listRefunds: Gateway['listRefunds'] = (account, query, options) => {
  const { firstDay, lastDay } = daysOf(query);
  const path = settings.refundListPath;
  return readPage(api, query, {
    path,
    schema: refundListSchema,
    fetchPage({ page }) {
      const search = {
        merchantCode: account.credentials.merchantCode ?? '',
        startDate: firstDay,
        endDate: lastDay,
        pageNumber: String(page),
        pageSize: String(query.rowsPerPage ?? settings.refundsPerPage),
      };
      return callInterswitch(account, 'paymentGateway', getPage(path, search, options));
    },
    read({ data, pageNumber, totalPages }, place, redactor) {
      const all = readRows(data, (row) => readRefund(row, redactor));
      const rows = all === null ? null : ofPayment(all, query.paymentReference);
      return { rows, next: nextNumber(place, pageNumber, totalPages) };
    },
  });
};

function ofPayment(rows: readonly ListedRefund[], paymentReference: string | null): readonly ListedRefund[] {
  if (paymentReference === null) return rows;
  return rows
    .filter((row) => row.paymentReference === paymentReference || row.paymentReference === null)
    .map((row) => ({ ...row, paymentReference }));
}

/** The days in UTC and in Lagos that a period touches, the last included. */
function daysOf(query: ListQuery): { readonly firstDay: string; readonly lastDay: string } {
  const lastInstant = new Date(query.to.getTime() - 1 + settings.zoneOffsetMs);
  return { firstDay: dayOf(query.from), lastDay: dayOf(lastInstant) };
}

function readPayment(row: PaymentRow): ListedPayment | null {
  const amount = readMinorAsDecimal(row.transaction_amount);
  const currency = currencyFrom(row.currency_code);
  const createdAt = readWireTime(row.transaction_date);
  const transactionId = transactionIdOf(row.retrieval_reference_number, row.transaction_id) ?? row.merchant_reference;
  if (amount === null || currency === null || createdAt === null || transactionId === null) return null;
  const status = listedStatusOf(row.response_code);
  return {
    reference: row.merchant_reference,
    transactionId,
    status,
    amount,
    fee: null,
    currency,
    method: readWord(methodOf, row.payment_channel),
    createdAt,
    paidAt: status === 'paid' ? createdAt : null,
  };
}

function readRefund(row: RefundRow, redactor: Redactor): ListedRefund | null {
  const amount = readMinorAsDecimal(row.refundAmount);
  const createdAt = readWireTime(row.createdDate);
  if (amount === null || createdAt === null) return null;
  return {
    gatewayRefundId: row.refundReference,
    paymentReference: row.parentTransactionReference ?? null,
    transactionId: row.parentPaymentId ?? null,
    amount,
    currency: null,
    ...readRefundState(refundStates, row.refundStatus, { title: api.title, record: row, redactor }),
    note: [row.refundReference, row.reasonForRefund].filter((part) => part !== null && part !== undefined).join(' '),
    createdAt,
  };
}
