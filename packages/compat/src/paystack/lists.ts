import { koboToNaira, nairaToKobo } from '../amounts.ts';
import {
  findUnusable,
  isOtherCurrency,
  type ListParameters,
  type NumberedPage,
  pagesOf,
  readCount,
  readNumberedPage,
  readPeriod,
} from '../list-query.ts';
import { MAPPINGS } from '../mappings.ts';
import { readNumber } from '../numbers/numbers.ts';
import { type Fields, isAbsent } from '../order.ts';
import { type Read, read, refused } from '../problem.ts';
import type { ListPlace, Period, TransactionFilter, TransactionPage } from '../transactions/list-transactions.ts';
import type { Transaction, TransactionState } from '../transactions/transaction.ts';
import { readCustomer } from './customer-code.ts';
import { amountProblem, CHANNELS } from './read.ts';
import { STATUSES } from './write.ts';

/*
 * Queries and `meta` of lists, as https://paystack.com/docs/api/transaction/#list, /docs/api/refund/#list and /docs/api/pagination have
 * them; `customer_code`, `channel` and `per_page` are in the gateway's OpenAPI file alone (PaystackOSS/openapi, `#/paths/~1transaction`).
 */

const PER_PAGE = 50;
/** Larger pages are this large, as `meta.perPage` says. */
const PER_PAGE_MAX = 100;

/** A query of `GET /transaction`. */
export interface TransactionListQuery {
  readonly filter: TransactionFilter;
  readonly place: ListPlace;
  readonly perPage: number;
  /** Null where pages are found by cursors. */
  readonly page: NumberedPage | null;
}

const PAGES = ['perPage', 'per_page', 'page'];
const TRANSACTIONS: ListParameters = {
  call: 'GET /transaction',
  naming: [['customer', 'customer_code'], ['amount']],
  others: [...PAGES, 'use_cursor', 'next', 'previous', 'from', 'to', 'status', 'channel'],
};

/** Reads a query of `GET /transaction`. */
export function readTransactionList(sent: Fields): Read<TransactionListQuery> {
  const unusable = findUnusable(sent, MAPPINGS.paystack.refusedFields, TRANSACTIONS);
  if (unusable !== null) return refused(unusable);
  const filter = readFilter(sent);
  if (filter.kind === 'refused') return filter;
  const perPage = readPerPage(sent);
  if (perPage.kind === 'refused') return perPage;
  for (const [field, kind] of [
    ['next', 'after'],
    ['previous', 'before'],
  ] as const) {
    if (isAbsent(sent[field])) continue;
    const number = readNumber(sent[field]);
    if (number === null) return refused({ kind: 'invalid_field', field, rule: 'must be a cursor of an earlier answer' });
    return read({ filter: filter.value, place: { kind, number }, perPage: perPage.value, page: null });
  }
  if (isTrue(sent.use_cursor)) {
    return read({ filter: filter.value, place: { kind: 'skip', rows: 0 }, perPage: perPage.value, page: null });
  }
  const page = readNumberedPage(sent.page, perPage.value);
  if (page.kind === 'refused') return page;
  return read({
    filter: filter.value,
    place: { kind: 'skip', rows: page.value.skipped },
    perPage: perPage.value,
    page: page.value,
  });
}

function isTrue(value: unknown): boolean {
  return value === 'true' || value === '1';
}

/** Words of Paystack's lists for all transactions, or for states that do not exist here. */
const MORE_STATUSES: Readonly<Record<string, readonly TransactionState[] | null>> = {
  all: null,
  pending: [],
  ongoing: [],
  queued: [],
};

function readFilter(sent: Fields): Read<TransactionFilter> {
  const period = readPeriod(sent);
  if (period.kind === 'refused') return period;
  const states = readStatus(sent.status);
  if (states.kind === 'refused') return states;
  const amount = isAbsent(sent.amount) ? null : koboToNaira(sent.amount);
  if (typeof amount === 'string') return refused(amountProblem(amount));
  const channel = isAbsent(sent.channel) ? null : String(sent.channel);
  const method = channel === null ? null : Object.hasOwn(CHANNELS, channel) ? CHANNELS[channel] : undefined;
  if (method === undefined) {
    return refused({ kind: 'invalid_field', field: 'channel', rule: `must be one of ${Object.keys(CHANNELS).join(', ')}` });
  }
  const customer = [sent.customer, sent.customer_code].find((value) => !isAbsent(value));
  return read({
    ...period.value,
    states: states.value,
    customer: customer === undefined ? null : readCustomer(String(customer)),
    amount: amount === null ? null : BigInt(amount),
    method,
    reference: null,
  });
}

function readStatus(status: unknown): Read<readonly TransactionState[] | null> {
  if (isAbsent(status)) return read(null);
  const word = String(status);
  const states = Object.entries(STATUSES)
    .flatMap(([state, name]) => (name === word ? [state] : []))
    .filter(isState);
  if (states.length > 0) return read(states);
  const more = Object.hasOwn(MORE_STATUSES, word) ? MORE_STATUSES[word] : undefined;
  if (more !== undefined) return read(more);
  return refused({ kind: 'invalid_field', field: 'status', rule: `must be one of ${Object.values(STATUSES).join(', ')}` });
}

function isState(state: string): state is TransactionState {
  return Object.hasOwn(STATUSES, state);
}

function readPerPage({ perPage, per_page }: Fields): Read<number> {
  const sent = [perPage, per_page].find((value) => !isAbsent(value));
  const count = sent === undefined ? PER_PAGE : readCount(sent);
  if (count === null) return refused({ kind: 'invalid_field', field: 'perPage', rule: 'must be a number from 1' });
  return read(Math.min(count, PER_PAGE_MAX));
}

/** Reads a query of `GET /transaction/totals`. */
export function readTotalsQuery(sent: Fields): Read<Period> {
  const unusable = findUnusable(sent, MAPPINGS.paystack.refusedFields, TOTALS);
  return unusable === null ? readPeriod(sent) : refused(unusable);
}

const TOTALS: ListParameters = { call: 'GET /transaction/totals', naming: [], others: [...PAGES, 'from', 'to'] };

/** A query of `GET /refund`. */
export interface RefundListQuery extends Period {
  readonly page: NumberedPage;
  /** The reference or numeric id of the only transaction wanted; null for all. */
  readonly transaction: string | null;
  /** True if refunds of another currency are wanted, of which there are none. */
  readonly isOtherCurrency: boolean;
}

const REFUNDS: ListParameters = {
  call: 'GET /refund',
  naming: [['transaction', 'reference']],
  others: [...PAGES, 'from', 'to', 'currency'],
};

/** Reads a query of `GET /refund`. */
export function readRefundList(sent: Fields): Read<RefundListQuery> {
  const unusable = findUnusable(sent, MAPPINGS.paystack.refusedFields, REFUNDS);
  if (unusable !== null) return refused(unusable);
  const period = readPeriod(sent);
  if (period.kind === 'refused') return period;
  const perPage = readPerPage(sent);
  if (perPage.kind === 'refused') return perPage;
  const page = readNumberedPage(sent.page, perPage.value);
  if (page.kind === 'refused') return page;
  const named = [sent.transaction, sent.reference].find((value) => !isAbsent(value));
  return read({
    ...period.value,
    page: page.value,
    transaction: named === undefined ? null : String(named),
    isOtherCurrency: isOtherCurrency(sent),
  });
}

/** `meta` of a numbered page. */
export function writeMeta({ page, perPage, skipped }: NumberedPage, total: number) {
  return { total, skipped, perPage, page, pageCount: pagesOf(total, perPage) };
}

/** `meta` of a numbered page of transactions; `total_volume` is the sum of those that it shows. */
export function writeTransactionMeta(page: NumberedPage, total: number, shown: readonly Pick<Transaction, 'amount'>[]) {
  const volume = nairaToKobo(shown.reduce((sum, { amount }) => sum + amount, 0n));
  return { ...writeMeta(page, total), total_volume: volume };
}

/** `meta` of a page found by a cursor: the numbers of its first and last transaction, where the list goes on. */
export function writeCursorMeta({ items, hasNewer, hasOlder }: TransactionPage, perPage: number) {
  const cursorOf = (transaction: Transaction | undefined) => (transaction === undefined ? null : String(transaction.number));
  return { next: hasOlder ? cursorOf(items.at(-1)) : null, previous: hasNewer ? cursorOf(items[0]) : null, perPage };
}
