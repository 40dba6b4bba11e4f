import { callWithKey, getPage } from '../access.ts';
import { readDecimal } from '../amount.ts';
import type { AccountAccess, CallOptions, Gateway, ListedPayment, ListedRefund, ListQuery } from '../gateway.ts';
import { dayOf, type ListPlace, type NextPage, readPage, readRows } from '../list-answers.ts';
import type { Redactor } from '../redact.ts';
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
  readKoraTime,
  refundStates,
  refundsSchema,
} from './wire.ts';

/** A page of `GET /pay-ins`; see {@link Gateway.listPayments}. */
export const listPayments: Gateway['listPayments'] = (account, query, options) =>
  readPage(api, query, {
    ...listAt('/pay-ins', account, query, payInPeriod(query), options),
    schema: payInsSchema,
    read: (page, place) => ({ rows: readRows(page.data, readPayIn), next: nextOf(page, place) }),
  });

/**
 * A page of `GET /refunds` ("Retrieving the Details of a List of Refunds", https://developers.korapay.com/docs/refunds-api), which has no
 * filter by payment, so refunds of one payment are picked here. It takes days, in a zone that is not documented: a day more at both ends.
 */
export const listRefunds: Gateway['listRefunds'] = (account, query, options) =>
  readPage(api, query, {
    ...listAt('/refunds', account, query, refundPeriod(query), options),
    schema: refundsSchema,
    read({ data: { has_more, refunds } }, place, redactor) {
      const payment = query.paymentReference ?? query.transactionId;
      const all = readRows(refunds, (row) => readRefund(row, redactor));
      const rows = all?.filter((row) => payment === null || row.paymentReference === payment) ?? null;
      return { rows, next: nextOf({ has_more, data: refunds }, place) };
    },
  });

/** Pages go by the pointer of the last row. */
function listAt(path: string, account: AccountAccess, query: ListQuery, period: Period, options: CallOptions) {
  const fetchPage = ({ token }: ListPlace) => {
    const search = {
      ...period,
      limit: String(query.rowsPerPage ?? settings.rowsPerPage),
      ...(token === null ? {} : { starting_after: token }),
    };
    return callWithKey(api, account, getPage(path, search, options));
  };
  return { path, mark: 'after', fetchPage };
}

interface Period {
  readonly date_from: string;
  readonly date_to: string;
}

function payInPeriod({ from, to }: ListQuery): Period {
  return { date_from: secondOf(from), date_to: secondOf(new Date(to.getTime() + settings.periodMayEndEarlierMs)) };
}

function refundPeriod({ from, to }: ListQuery): Period {
  return { date_from: dayOf(new Date(from.getTime() - settings.dayMs)), date_to: dayOf(new Date(to.getTime() + settings.dayMs)) };
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
  const createdAt = readKoraTime(row.date_created);
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
    paidAt: status === 'paid' ? readKoraTime(row.date_completed) : null,
  };
}

/** The refund's reference is the merchant's own, so it stands in the note beside the reason. */
function readRefund(row: RefundRow, redactor: Redactor): ListedRefund | null {
  const amount = readDecimal(row.amount);
  const createdAt = readKoraTime(row.created_at);
  if (amount === null || createdAt === null) return null;
  return {
    gatewayRefundId: row.reference,
    paymentReference: row.payment_reference,
    transactionId: row.payment_reference,
    amount,
    currency: row.currency,
    ...readRefundState(refundStates, row.status, { title: api.title, record: row, redactor }),
    note: [row.reference, row.reason ?? null].filter((part) => part !== null).join(' '),
    createdAt,
  };
}
