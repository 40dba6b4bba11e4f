import { callWithKey, getPage } from '../access.ts';
import { readDecimal } from '../amount.ts';
import type { AccountAccess, CallOptions, Gateway, ListedPayment, ListedRefund, ListQuery } from '../gateway.ts';
import { type ListPlace, type NextPage, readPage, readRows, readTime } from '../list-answers.ts';
import { readRefundState, readState, readWord, toListedStatus } from '../states.ts';
import { api } from './api.ts';
import { methodOf, settings } from './settings.ts';
import { merchantReference } from './webhooks.ts';
import {
  acceptedAmount,
  chargeStates,
  type PayInRow,
  payInsSchema,
  type RefundRow,
  refundStates,
  refundsSchema,
} from './wire.ts';

/** A page of `GET /pay-ins`; see {@link Gateway.listPayments}. */
export const listPayments: Gateway['listPayments'] = (account, query, options) =>
  readPage(api, query, {
    ...listAt('/pay-ins', account, query, options),
    schema: payInsSchema,
    read: (page, place) => ({ rows: readRows(page.data, readPayIn), next: nextOf(page, place) }),
  });

/**
 * A page of `GET /refunds`, which has no filter by payment, so refunds of one payment are picked here. The documentation names the
 * list and not its fields: it is read like the list of pay-ins, of rows like the answers about one refund.
 */
export const listRefunds: Gateway['listRefunds'] = (account, query, options) =>
  readPage(api, query, {
    ...listAt('/refunds', account, query, options),
    schema: refundsSchema,
    read(page, place) {
      const payment = query.paymentReference ?? query.transactionId;
      const all = readRows(page.data, readRefund);
      const rows = all?.filter((row) => payment === null || row.paymentReference === payment) ?? null;
      return { rows, next: nextOf(page, place) };
    },
  });

/** Pages go by the pointer of the last row. */
function listAt(path: string, account: AccountAccess, query: ListQuery, options: CallOptions) {
  const fetchPage = ({ token }: ListPlace) => {
    const search = {
      date_from: secondOf(query.from),
      date_to: secondOf(new Date(query.to.getTime() + settings.periodMayEndEarlierMs)),
      limit: String(settings.rowsPerPage),
      ...(token === null ? {} : { starting_after: token }),
    };
    return callWithKey(api, account, getPage(path, search, options));
  };
  return { path, mark: 'after', fetchPage };
}

/** `YYYY-MM-DD-HH-MM-SS`, in UTC. */
function secondOf(time: Date): string {
  return time.toISOString().slice(0, 19).replaceAll(/[T:]/g, '-');
}

/** A page that repeats the row it was asked to start after, or that announces more after no row, has no next one. */
function nextOf(
  page: { readonly has_more: boolean; readonly data: readonly { readonly pointer: string }[] },
  { token }: ListPlace,
): NextPage {
  if (page.data.some(({ pointer }) => pointer === token)) return 'contradiction';
  const last = page.data.at(-1);
  if (!page.has_more) return null;
  return last === undefined ? 'contradiction' : { token: last.pointer };
}

function readPayIn(row: PayInRow): ListedPayment | null {
  const status = toListedStatus(readState(chargeStates, row.status));
  const amount = readDecimal(status === 'paid' ? acceptedAmount(row) : row.amount);
  const createdAt = readListTime(row.date_created);
  if (amount === null || createdAt === null) return null;
  const reference = row.reference ?? null;
  const own = reference === null ? null : merchantReference(reference, row.payment_reference);
  return {
    reference: own,
    transactionId: own ?? row.pointer,
    status,
    amount,
    fee: readDecimal(row.fee),
    currency: row.currency,
    method: readWord(methodOf, row.payment_method),
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
    state: readRefundState(refundStates, row.status),
    note: [row.refund_reference, row.reason ?? null].filter((part) => part !== null).join(' '),
    createdAt,
  };
}

/** `2023-09-28 12:24:29` in the list's zone, or a time with a zone of its own. */
function readListTime(text: string | null | undefined): Date | null {
  const zoneless = /^(\d{4}-\d{2}-\d{2})[ T](\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?)$/.exec(text ?? '');
  return readTime(zoneless === null ? text : `${zoneless[1]}T${zoneless[2]}${settings.listZone}`);
}
