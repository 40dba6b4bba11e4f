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
import { callGateway, type WireReply } from '../http.ts';
import { isOtherMode, pageNumber, pageOutcome, readRows, readTime, unknownCursor } from '../list-answers.ts';
import { callNotMade, failure, protocolViolation, toLookupFailure } from '../outcomes.ts';
import { accessOf, baseUrl, title } from './account.ts';
import { methodOf, settings } from './settings.ts';
import {
  listedStatusOf,
  type RefundRow,
  refundListSchema,
  refundStateOf,
  refusalSchema,
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
  if (!parsed.success || fetched.reply.status >= 400) return refused(fetched.reply);
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
  if (!parsed.success || fetched.reply.status >= 400) return refused(fetched.reply);
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
type Asked =
  | { readonly kind: 'answered'; readonly reply: Answer; readonly page: number }
  | { readonly kind: 'failed'; readonly outcome: Unknown };

async function fetchPage(
  account: AccountAccess,
  path: string,
  query: ListQuery,
  only: Readonly<Record<string, string>>,
  options: CallOptions,
): Promise<Asked> {
  const access = accessOf(account);
  if (access.kind === 'unusable') {
    const call = callNotMade('GET', baseUrl + path);
    return { kind: 'failed', outcome: { outcome: 'unknown', failure: access.failure, call } };
  }
  const page = pageNumber(query.cursor);
  if (page === null) return { kind: 'failed', outcome: unknownCursor(title, access.baseUrl + path) };
  const search = new URLSearchParams({
    from: query.from.toISOString(),
    to: query.to.toISOString(),
    perPage: String(settings.rowsPerPage),
    page: String(page),
    ...only,
  });
  const reply = await callGateway({
    ...access,
    method: 'GET',
    path: `${path}?${search}`,
    body: null,
    repeatable: true,
    maxBytes: maxPageBytes,
    ...options,
  });
  if (reply.kind === 'failed') return { kind: 'failed', outcome: toLookupFailure(reply.failed, reply.call) };
  return { kind: 'answered', reply, page };
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

function refused(reply: Answer): Unknown {
  const refusal = refusalSchema.safeParse(reply.json);
  if (!refusal.success) return toLookupFailure(protocolViolation(title, reply), reply.call);
  const said = reply.redactor.text(refusal.data.message ?? 'no reason given');
  const reason = failure('our_configuration', 'request_rejected', `${title} refused: ${said}`);
  return { outcome: 'unknown', failure: reason, call: reply.call };
}
