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
import { isOtherMode, pageOutcome, readRows, readTime, unknownCursor } from '../list-answers.ts';
import { failure, toLookupFailure } from '../outcomes.ts';
import { baseUrl, callPaystack, title } from './account.ts';
import { unanswered } from './answers.ts';
import { methodOf, settings } from './settings.ts';
import {
  type ListMeta,
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
  return listPage(fetched, query, { meta, length: data.length, rows: readRows(data, readPayment) });
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
  return listPage(fetched, query, { meta, length: data.length, rows: named ?? null });
}

type Answer = Extract<WireReply, { kind: 'answer' }>;
type Unknown = Extract<Outcome<never>, { outcome: 'unknown' }>;

/** Page to ask for: by its number, or the one that a cursor leads to. */
type Asked = { readonly page: number } | { readonly next: string };
type Fetched =
  | { readonly kind: 'answered'; readonly reply: Answer; readonly asked: Asked }
  | { readonly kind: 'failed'; readonly outcome: Unknown };

async function fetchPage(
  account: AccountAccess,
  path: string,
  query: ListQuery,
  only: Readonly<Record<string, string>>,
  options: CallOptions,
): Promise<Fetched> {
  const asked = readCursor(query.cursor);
  if (asked === null) return { kind: 'failed', outcome: unknownCursor(title, baseUrl + path) };
  const search = new URLSearchParams({
    from: query.from.toISOString(),
    to: query.to.toISOString(),
    perPage: String(settings.rowsPerPage),
    ...('page' in asked ? { page: String(asked.page) } : { use_cursor: 'true', next: asked.next }),
    ...only,
  });
  const reply = await callPaystack(account, {
    method: 'GET',
    path: `${path}?${search}`,
    body: null,
    repeatable: true,
    maxBytes: maxPageBytes,
    ...options,
  });
  if (reply.kind === 'failed') return { kind: 'failed', outcome: toLookupFailure(reply.failed, reply.call) };
  return { kind: 'answered', reply, asked };
}

/** Page that a cursor asks for, or null when it is no cursor of ours. */
function readCursor(cursor: string | null): Asked | null {
  if (cursor === null) return { page: 1 };
  if (/^[1-9]\d{0,5}$/.test(cursor)) return { page: Number(cursor) };
  const next = /^next:([\x21-\x7e]{1,1000})$/.exec(cursor)?.[1];
  return next === undefined ? null : { next };
}

/** A page as its `meta` has it. A list without one goes on until a page is empty: a short page may have another after it. */
function listPage<T extends { readonly createdAt: Date }>(
  { reply, asked }: Extract<Fetched, { kind: 'answered' }>,
  query: ListQuery,
  { meta, length, rows }: { readonly meta: ListMeta; readonly length: number; readonly rows: readonly T[] | null },
): Outcome<ListPage<T>> {
  switch (meta.kind) {
    case 'numbered': {
      const page = 'page' in asked ? asked.page : meta.page;
      return pageOutcome(title, reply, query, { asked: page, given: meta.page, last: 'page' in asked ? meta.last : page, rows });
    }
    case 'cursor': {
      const leadsBack = 'next' in asked && asked.next === meta.next;
      const page = pageOutcome(title, reply, query, { asked: 1, given: 1, last: 1, rows: leadsBack ? null : rows });
      if (page.outcome !== 'yes' || meta.next === null) return page;
      return { ...page, value: { ...page.value, nextCursor: `next:${meta.next}` } };
    }
    case 'none': {
      const page = 'page' in asked ? asked.page : 1;
      return pageOutcome(title, reply, query, { asked: page, given: page, last: length === 0 ? page : page + 1, rows });
    }
    default:
      return meta satisfies never;
  }
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
