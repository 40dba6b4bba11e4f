import { getPage } from '../access.ts';
import { readDecimal } from '../amount.ts';
import type { AccountAccess, CallOptions, Gateway, ListedPayment, ListedRefund, ListQuery } from '../gateway.ts';
import { dayOf, type ListPlace, nextNumber, readPage, readRows, readTime } from '../list-answers.ts';
import type { Redactor } from '../redact.ts';
import { readWord, toListedStatus } from '../states.ts';
import { api, callFlutterwave } from './api.ts';
import { methodOf, settings } from './settings.ts';
import { receivedAmount } from './verdict.ts';
import {
  type PageInfo,
  type RefundRow,
  refundListSchema,
  refundStateOf,
  type TransactionRow,
  transactionListSchema,
  transactionStateOf,
} from './wire.ts';

/** A page of `GET /transactions`; see {@link Gateway.listPayments}. */
export const listPayments: Gateway['listPayments'] = (account, query, options) =>
  readPage(api, query, {
    ...listAt('/transactions', account, query, options),
    schema: transactionListSchema,
    read: ({ data, meta }, place) => ({ rows: readRows(data, readPayment), next: nextOf(meta, place) }),
  });

/**
 * Refunds of the transaction with the id given, or of all of them. The list has no filter by transaction, so they are
 * filtered here; a refund that names no transaction is kept, as it may be one of these.
 */
export const listRefundsOf: Gateway['listRefunds'] = (account, query, options) =>
  readPage(api, query, {
    ...listAt('/refunds', account, query, options),
    schema: refundListSchema,
    read({ data, meta }, place, redactor) {
      const { transactionId, paymentReference } = query;
      const all = readRows(data, (row) => readRefund(row, redactor));
      const rows =
        transactionId === null
          ? all
          : (all
              ?.filter((row) => row.transactionId === transactionId || row.transactionId === null)
              .map((row) => (row.transactionId === null ? row : { ...row, paymentReference })) ?? null);
      return { rows, next: nextOf(meta, place) };
    },
  });

/** Pages of a list of Flutterwave's at that path, for a period. */
export function listAt(path: string, account: AccountAccess, query: ListQuery, options: CallOptions) {
  const lastInstant = new Date(query.to.getTime() - 1 + settings.dayMayBeginEarlierMs);
  const fetchPage = ({ page }: ListPlace) => {
    const search = { from: dayOf(query.from), to: dayOf(lastInstant), page: String(page) };
    return callFlutterwave(account, getPage(path, search, options));
  };
  return { path, fetchPage };
}

/** The page after one of Flutterwave's. */
export function nextOf({ page_info: info }: PageInfo, place: ListPlace) {
  return nextNumber(place, info.current_page, info.total_pages);
}

function readPayment(row: TransactionRow): ListedPayment | null {
  const amount = receivedAmount(row);
  const createdAt = readTime(row.created_at);
  if (amount === null || createdAt === null) return null;
  const status = toListedStatus(transactionStateOf(row.status));
  return {
    reference: row.tx_ref ?? null,
    transactionId: row.id,
    status,
    amount,
    fee: readDecimal(row.app_fee),
    currency: row.currency,
    method: readWord(methodOf, row.payment_type),
    createdAt,
    paidAt: status === 'paid' ? createdAt : null,
  };
}

function readRefund(row: RefundRow, redactor: Redactor): ListedRefund | null {
  const amount = readDecimal(row.amount_refunded);
  const createdAt = readTime(row.created_at);
  if (amount === null || createdAt === null) return null;
  return {
    gatewayRefundId: row.id,
    paymentReference: null,
    transactionId: row.transaction_id ?? row.tx_id ?? null,
    amount,
    currency: row.currency ?? null,
    ...refundStateOf(row, redactor),
    note: row.comment ?? row.comments ?? null,
    createdAt,
  };
}
