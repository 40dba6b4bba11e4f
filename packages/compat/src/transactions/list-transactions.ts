import type { Database } from '@switchyard/db';
import { type Mode, Prisma, type RefundState } from '@switchyard/db/client';
import { compares, countInTime, selectTimePage, type TenantList, type TimeKey } from '@switchyard/db/lists';
import { conditionsOf } from '@switchyard/nouns';
import { paymentList, refundNoun } from '@switchyard/payments/lists';
import { readVolume } from '@switchyard/reporting/figures';
import { findNumbered, numbersOf } from '../numbers/numbers.ts';
import {
  findCustomerEmail,
  type NumberedRefund,
  readTransactions,
  type Transaction,
  type TransactionState,
  withNumber,
} from './transaction.ts';

/** Merchant and mode of the key that asks. */
export interface ListScope {
  readonly merchantId: string;
  readonly mode: Mode;
}

/** The time in which transactions were created. */
export interface Period {
  /** Inclusive; null for any. */
  readonly createdFrom: Date | null;
  /** Exclusive; null for any. */
  readonly createdTo: Date | null;
}

/** Filter of transactions. Null matches any. */
export interface TransactionFilter extends Period {
  /** Null for any; empty for none. */
  readonly states: readonly TransactionState[] | null;
  readonly customer: CustomerFilter | null;
  /** Whole main units. */
  readonly amount: bigint | null;
  readonly method: string | null;
  readonly reference: string | null;
}

/** A customer, by the number that transactions show or by the e-mail address. */
export type CustomerFilter = { readonly number: number } | { readonly email: string };

/** A place in a list: a number of rows from its beginning, or next to a transaction by its number. */
export type ListPlace =
  | { readonly kind: 'skip'; readonly rows: number }
  | { readonly kind: 'after' | 'before'; readonly number: number };

/** A page of transactions, newest first. */
export interface TransactionPage {
  readonly items: readonly Transaction[];
  /** True if there are newer ones, and older ones, than these. */
  readonly hasNewer: boolean;
  readonly hasOlder: boolean;
}

/** A page of a merchant's transactions of a mode; null if no transaction has the number that the place names. */
export async function listTransactions(
  database: Database,
  scope: ListScope,
  { filter, place, limit }: { readonly filter: TransactionFilter; readonly place: ListPlace; readonly limit: number },
  now: Date,
): Promise<TransactionPage | null> {
  const list = await listOf(database, scope, filter);
  const key = place.kind === 'skip' ? null : await findKey(database, scope, place.number);
  if (place.kind !== 'skip' && key === null) return null;
  if (list === null) return { items: [], hasNewer: false, hasOlder: false };
  const isBackwards = place.kind === 'before';
  // One more than wanted shows whether the list goes on.
  const rows =
    place.kind === 'skip'
      ? await readSkipping(database, list, { skipped: place.rows, limit: limit + 1 })
      : await readBeside(database, list, { after: key, newestFirst: !isBackwards, limit: limit + 1 });
  const ids = rows.slice(0, limit);
  const goesOn = rows.length > limit;
  const transactions = await readTransactions(database, { merchantId: scope.merchantId, paymentIds: ids }, now);
  const items = (isBackwards ? ids.toReversed() : ids).flatMap((id) => transactions.get(id) ?? []);
  const isFirst = place.kind === 'skip' && place.rows === 0;
  return { items, hasNewer: isBackwards ? goesOn : !isFirst, hasOlder: isBackwards || goesOn };
}

/** The number of a filter's transactions; null where counting them takes longer than a second. */
export async function countTransactions(database: Database, scope: ListScope, filter: TransactionFilter): Promise<number | null> {
  const { states, customer, amount, method, reference } = filter;
  const isAny = states === null && customer === null && amount === null && method === null && reference === null;
  // Roll-ups count any number of payments of a time.
  if (isAny) return (await readTotals(database, scope, filter)).reduce((sum, { transactions }) => sum + transactions, 0);
  const list = await listOf(database, scope, filter);
  return list === null ? 0 : countRows(database, list);
}

/** Sums of the transactions of one currency. Amounts are whole main units. */
export interface CurrencyTotals {
  readonly currency: string;
  readonly transactions: number;
  /** Paid, whether or not the money went back since. */
  readonly paid: number;
  readonly paidAmount: bigint;
}

/** Sums of a period's transactions by currency, exact at every moment. */
export async function readTotals(
  { pool }: Database,
  { merchantId, mode }: ListScope,
  { createdFrom, createdTo }: Period,
): Promise<readonly CurrencyTotals[]> {
  const rows = await readVolume(pool, {
    merchantIds: [merchantId],
    mode,
    currency: null,
    from: createdFrom ?? FIRST_MOMENT,
    to: createdTo ?? LAST_MOMENT,
    asOf: null,
    zone: 'UTC',
    groupBy: ['currency'],
    gateways: [],
    accountIds: [],
    methods: [],
    statuses: [],
    ruleIds: [],
  });
  return rows.map(({ keys, payments, paid, paidAmount }) => ({
    currency: keys.currency ?? '',
    transactions: payments,
    paid,
    paidAmount,
  }));
}

const FIRST_MOMENT = new Date('2000-01-01T00:00:00.000Z');
const LAST_MOMENT = new Date('2200-01-01T00:00:00.000Z');

/** The list of a filter's transactions; null for one that has none. */
async function listOf(database: Database, scope: ListScope, filter: TransactionFilter): Promise<MerchantList | null> {
  const { merchantId, mode } = scope;
  const { createdFrom, createdTo, states, amount, method, reference } = filter;
  const customer = filter.customer === null ? null : await findEmail(database, scope, filter.customer);
  if (states?.length === 0 || (filter.customer !== null && customer === null)) return null;
  // PostgreSQL takes no NUL, and so no payment has one.
  if ([customer, reference].some((text) => text !== null && (text.includes('\0') || !text.isWellFormed()))) return null;
  const { conditions } = await paymentList(database, {
    merchantIds: [merchantId],
    mode,
    customer,
    methods: method === null ? [] : [method],
    amountFrom: amount,
    amountTo: amount,
    createdFrom,
    createdTo,
  });
  return {
    table: 'payment',
    merchantId,
    conditions: [...conditions, isInState(states), ...compares('p.merchant_order_id =', reference, 'text')],
  };
}

async function findEmail(database: Database, scope: ListScope, customer: CustomerFilter): Promise<string | null> {
  if ('email' in customer) return customer.email;
  const paymentId = await findNumbered(database, scope.merchantId, 'payment', customer.number);
  return paymentId === null ? null : findCustomerEmail(database, scope, paymentId);
}

async function findKey(database: Database, { merchantId, mode }: ListScope, number: number): Promise<TimeKey | null> {
  const id = await findNumbered(database, merchantId, 'payment', number);
  if (id === null) return null;
  const where = { merchantId_id: { merchantId, id }, mode };
  return database.prisma.payment.findUnique({ where, select: { createdAt: true, id: true } });
}

/** The ids of a list's rows next to one of them. */
async function readBeside(
  { prisma }: Database,
  { merchantId, ...list }: MerchantList,
  place: { readonly after: TimeKey | null; readonly newestFirst: boolean; readonly limit: number },
): Promise<readonly string[]> {
  const page = selectTimePage({ ...list, merchantIds: [merchantId], by: 'merchant' }, { ...place, before: null });
  return (await prisma.$queryRaw<{ readonly id: string }[]>(page)).map(({ id }) => id);
}

/** A payment of which no checkout was opened yet is no transaction. */
function isInState(states: readonly TransactionState[] | null): Prisma.Sql {
  if (states === null) return Prisma.sql`p.status <> 'INITIATED'`;
  return Prisma.sql`(${Prisma.join(states.map(hasState), ' OR ')})`;
}

const IS_REVERSED = Prisma.sql`p.reversed_at IS NOT NULL AND p.reversed_amount + p.refunded_amount >= p.amount`;

/** The same as `stateOf`, in the columns that lists have indexes of; a test compares the two for each transaction there can be. */
function hasState(state: TransactionState): Prisma.Sql {
  switch (state) {
    case 'open':
      return Prisma.sql`(p.status = 'PENDING' AND p.review IS DISTINCT FROM 'OPEN')`;
    case 'under_review':
      return Prisma.sql`(p.status = 'PENDING' AND p.review = 'OPEN')`;
    case 'paid':
      return Prisma.sql`(p.status = 'SUCCESS' AND NOT (${IS_REVERSED}))`;
    case 'failed':
      return Prisma.sql`p.unusual_status = 'FAILED'`;
    case 'reversed':
      return Prisma.sql`(p.unusual_status = 'REFUNDED' OR (p.status = 'SUCCESS' AND ${IS_REVERSED}))`;
    default:
      return state satisfies never;
  }
}

/** Filter of refunds. Null matches any. */
export interface RefundListFilter extends Period {
  /** Null for any; empty for none. */
  readonly states: readonly RefundState[] | null;
  readonly paymentId: string | null;
}

/** A refund and what it refunds. */
export interface ListedRefund {
  readonly refund: NumberedRefund;
  readonly transaction: Transaction;
}

/** A page of a merchant's refunds of a mode, newest first, after a number of others. */
export async function listRefunds(
  database: Database,
  scope: ListScope,
  { filter, skipped, limit }: { readonly filter: RefundListFilter; readonly skipped: number; readonly limit: number },
  now: Date,
): Promise<readonly ListedRefund[]> {
  if (filter.states?.length === 0) return [];
  const { merchantId } = scope;
  const ids = await readSkipping(database, refundsOf(scope, filter), { skipped, limit });
  const refunds = await database.prisma.refund.findMany({ where: { merchantId, id: { in: [...ids] } } });
  const paymentIds = [...new Set(refunds.map(({ paymentId }) => paymentId))];
  const transactions = await readTransactions(database, { merchantId, paymentIds }, now);
  const numbers = await numbersOf(database, { merchantId, kind: 'refund', objectIds: ids }, now);
  const refundOf = new Map(refunds.map((refund) => [refund.id, refund]));
  return ids.flatMap((id) => {
    const refund = refundOf.get(id);
    const number = numbers.get(id);
    const transaction = transactions.get(refund?.paymentId ?? '');
    if (refund === undefined || number === undefined || transaction === undefined) return [];
    return [{ refund: withNumber(refund, number), transaction }];
  });
}

/** The number of a filter's refunds; null where counting them takes longer than a second. */
export async function countRefunds(database: Database, scope: ListScope, filter: RefundListFilter): Promise<number | null> {
  return filter.states?.length === 0 ? 0 : countRows(database, refundsOf(scope, filter));
}

function refundsOf({ merchantId, mode }: ListScope, { states, ...filter }: RefundListFilter): MerchantList {
  const conditions = conditionsOf(refundNoun, { ...filter, mode, states: states ?? [] });
  return { table: refundNoun.table, merchantId, conditions };
}

/** Rows that a numbered page may leave out before it: each is read to be counted. */
export const SKIPPED_MAX = 100_000;

/** Rows of one merchant. */
interface MerchantList extends Pick<TenantList, 'table' | 'conditions'> {
  readonly merchantId: string;
}

/** The ids of a list's rows, newest first, after a number of them. */
async function readSkipping(
  { prisma }: Database,
  list: MerchantList,
  { skipped, limit }: { readonly skipped: number; readonly limit: number },
): Promise<readonly string[]> {
  const rows = await prisma.$queryRaw<{ readonly id: string }[]>`
    SELECT p.id ${fromWhere(list)} ORDER BY p.created_at DESC, p.id DESC LIMIT ${limit} OFFSET ${skipped}`;
  return rows.map(({ id }) => id);
}

/** The number of a list's rows; null where counting them takes longer than a second. */
async function countRows({ prisma }: Database, list: MerchantList): Promise<number | null> {
  const counted = await countInTime<{ readonly count: number }>(
    prisma,
    Prisma.sql`SELECT count(*)::int AS count ${fromWhere(list)}`,
  );
  return counted === null ? null : (counted[0]?.count ?? 0);
}

function fromWhere({ table, merchantId, conditions }: MerchantList): Prisma.Sql {
  const where = Prisma.join([Prisma.sql`p.merchant_id = ${merchantId}::uuid`, ...conditions], ' AND ');
  return Prisma.sql`FROM ${Prisma.raw(table)} AS p WHERE ${where}`;
}
