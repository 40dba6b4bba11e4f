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
import { amountProblem, CHANNELS } from './read.ts';
import { readCustomer, STATUSES } from './write.ts';

export { FIELD_NAMES, readInitialize, readRefund } from './read.ts';
export { refuse } from './refuse.ts';
export { cancelActionOf, succeed, writeInitialized, writeRefund, writeTotals, writeTransaction } from './write.ts';

const LEVELS_MAX = 20;
const FIELDS_MAX = 500;

/**
 * The fields of a URL-encoded form, as PHP's `http_build_query` writes nested ones: `metadata[cart_id]=7`, `channels[0]=card`. A field that
 * cannot be read is refused by its name. Node and `URLSearchParams` know no nesting, and `qs` also takes forms that PHP does not write.
 */
export function readForm(text: string): Read<Fields> {
  const root: Record<string, unknown> = {};
  const pairs = [...new URLSearchParams(text)];
  if (pairs.length > FIELDS_MAX) {
    return refused({ kind: 'invalid_field', field: 'body', rule: `must have at most ${FIELDS_MAX} fields` });
  }
  for (const [name, value] of pairs) {
    const rule = put(root, namesOf(name), value);
    if (rule !== null) return refused({ kind: 'invalid_field', field: name, rule });
  }
  return read(mapFields(root, (value) => (isOpen(value) ? mapFields(value, toLists) : value)));
}

/** Fields that are numbered from 0 are a list, within a field: whether the field itself is one is for its reader to say. */
function toLists(value: unknown): unknown {
  if (!isOpen(value)) return value;
  const isList = Object.keys(value).every((name, place) => name === String(place));
  return isList ? Object.values(value).map(toLists) : mapFields(value, toLists);
}

function mapFields(fields: Fields, change: (value: unknown) => unknown): Fields {
  const changed = {};
  for (const [name, value] of Object.entries(fields)) define(changed, name, change(value));
  return changed;
}

function namesOf(name: string): readonly string[] {
  const match = /^([^[\]]+)((?:\[[^[\]]*\])*)$/.exec(name);
  if (match === null) return [];
  const [, first = '', rest = ''] = match;
  return [first, ...[...rest.matchAll(/\[([^[\]]*)\]/g)].map(([, inner = '']) => inner)];
}

/** Puts a value at its place; the rule that its name breaks, or null. */
function put(root: Record<string, unknown>, names: readonly string[], value: string): string | null {
  if (names.length === 0) return 'must be a name as http_build_query writes it';
  if (names.length > LEVELS_MAX) return `must be at most ${LEVELS_MAX} levels deep`;
  let at = root;
  for (const [index, name] of names.entries()) {
    const key = name === '' ? nextPlace(at) : name;
    const inner = Object.hasOwn(at, key) ? at[key] : undefined;
    if (index === names.length - 1) {
      if (inner !== undefined) return 'must be given once';
      define(at, key, value);
    } else if (inner === undefined) {
      const made: Record<string, unknown> = {};
      define(at, key, made);
      at = made;
    } else if (isOpen(inner)) {
      at = inner;
    } else {
      return 'must be one value or several fields';
    }
  }
  return null;
}

/** The place of a value that PHP wrote without one: after those of its list. */
function nextPlace(list: object): string {
  let place = Object.keys(list).length;
  while (Object.hasOwn(list, place)) place++;
  return String(place);
}

/** Assigning to `__proto__` would change what the object inherits. */
function define(at: object, key: string, value: unknown): void {
  Object.defineProperty(at, key, { value, enumerable: true, configurable: true, writable: true });
}

function isOpen(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

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
