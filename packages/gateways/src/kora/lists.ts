import { readDecimal } from '../amount.ts';
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
import { readRows, readTime, unknownCursor } from '../list-answers.ts';
import { protocolViolation, toLookupFailure } from '../outcomes.ts';
import { baseUrl, callKora, title } from './account.ts';
import { unanswered } from './answers.ts';
import { methodOf, settings } from './settings.ts';
import { optionalDecimal } from './verdict.ts';
import { merchantReference } from './webhooks.ts';
import { listedStatusOf, type PayInRow, payInsSchema, type RefundRow, refundStateOf, refundsSchema } from './wire.ts';

/** A page of `GET /pay-ins`; see {@link Gateway.listPayments}. */
export async function listPayments(
  account: AccountAccess,
  query: ListQuery,
  options: CallOptions,
): Promise<Outcome<ListPage<ListedPayment>>> {
  const fetched = await fetchPage(account, '/pay-ins', query, options);
  if (fetched.kind === 'failed') return fetched.outcome;
  const parsed = payInsSchema.safeParse(fetched.reply.json);
  if (!parsed.success || fetched.reply.status >= 400) return unanswered(fetched.reply);
  const { data, has_more: hasMore } = parsed.data;
  return pageByPointer(fetched, query, { pointers: pointersOf(data), hasMore, rows: readRows(data, readPayIn) });
}

/**
 * A page of `GET /refunds`, which has no filter by payment, so refunds of one payment are picked here. The documentation names the
 * list and not its fields: it is read like the list of pay-ins, of rows like the answers about one refund.
 */
export async function listRefunds(
  account: AccountAccess,
  query: RefundListQuery,
  options: CallOptions,
): Promise<Outcome<ListPage<ListedRefund>>> {
  const fetched = await fetchPage(account, '/refunds', query, options);
  if (fetched.kind === 'failed') return fetched.outcome;
  const parsed = refundsSchema.safeParse(fetched.reply.json);
  if (!parsed.success || fetched.reply.status >= 400) return unanswered(fetched.reply);
  const { data, has_more: hasMore } = parsed.data;
  const all = readRows(data, readRefund);
  const payment = query.paymentReference ?? query.transactionId;
  const rows = all?.filter((row) => payment === null || row.paymentReference === payment) ?? null;
  return pageByPointer(fetched, query, { pointers: pointersOf(data), hasMore, rows });
}

type Answer = Extract<WireReply, { kind: 'answer' }>;
type Unknown = Extract<Outcome<never>, { outcome: 'unknown' }>;
type Fetched =
  /** `after` is the pointer that the page was asked to start after. */
  | { readonly kind: 'answered'; readonly reply: Answer; readonly after: string | null }
  | { readonly kind: 'failed'; readonly outcome: Unknown };

/** Pages go by the pointer of the last row. Cursors carry it with a mark, so that nothing else is ever sent as one. */
const cursorPattern = /^after:([\x21-\x7e]{1,200})$/;

async function fetchPage(account: AccountAccess, path: string, query: ListQuery, options: CallOptions): Promise<Fetched> {
  const after = query.cursor === null ? null : (cursorPattern.exec(query.cursor)?.[1] ?? null);
  if (query.cursor !== null && after === null) {
    return { kind: 'failed', outcome: unknownCursor(title, baseUrl + path) };
  }
  const search = new URLSearchParams({
    date_from: secondOf(query.from),
    date_to: secondOf(new Date(query.to.getTime() + settings.periodMayEndEarlierMs)),
    limit: String(settings.rowsPerPage),
    ...(after === null ? {} : { starting_after: after }),
  });
  const reply = await callKora(account, {
    method: 'GET',
    path: `${path}?${search}`,
    body: null,
    repeatable: true,
    maxBytes: maxPageBytes,
    ...options,
  });
  if (reply.kind === 'failed') return { kind: 'failed', outcome: toLookupFailure(reply.failed, reply.call) };
  return { kind: 'answered', reply, after };
}

/** `YYYY-MM-DD-HH-MM-SS`, in UTC. */
function secondOf(time: Date): string {
  return time.toISOString().slice(0, 19).replaceAll(/[T:]/g, '-');
}

function pointersOf(rows: readonly { readonly pointer: string }[]): readonly string[] {
  return rows.map((row) => row.pointer);
}

/**
 * The page as an outcome. `rows` is null when a row could not be read. A page that repeats the row it was asked to start after, or
 * that announces more after no row, has no next one: it is a protocol violation.
 */
function pageByPointer<T extends { readonly createdAt: Date }>(
  { reply, after }: Extract<Fetched, { kind: 'answered' }>,
  query: ListQuery,
  page: { readonly pointers: readonly string[]; readonly hasMore: boolean; readonly rows: readonly T[] | null },
): Outcome<ListPage<T>> {
  const last = page.pointers.at(-1) ?? null;
  const repeats = after !== null && page.pointers.includes(after);
  if (page.rows === null || repeats || (page.hasMore && last === null)) {
    return toLookupFailure(protocolViolation(title, reply), reply.call);
  }
  const rows = page.rows.filter((row) => row.createdAt >= query.from && row.createdAt < query.to);
  return { outcome: 'yes', value: { rows, nextCursor: page.hasMore ? `after:${last}` : null }, call: reply.call };
}

function readPayIn(row: PayInRow): ListedPayment | null {
  const status = listedStatusOf(row.status);
  const amount = readDecimal(status === 'paid' ? (row.amount_accepted ?? row.amount_paid ?? row.amount) : row.amount);
  const createdAt = readListTime(row.date_created);
  if (amount === null || createdAt === null) return null;
  const reference = row.reference ?? null;
  const own = reference === null ? null : merchantReference(reference, row.payment_reference);
  return {
    reference: own,
    transactionId: own ?? row.pointer,
    status,
    amount,
    fee: optionalDecimal(row.fee),
    currency: row.currency,
    method: methodOf[row.payment_method ?? ''] ?? null,
    createdAt,
    paidAt: status === 'paid' ? readListTime(row.date_completed) : null,
  };
}

/** The refund's reference is the merchant's own, so it stands in the note beside the reason. */
function readRefund(row: RefundRow): ListedRefund | null {
  const amount = readDecimal(row.amount_returned);
  const createdAt = readListTime(row.refund_date);
  if (amount === null || createdAt === null) return null;
  return {
    gatewayRefundId: row.refund_reference,
    paymentReference: row.payment_reference,
    transactionId: row.payment_reference,
    amount,
    currency: row.currency,
    state: refundStateOf(row.status),
    note: [row.refund_reference, row.reason ?? null].filter((part) => part !== null).join(' '),
    createdAt,
  };
}

/** `2023-09-28 12:24:29` in the list's zone, or a time with a zone of its own. */
function readListTime(text: string | null | undefined): Date | null {
  const zoneless = /^(\d{4}-\d{2}-\d{2})[ T](\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?)$/.exec(text ?? '');
  return readTime(zoneless === null ? text : `${zoneless[1]}T${zoneless[2]}${settings.listZone}`);
}
