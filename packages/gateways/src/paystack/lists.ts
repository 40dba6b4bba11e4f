import { minorToDecimal, readMinor, type WireAmount } from '../amount.ts';
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
import type { WireReply } from '../http.ts';
import { type FetchedPage, fetchNumberedPage, isOtherMode, pageOutcome, readRows, readTime } from '../list-answers.ts';
import { failure } from '../outcomes.ts';
import { baseUrl, callPaystack, title } from './account.ts';
import { unanswered } from './answers.ts';
import { methodOf, settings } from './settings.ts';
import {
  listedStatusOf,
  type RefundRow,
  refundListSchema,
  refundStateOf,
  type TransactionRow,
  transactionListSchema,
} from './wire.ts';

/** A page of `GET /transaction`; see {@link Gateway.listPayments}. */
export async function listPayments(
  account: AccountAccess,
  query: ListQuery,
  options: CallOptions,
): Promise<Outcome<ListPage<ListedPayment>>> {
  const fetched = await fetchPage(account, '/transaction', query, {}, options);
  if (fetched.kind === 'failed') return fetched.outcome;
  const parsed = transactionListSchema.safeParse(fetched.reply.json);
  if (!parsed.success || fetched.reply.status >= 400) return unanswered(fetched.reply);
  const { data, meta } = parsed.data;
  if (data.some((row) => isOtherMode(row.domain, account))) return otherMode(account, fetched.reply);
  const page = { asked: fetched.page, given: meta.page, last: meta.pageCount, rows: readRows(data, readPayment) };
  return pageOutcome(title, fetched.reply, query, page);
}

/** Refunds of the transaction with the id given, or of all of them. */
export async function listRefundsOf(
  account: AccountAccess,
  query: RefundListQuery,
  options: CallOptions,
): Promise<Outcome<ListPage<ListedRefund>>> {
  const only = query.transactionId === null ? {} : { transaction: query.transactionId };
  const fetched = await fetchPage(account, '/refund', query, only, options);
  if (fetched.kind === 'failed') return fetched.outcome;
  const parsed = refundListSchema.safeParse(fetched.reply.json);
  if (!parsed.success || fetched.reply.status >= 400) return unanswered(fetched.reply);
  const { data, meta } = parsed.data;
  if (data.some((row) => isOtherMode(row.domain, account))) return otherMode(account, fetched.reply);
  const all = readRows(data, readRefund);
  const rows = all?.filter((row) => query.transactionId === null || row.transactionId === query.transactionId) ?? null;
  const named = rows?.map((row) => (query.transactionId === null ? row : { ...row, paymentReference: query.paymentReference }));
  const page = { asked: fetched.page, given: meta.page, last: meta.pageCount, rows: named ?? null };
  return pageOutcome(title, fetched.reply, query, page);
}

type Answer = Extract<WireReply, { kind: 'answer' }>;
type Unknown = Extract<Outcome<never>, { outcome: 'unknown' }>;
function fetchPage(
  account: AccountAccess,
  path: string,
  query: ListQuery,
  only: Readonly<Record<string, string>>,
  options: CallOptions,
): Promise<FetchedPage> {
  const list = {
    title,
    url: baseUrl + path,
    fetch(page: number) {
      const search = new URLSearchParams({
        from: query.from.toISOString(),
        to: query.to.toISOString(),
        perPage: String(settings.rowsPerPage),
        page: String(page),
        ...only,
      });
      return callPaystack(account, {
        method: 'GET',
        path: `${path}?${search}`,
        body: null,
        repeatable: true,
        maxBytes: maxPageBytes,
        ...options,
      });
    },
  };
  return fetchNumberedPage(list, query);
}

function readPayment(row: TransactionRow): ListedPayment | null {
  const minor = readMinor(row.amount);
  const createdAt = readTime(row.created_at ?? row.createdAt);
  if (minor === null || createdAt === null) return null;
  const fees = optionalMinor(row.fees);
  return {
    reference: row.reference ?? null,
    transactionId: row.id,
    status: listedStatusOf(row.status),
    amount: minorToDecimal(withoutAddedFees(minor, fees, optionalMinor(row.requested_amount))),
    fee: fees === null ? null : minorToDecimal(fees),
    currency: row.currency,
    method: methodOf[row.channel ?? ''] ?? null,
    createdAt,
    paidAt: readTime(row.paid_at),
  };
}

function readRefund(row: RefundRow): ListedRefund | null {
  const minor = readMinor(row.amount);
  const createdAt = readTime(row.created_at ?? row.createdAt);
  if (minor === null || createdAt === null) return null;
  const whole = typeof row.transaction === 'string' ? null : row.transaction;
  return {
    gatewayRefundId: row.id,
    paymentReference: whole?.reference ?? null,
    transactionId: typeof row.transaction === 'string' ? row.transaction : row.transaction.id,
    amount: minorToDecimal(minor),
    currency: row.currency,
    state: refundStateOf(row.status),
    note: row.merchant_note ?? null,
    createdAt,
  };
}

/** Where the merchant has Paystack add its fee on top, the customer pays more by exactly that fee, and the price is what came. */
function withoutAddedFees(amount: bigint, fees: bigint | null, requested: bigint | null): bigint {
  return fees !== null && requested !== null && amount > requested && amount - requested === fees ? requested : amount;
}

function optionalMinor(value: WireAmount | null | undefined): bigint | null {
  return value === null || value === undefined ? null : readMinor(value);
}

function otherMode(account: AccountAccess, reply: Answer): Unknown {
  const message = `${title} listed transactions of another mode, the account is ${account.mode}.`;
  return { outcome: 'unknown', failure: failure('our_configuration', 'invalid_credentials', message), call: reply.call };
}
