import { getPage } from '../access.ts';
import { negateDecimal, readDecimal, sumDecimals } from '../amount.ts';
import type {
  AccountAccess,
  CallOptions,
  Gateway,
  ListedPayment,
  ListedRefund,
  ListedSettlementLine,
  ListQuery,
} from '../gateway.ts';
import { type ListPlace, nextNumber, readPage, readRows, readWholePage } from '../list-answers.ts';
import type { Redactor } from '../redact.ts';
import { readRefundState, readState, readWord, toListedStatus } from '../states.ts';
import { api, callMonnify } from './api.ts';
import { methodOf, settings } from './settings.ts';
import {
  type RefundRow,
  readMonnifyTime,
  refundPageSchema,
  refundStates,
  type SettledTransactionRow,
  settledTransactionPageSchema,
  type TransactionRow,
  transactionPageSchema,
  transactionStates,
} from './wire.ts';

/** A page of `GET /api/v1/transactions/search`; see {@link Gateway.listPayments}. */
export const listPayments: Gateway['listPayments'] = (account, query, options) =>
  readPage(api, query, {
    ...listAt('/api/v1/transactions/search', account, query, {}, options),
    schema: transactionPageSchema,
    read: ({ responseBody: { content, number, totalPages } }, place) => ({
      rows: readRows(content, readPayment),
      next: nextNumber(place, number + 1, totalPages),
    }),
  });

/** A page of `GET /api/v1/refunds`: all of them, or those of the transaction with the id given. */
export const listRefundsOf: Gateway['listRefunds'] = (account, query, options) => {
  const { transactionId, paymentReference } = query;
  const only: Readonly<Record<string, string>> = transactionId === null ? {} : { transactionReference: transactionId };
  return readPage(api, query, {
    ...listAt('/api/v1/refunds', account, query, only, options),
    schema: refundPageSchema,
    read({ responseBody: { content, number, totalPages } }, place, redactor) {
      // The filter is only in a later version of the documentation: rows of other transactions are left out here too.
      const wanted = content.filter((row) => transactionId === null || row.transactionReference === transactionId);
      const rows = readRows(wanted, (row) => readRefund(row, paymentReference, redactor));
      return { rows, next: nextNumber(place, number + 1, totalPages) };
    },
  });
};

/** Monnify counts pages from 0, cursors count from 1. The period is in milliseconds. */
function listAt(
  path: string,
  account: AccountAccess,
  query: ListQuery,
  only: Readonly<Record<string, string>>,
  options: CallOptions,
) {
  const fetchPage = ({ page }: ListPlace) => {
    const search = {
      page: String(page - 1),
      size: String(query.rowsPerPage ?? settings.rowsPerPage),
      from: String(query.from.getTime()),
      to: String(query.to.getTime()),
      ...only,
    };
    return callMonnify(account, getPage(path, search, options));
  };
  return { path, fetchPage };
}

function readPayment(row: TransactionRow): ListedPayment | null {
  const status = toListedStatus(readState(transactionStates, row.paymentStatus));
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
    fee: readDecimal(row.fee),
    currency: row.currencyCode,
    method: readWord(methodOf, row.paymentMethod),
    createdAt,
    paidAt: hasMoney ? readMonnifyTime(row.completedOn) : null,
  };
}

function readRefund(row: RefundRow, paymentReference: string | null, redactor: Redactor): ListedRefund | null {
  const amount = readDecimal(row.refundAmount);
  const createdAt = readMonnifyTime(row.createdOn);
  if (amount === null || createdAt === null) return null;
  return {
    gatewayRefundId: row.refundReference,
    paymentReference,
    transactionId: row.transactionReference,
    amount,
    currency: null,
    ...readRefundState(refundStates, row.refundStatus, { title: api.title, record: row, redactor }),
    // The refund's own reference is the one it was requested under.
    note: [row.refundReference, row.refundReason ?? ''].join(' ').trim(),
    createdAt,
  };
}

/**
 * A page of `GET /api/v1/transactions/find-by-settlement-reference` (https://developers.monnify.com/api, Settlements): each transaction, and
 * its fee where the answer has what is left after it. Monnify counts pages from 0. What it took off the whole is listed nowhere.
 */
export const listSettlementLines: NonNullable<Gateway['listSettlementLines']> = (account, { settlement, cursor }, options) => {
  const path = '/api/v1/transactions/find-by-settlement-reference';
  return readWholePage(api, cursor, {
    path,
    schema: settledTransactionPageSchema,
    fetchPage({ page }) {
      const search = { reference: settlement.settlementId, page: String(page - 1), size: String(settings.rowsPerPage) };
      return callMonnify(account, getPage(path, search, options));
    },
    read: ({ responseBody: { content, number, totalPages } }, place) => ({
      rows: readRows(content, readTransaction)?.flat() ?? null,
      next: nextNumber(place, number + 1, totalPages),
    }),
  });
};

function readTransaction(row: SettledTransactionRow): readonly ListedSettlementLine[] | null {
  const amount = readDecimal(row.amountPaid);
  const left = row.settlementAmount === null || row.settlementAmount === undefined ? amount : readDecimal(row.settlementAmount);
  if (amount === null || left === null) return null;
  const transactionId = row.transactionReference;
  const about = { reference: row.paymentReference ?? null, transactionId, occurredAt: readMonnifyTime(row.paidOn) };
  const description = row.paymentMethod ?? null;
  const payment = { key: `payment/${transactionId}`, kind: 'payment', amount, description, ...about } as const;
  const fee = sumDecimals([left, negateDecimal(amount)]);
  if (fee === '0') return [payment];
  return [payment, { key: `fee/${transactionId}`, kind: 'fee', amount: fee, description: null, ...about }];
}
