import { z } from 'zod';
import { publishedStates } from '../published-states.ts';
import { failedStates, type PaymentState, type RefundState } from '../states.ts';
import {
  accessToken,
  amount,
  checkoutAddress,
  currency,
  optionalAmount,
  optionalText,
  rowsOf,
  shortText,
  word,
} from '../wire-schemas.ts';
import { errorCodes } from './error-codes.ts';
import { settings } from './settings.ts';

/** Monnify's JSON, as far as it is read: fields in use are checked, all others may be anything. See https://developers.monnify.com/api. */

const pageCount = z.number().int().min(0).max(1_000_000);

/** Monnify's own references, and those of transactions it opened itself, have pipes: `MNFY|17|20260627090811|000340`. */
const reference = z.string().regex(/^[\w|.=-]{1,100}$/);

function answered<Body extends z.ZodType>(responseBody: Body) {
  return z.looseObject({ requestSuccessful: z.literal(true), responseBody });
}

/** An error answer of any endpoint, under any status. */
export const refusalSchema = z
  .looseObject({ requestSuccessful: z.literal(false), responseMessage: optionalText, responseCode: optionalText })
  .transform(({ responseMessage: message, responseCode: code }) => ({ message, code }));

/** Answer of `POST /api/v1/auth/login`; `expiresIn` in seconds. */
export const loginSchema = answered(z.looseObject({ accessToken, expiresIn: z.number() }));

/** Answer of `POST /api/v1/merchant/transactions/init-transaction`. */
export const initialisedSchema = answered(
  z.looseObject({ transactionReference: reference, paymentReference: shortText, checkoutUrl: checkoutAddress }),
);

const sourceAccount = z.looseObject({ bankCode: optionalText, accountName: optionalText, accountNumber: optionalText });

/** Answer of `GET /api/v2/merchant/transactions/query`. Amounts in naira, as decimal text. */
export const transactionSchema = answered(
  z.looseObject({
    transactionReference: reference,
    paymentReference: shortText,
    amountPaid: amount,
    settlementAmount: optionalAmount,
    paidOn: optionalText,
    paymentStatus: shortText,
    currency,
    paymentMethod: optionalText,
    /** The account that a transfer came from; where it was paid by several, `accountPayments` has them all. */
    accountDetails: sourceAccount.nullish().catch(null),
    accountPayments: z.array(sourceAccount).max(20).nullish().catch(null),
  }),
);

/** A parsed transaction. */
export type Transaction = z.infer<typeof transactionSchema>['responseBody'];

const refund = z.looseObject({
  refundReference: reference,
  transactionReference: reference,
  refundAmount: amount,
  refundStatus: shortText,
  refundReason: optionalText,
  comment: optionalText,
  createdOn: optionalText,
});

/** Answer of `POST /api/v1/refunds/initiate-refund` and of `GET /api/v1/refunds/{refundReference}`. */
export const refundSchema = answered(refund);

/** Pages count from 0. */
function pageOf<Row extends z.ZodType>(row: Row) {
  return answered(z.looseObject({ content: rowsOf(row), number: pageCount, totalPages: pageCount }));
}

/** A page of `GET /api/v1/transactions/search`. Amounts in naira, as numbers. */
export const transactionPageSchema = pageOf(
  z.looseObject({
    transactionReference: reference,
    paymentReference: shortText.nullish().catch(null),
    amount,
    amountPaid: amount.nullish(),
    fee: optionalAmount,
    currencyCode: currency,
    paymentStatus: shortText,
    paymentMethod: optionalText,
    createdOn: optionalText,
    completedOn: optionalText,
  }),
);

/** A parsed row of the search. */
export type TransactionRow = z.infer<typeof transactionPageSchema>['responseBody']['content'][number];

/** A page of `GET /api/v1/refunds`. */
export const refundPageSchema = pageOf(refund);

/** A parsed row of the list of refunds. */
export type RefundRow = z.infer<typeof refundPageSchema>['responseBody']['content'][number];

/** Any webhook. */
export const webhookSchema = z.looseObject({ eventType: word, eventData: z.looseObject({}) });

/** `eventData` of a webhook about a collection. */
export const collectionEventSchema = z.looseObject({
  transactionReference: reference,
  paymentReference: reference,
  paymentStatus: word.nullish(),
  amountPaid: amount.nullish(),
  paidOn: optionalText,
  created_on: optionalText,
});

/** `eventData` of a webhook about a refund. */
export const refundEventSchema = z.looseObject({
  refundReference: reference,
  refundStatus: word,
  completedOn: optionalText,
  createdOn: optionalText,
});

/** `eventData` of a webhook about a settlement. The amount in naira, as decimal text. */
export const settlementEventSchema = z.looseObject({
  amount,
  settlementTime: shortText,
  settlementReference: reference,
});

/** A page of `GET /api/v1/transactions/find-by-settlement-reference`. Amounts in naira, as decimal text or as numbers. */
export const settledTransactionPageSchema = pageOf(
  z.looseObject({
    transactionReference: reference,
    paymentReference: shortText.nullish().catch(null),
    amountPaid: amount,
    /** Only in answers that the SDKs show: what is left of the amount after Monnify's fee. */
    settlementAmount: amount.nullish(),
    paidOn: optionalText,
    paymentMethod: optionalText,
  }),
);

/** A parsed row of it. */
export type SettledTransactionRow = z.infer<typeof settledTransactionPageSchema>['responseBody']['content'][number];

/** Meaning of a transaction's `paymentStatus`. Over- and underpaid ones count as paid: the caller compares the amount. */
export const transactionStates = publishedStates<PaymentState>('monnify', 'transaction', {
  PAID: 'paid',
  OVERPAID: 'paid',
  PARTIALLY_PAID: 'paid',
  REVERSED: 'reversed',
  ...failedStates(errorCodes),
  PENDING: 'unfinished',
  // The customer left the page. The same page takes money until it expires, so it is not the end.
  ABANDONED: 'unfinished',
});

/** Meaning of a `refundStatus`. */
export const refundStates = publishedStates<RefundState>('monnify', 'refund', {
  PENDING: 'processing',
  IN_PROGRESS: 'processing',
  COMPLETED: 'succeeded',
  FAILED: 'failed',
});

/**
 * A time in any of Monnify's spellings, or null when the text is none: `27/06/2026 09:11:14 AM` and `2026-06-27 09:11:14.615` without
 * a zone, `2026-06-27T08:11:14.615+0000` with one.
 */
export function readMonnifyTime(text: string | null | undefined): Date | null {
  const given = text ?? '';
  const slashed = /^(\d{2})\/(\d{2})\/(\d{4}) (\d{1,2}):(\d{2}:\d{2})(?: ([AP]M))?$/.exec(given);
  if (slashed !== null) {
    const [, day = '', month = '', year = '', hour = '', rest = '', half] = slashed;
    return timeOf(`${year}-${month}-${day}T${hourOf(Number(hour), half)}:${rest}${settings.zone}`);
  }
  const dashed = /^(\d{4}-\d{2}-\d{2})[ T](\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?)(Z|[+-]\d{2}:?\d{2})?$/.exec(given);
  if (dashed === null) return null;
  const [, date = '', time = '', zone = settings.zone] = dashed;
  return timeOf(`${date}T${time}${zone.replace(/^([+-]\d{2})(\d{2})$/, '$1:$2')}`);
}

/** The day of a moment in Lagos: `2026-11-25`. */
export function readMonnifyDay(moment: Date): string {
  return new Date(moment.getTime() + settings.lagosAheadMs).toISOString().slice(0, 10);
}

function hourOf(hour: number, half: string | undefined): string {
  const ofDay = half === undefined ? hour : (hour % 12) + (half === 'PM' ? 12 : 0);
  return String(ofDay).padStart(2, '0');
}

function timeOf(iso: string): Date | null {
  const time = Date.parse(iso);
  return Number.isNaN(time) ? null : new Date(time);
}
