import type { RefundState } from '@switchyard/db/client';
import {
  findUnusable,
  isOtherCurrency,
  type ListParameters,
  type NumberedPage,
  pagesOf,
  readNumberedPage,
  readPeriod,
} from '../list-query.ts';
import { MAPPINGS } from '../mappings.ts';
import { readNumber } from '../numbers/make-number.ts';
import { type Fields, isAbsent } from '../order.ts';
import { type Read, read, refused } from '../problem.ts';
import type { Period, TransactionFilter } from '../transactions/list-transactions.ts';
import type { TransactionState } from '../transactions/transaction.ts';

/*
 * Queries and `meta` of lists, as https://developer.flutterwave.com/v3.0.0/reference/get-all-transactions and /get-all-refunds have them.
 * Pages have no size that can be chosen: it is that of the documented answers.
 */

const TRANSACTIONS_PER_PAGE = 10;
const REFUNDS_PER_PAGE = 20;

/** A query of `GET /v3/transactions`. */
export interface TransactionListQuery {
  readonly filter: TransactionFilter;
  readonly page: NumberedPage;
}

const STATES: Readonly<Record<string, readonly TransactionState[]>> = {
  successful: ['paid'],
  failed: ['failed'],
  pending: ['open', 'under_review'],
  reversed: ['reversed'],
};

const TRANSACTIONS: ListParameters = {
  call: 'GET /v3/transactions',
  // The official package for Node sends only `email`.
  naming: [['tx_ref'], ['customer_email', 'email']],
  others: ['from', 'to', 'page', 'status', 'currency'],
};

/** Reads a query of `GET /v3/transactions`. */
export function readTransactionList(sent: Fields): Read<TransactionListQuery> {
  const unusable = findUnusable(sent, MAPPINGS.flutterwave.refusedFields, TRANSACTIONS);
  if (unusable !== null) return refused(unusable);
  const period = readPeriod(sent);
  if (period.kind === 'refused') return period;
  const page = readNumberedPage(sent.page, TRANSACTIONS_PER_PAGE);
  if (page.kind === 'refused') return page;
  const states = readWord(sent.status, STATES);
  if (states.kind === 'refused') return states;
  const { tx_ref: reference } = sent;
  const email = isAbsent(sent.customer_email) ? sent.email : sent.customer_email;
  const filter: TransactionFilter = {
    ...period.value,
    states: isOtherCurrency(sent) ? [] : states.value,
    customer: isAbsent(email) ? null : { email: String(email) },
    amount: null,
    method: null,
    reference: isAbsent(reference) ? null : String(reference),
  };
  return read({ filter, page: page.value });
}

/** A query of `GET /v3/refunds`. */
export interface RefundListQuery extends Period {
  readonly states: readonly RefundState[] | null;
  readonly page: NumberedPage;
  /** The numeric id of the only transaction wanted; null for all. */
  readonly transaction: number | null;
}

/** `completed` has a word for each way of it, as `completed-mpgs`; both that begin so are read. */
const REFUND_STATES: Readonly<Record<string, readonly RefundState[]>> = {
  completed: ['SUCCEEDED'],
  successful: ['SUCCEEDED'],
  failed: ['FAILED'],
  processing: ['REQUESTED', 'PROCESSING'],
  pending: ['NEEDS_ATTENTION'],
};

const REFUNDS: ListParameters = {
  call: 'GET /v3/refunds',
  naming: [['id']],
  others: ['from', 'to', 'page', 'status', 'currency'],
};

/** Reads a query of `GET /v3/refunds`. */
export function readRefundList(sent: Fields): Read<RefundListQuery> {
  const unusable = findUnusable(sent, MAPPINGS.flutterwave.refusedFields, REFUNDS);
  if (unusable !== null) return refused(unusable);
  const period = readPeriod(sent);
  if (period.kind === 'refused') return period;
  const page = readNumberedPage(sent.page, REFUNDS_PER_PAGE);
  if (page.kind === 'refused') return page;
  const states = readWord(String(sent.status ?? '').replace(/^(completed|pending)-.*$/, '$1'), REFUND_STATES);
  if (states.kind === 'refused') return states;
  const transaction = isAbsent(sent.id) ? null : readNumber(sent.id);
  if (transaction === null && !isAbsent(sent.id)) {
    return refused({ kind: 'invalid_field', field: 'id', rule: 'must be the id of a transaction' });
  }
  return read({ ...period.value, states: isOtherCurrency(sent) ? [] : states.value, page: page.value, transaction });
}

function readWord<State>(status: unknown, words: Readonly<Record<string, readonly State[]>>): Read<readonly State[] | null> {
  if (isAbsent(status)) return read(null);
  const word = String(status).toLowerCase();
  const states = Object.hasOwn(words, word) ? words[word] : undefined;
  if (states !== undefined) return read(states);
  return refused({ kind: 'invalid_field', field: 'status', rule: `must be one of ${Object.keys(words).join(', ')}` });
}

/** `meta` of a list. */
export function writeMeta({ page, perPage }: NumberedPage, total: number) {
  return { page_info: { total, current_page: page, total_pages: pagesOf(total, perPage), page_size: perPage } };
}
