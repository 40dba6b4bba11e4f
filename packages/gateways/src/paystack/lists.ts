import { callWithKey, getPage } from '../access.ts';
import { minorToDecimal, readMinor, readMinorAsDecimal } from '../amount.ts';
import type { AccountAccess, CallOptions, Gateway, ListedPayment, ListedRefund, ListQuery } from '../gateway.ts';
import { type ListPlace, type NextPage, nextNumber, nextUnlessEmpty, readPage, readRows, readTime } from '../list-answers.ts';
import type { Redactor } from '../redact.ts';
import { readRefundState, readWord, toListedStatus } from '../states.ts';
import { api } from './api.ts';
import { methodOf, settings } from './settings.ts';
import { otherModeOf, withoutAddedFees } from './verdict.ts';
import {
  type ListMeta,
  type RefundRow,
  refundListSchema,
  refundStates,
  type TransactionRow,
  transactionListSchema,
  transactionStateOf,
} from './wire.ts';

/** A page of `GET /transaction`; see {@link Gateway.listPayments}. */
export const listPayments: Gateway['listPayments'] = (account, query, options) =>
  readPage(api, query, {
    ...listAt('/transaction', account, query, {}, options),
    schema: transactionListSchema,
    read({ data, meta }, place) {
      const failure = otherModeOf(account, data);
      return failure === null ? { rows: readRows(data, readPayment), next: nextOf(meta, place, data) } : { failure };
    },
  });

/** Refunds of the transaction with the id given, or of all of them. */
export const listRefundsOf: Gateway['listRefunds'] = (account, query, options) => {
  const { transactionId, paymentReference } = query;
  const only: Readonly<Record<string, string>> = transactionId === null ? {} : { transaction: transactionId };
  return readPage(api, query, {
    ...listAt('/refund', account, query, only, options),
    schema: refundListSchema,
    read({ data, meta }, place, redactor) {
      const failure = otherModeOf(account, data);
      if (failure !== null) return { failure };
      const all = readRows(data, (row) => readRefund(row, redactor));
      const rows =
        transactionId === null
          ? all
          : (all?.filter((row) => row.transactionId === transactionId).map((row) => ({ ...row, paymentReference })) ?? null);
      return { rows, next: nextOf(meta, place, data) };
    },
  });
};

function listAt(
  path: string,
  account: AccountAccess,
  query: ListQuery,
  only: Readonly<Record<string, string>>,
  options: CallOptions,
) {
  const fetchPage = ({ page, token }: ListPlace) => {
    const search = {
      from: query.from.toISOString(),
      to: query.to.toISOString(),
      perPage: String(query.rowsPerPage ?? settings.rowsPerPage),
      ...(token === null ? { page: String(page) } : { use_cursor: 'true', next: token }),
      ...only,
    };
    return callWithKey(api, account, getPage(path, search, options));
  };
  return { path, mark: 'next', fetchPage };
}

/** The page after one of Paystack's. */
export function nextOf(meta: ListMeta, place: ListPlace, rows: readonly unknown[]): NextPage {
  switch (meta.kind) {
    case 'numbered':
      return place.token === null ? nextNumber(place, meta.page, meta.last) : null;
    case 'cursor':
      return meta.next === null ? null : { token: meta.next };
    case 'none':
      return nextUnlessEmpty(place, rows);
    default:
      return meta satisfies never;
  }
}

function readPayment(row: TransactionRow): ListedPayment | null {
  const minor = readMinor(row.amount);
  const createdAt = readTime(row.created_at ?? row.createdAt);
  if (minor === null || createdAt === null) return null;
  return {
    reference: row.reference ?? null,
    transactionId: row.id,
    status: toListedStatus(transactionStateOf(row.status)),
    amount: minorToDecimal(withoutAddedFees(minor, row)),
    fee: readMinorAsDecimal(row.fees),
    currency: row.currency,
    method: readWord(methodOf, row.channel),
    createdAt,
    paidAt: readTime(row.paid_at),
  };
}

function readRefund(row: RefundRow, redactor: Redactor): ListedRefund | null {
  const amount = readMinorAsDecimal(row.amount);
  const createdAt = readTime(row.created_at ?? row.createdAt);
  if (amount === null || createdAt === null) return null;
  const transaction = typeof row.transaction === 'string' ? { id: row.transaction, reference: null } : row.transaction;
  return {
    gatewayRefundId: row.id,
    paymentReference: transaction.reference ?? null,
    transactionId: transaction.id,
    amount,
    currency: row.currency,
    ...readRefundState(refundStates, row.status, { title: api.title, record: row, redactor }),
    note: row.merchant_note ?? null,
    createdAt,
  };
}
