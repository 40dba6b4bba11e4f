import { z } from 'zod';
import type { ListedPayment } from '../gateway.ts';
import { publishedStates } from '../published-states.ts';
import type { RefundState } from '../states.ts';
import {
  accessToken,
  amount,
  checkoutAddress,
  id,
  optionalText,
  pageNumber,
  reference,
  rowsOf,
  shortText,
} from '../wire-schemas.ts';
import { responseStateOf } from './response-codes.ts';
import { currencyOf, settings } from './settings.ts';

/**
 * Interswitch's JSON, as far as it is read: fields in use are checked, all others may be anything. See
 * https://docs.interswitchgroup.com/docs/pay-bill, /docs/refunds and /docs/quick-search.
 */

const code = z.union([z.number().int(), z.string().max(40)]).transform(String);
/** Rows are asked for by it, so it may hold nothing that an address reads in its own way. */
const refundReference = z.string().regex(/^[\x21-\x7e]{1,100}$/);
const optionalCode = z
  .union([z.string().max(40), z.number().int()])
  .transform(String)
  .nullish();
/** Milliseconds since 1970, or text. */
const time = z.union([z.number(), z.string().max(40)]);

/** Answer of `POST /passport/oauth/token`. */
export const tokenSchema = z.looseObject({
  access_token: accessToken,
  expires_in: z.coerce.number().positive().max(31_536_000).default(settings.tokenLifetimeSeconds),
});

/** An error answer, in any of the envelopes that its services use. */
export const refusalSchema = z.union([
  z
    .looseObject({ responseCode: code, responseDescription: optionalText })
    .transform((body) => ({ code: body.responseCode, message: body.responseDescription ?? body.responseCode })),
  z
    .looseObject({ ResponseCode: code, ResponseDescription: optionalText })
    .transform((body) => ({ code: body.ResponseCode, message: body.ResponseDescription ?? body.ResponseCode })),
  z
    .looseObject({ errors: z.tuple([z.looseObject({ code, message: optionalText })], z.unknown()) })
    .transform(({ errors: [first] }) => ({ code: first.code, message: first.message ?? first.code })),
  z
    .looseObject({ error: shortText, error_description: optionalText })
    .transform((body) => ({ code: body.error, message: body.error_description ?? body.error })),
]);

/** Answer of `POST /paymentgateway/api/v1/paybill`: the bill as requested, and where to pay it. */
export const billSchema = z.looseObject({
  code: code.refine((given) => given === settings.billMadeCode),
  reference: shortText,
  paymentUrl: checkoutAddress,
});

/** Answer of `GET /collections/api/v1/gettransaction.json`. Amounts in kobo. */
export const transactionSchema = z.looseObject({
  /** 0 where the response code is about the look-up itself. */
  Amount: amount,
  MerchantReference: optionalText,
  PaymentReference: optionalText,
  RetrievalReferenceNumber: optionalText,
  TransactionDate: optionalText,
  /** None while the customer has not finished. */
  ResponseCode: optionalCode,
  ResponseDescription: optionalText,
  /** Documented answers have no currency. */
  CurrencyCode: optionalCode,
  Channel: optionalText,
});

/** A parsed transaction. */
export type Transaction = z.infer<typeof transactionSchema>;

/** Answer of `POST /paymentgateway/api/v1/refunds` and of `GET …/refunds/{refundReference}`. Amounts in kobo. */
export const refundSchema = z.looseObject({ refundReference, refundStatus: shortText });

/** A page of the search. Of its fields, only some are documented: reference, response code and time of day are not. */
export const paymentListSchema = z.looseObject({
  responseCode: code.refine((given) => settings.searchedCodes.some((known) => known === given)),
  pageNumber: pageNumber.optional(),
  totalPages: pageNumber.optional(),
  /** Cursor to send for the next set; blank or none at the end. */
  cursor: z
    .string()
    .regex(/^[\x21-\x7e]{0,1000}$/)
    .nullish(),
  data: rowsOf(
    z.looseObject({
      retrieval_reference_number: optionalText,
      transaction_id: optionalText,
      /** Null where the payment has none; a search that never names it cannot be compared with anything. */
      merchant_reference: shortText.nullable(),
      response_code: optionalCode.unwrap().nullable(),
      transaction_amount: amount,
      currency_code: optionalCode,
      payment_channel: optionalText,
      transaction_date: shortText,
    }),
  ),
});

/** A parsed page of the search. */
export type PaymentList = z.infer<typeof paymentListSchema>;

/** A parsed row of the search. */
export type PaymentRow = PaymentList['data'][number];

/** A page of `GET /paymentgateway/api/v1/refunds`. Amounts in kobo. */
export const refundListSchema = z.looseObject({
  pageNumber,
  totalPages: pageNumber,
  data: rowsOf(
    z.looseObject({
      refundReference,
      refundStatus: shortText,
      refundAmount: amount,
      parentTransactionReference: optionalText,
      parentPaymentId: id.nullish().catch(null),
      reasonForRefund: optionalText,
      createdDate: time,
    }),
  ),
});

/** A parsed row of the list of refunds. */
export type RefundRow = z.infer<typeof refundListSchema>['data'][number];

/** Any webhook: the names that Interswitch's samples and its integrators use. */
export const webhookSchema = z
  .looseObject({
    event: z.string().optional(),
    eventType: z.string().optional(),
    uuid: z.string().max(100).optional(),
    eventId: z.string().max(100).optional(),
    timestamp: time.optional(),
    data: z.looseObject({}),
  })
  .transform(({ event, eventType, uuid, eventId, timestamp, data }) => ({
    event: event ?? eventType ?? '',
    eventId: uuid ?? eventId ?? null,
    timestamp: timestamp ?? null,
    data,
  }))
  .refine(({ event }) => /^[\w .:-]{1,100}$/.test(event));

/** `data` of `TRANSACTION.*` events. */
export const transactionEventSchema = z
  .looseObject({
    merchantReference: reference.optional(),
    transactionRef: reference.optional(),
    paymentReference: optionalText,
    retrievalReferenceNumber: optionalText,
    responseCode: optionalCode.catch(null),
  })
  .transform((data) => ({ ...data, reference: data.merchantReference ?? data.transactionRef ?? '' }))
  .refine((data) => data.reference !== '');

/** A payment's status in the list; an unknown code is not final. */
export function listedStatusOf(responseCode: string | null): ListedPayment['status'] {
  const state = responseStateOf(responseCode);
  if (state === 'approved') return 'paid';
  return state === 'declined' ? 'unpaid' : 'open';
}

/** The currency of an answer, or null where it names one that is not known. */
export function currencyFrom(currencyCode: string | null | undefined): string | null {
  return currencyCode === null || currencyCode === undefined ? 'NGN' : (currencyOf[currencyCode] ?? null);
}

/** Meaning of a `refundStatus`. */
export const refundStates = publishedStates<RefundState>('interswitch', 'refund', {
  // The first status: says only that the refund was received.
  SUCCESS: 'processing',
  PENDING: 'processing',
  PROCESSING: 'processing',
  COMPLETE: 'succeeded',
  // Interswitch has instructed the issuing bank to pay the customer, and does nothing more.
  COMPLETE_MANUAL: 'succeeded',
  // An earlier page says that a manual process follows; the present one, that it is final.
  FAILED: 'failed',
});

/** A time from the wire: milliseconds, or text that is in Lagos' time where it names no zone; null when it is neither. */
export function readWireTime(given: string | number | null | undefined): Date | null {
  const at = typeof given === 'number' ? given : Date.parse(withZone(given ?? ''));
  return Number.isFinite(at) && Math.abs(at) <= maxTimeMs ? new Date(at) : null;
}

/** The latest instant that a Date holds. */
const maxTimeMs = 8.64e15;

function withZone(text: string): string {
  if (/^\d{4}-\d{2}-\d{2}$/.test(text)) return `${text}T00:00:00${settings.zone}`;
  return /^\d{4}-\d{2}-\d{2}T[\d:.]+$/.test(text) ? text + settings.zone : text;
}
