import { z } from 'zod';
import type { ListedPayment, RefundReceipt } from '../gateway.ts';
import { responseStateOf } from './response-codes.ts';
import { currencyOf, settings } from './settings.ts';

/**
 * Interswitch's JSON, as far as it is read: fields in use are checked, all others may be anything. See
 * https://docs.interswitchgroup.com/docs/pay-bill, /docs/refunds and /docs/quick-search.
 */

const amount = z.union([z.number(), z.string().max(40)]);
const id = z.union([z.number().int().nonnegative(), z.string().regex(/^\d{1,20}$/)]).transform(String);
const code = z.union([z.number().int(), z.string().max(40)]).transform(String);
const shortText = z.string().max(200);
/** Rows are asked for by it, so it may hold nothing that an address reads in its own way. */
const refundReference = z.string().regex(/^[\x21-\x7e]{1,100}$/);
const pageNumber = z.coerce.number().int().min(0).max(1_000_000);
const maxRows = 1000;

/** Text that only informs: anything unusual in its place counts as absent. */
const optionalText = z.string().max(1000).nullish().catch(null);
const optionalCode = z
  .union([z.string().max(40), z.number().int()])
  .transform(String)
  .nullish();
/** Milliseconds since 1970, or text. */
const time = z.union([z.number(), z.string().max(40)]);

/** Answer of `POST /passport/oauth/token`. */
export const tokenSchema = z.looseObject({
  access_token: z.string().regex(/^[\x21-\x7e]{1,8000}$/),
  expires_in: z.coerce.number().positive().max(31_536_000).default(settings.tokenLifetimeSeconds),
});

/** An error answer, in any of the envelopes that its services use. */
export const refusalSchema = z.union([
  z.looseObject({ responseCode: code, responseDescription: optionalText }).transform((body) => ({
    code: body.responseCode,
    message: body.responseDescription ?? null,
  })),
  z.looseObject({ ResponseCode: code, ResponseDescription: optionalText }).transform((body) => ({
    code: body.ResponseCode,
    message: body.ResponseDescription ?? null,
  })),
  z.looseObject({ errors: z.array(z.looseObject({ code: code, message: optionalText })).min(1) }).transform(({ errors }) => ({
    code: errors[0]?.code ?? '',
    message: errors[0]?.message ?? null,
  })),
  z.looseObject({ error: shortText, error_description: optionalText }).transform((body) => ({
    code: body.error,
    message: body.error_description ?? null,
  })),
]);

/** A parsed error answer. */
export type Refusal = z.output<typeof refusalSchema>;

/** Answer of `POST /paymentgateway/api/v1/paybill`: the bill as requested, and where to pay it. */
export const billSchema = z.looseObject({
  code: code.refine((given) => given === settings.billMadeCode),
  reference: shortText,
  paymentUrl: z.string().min(1).max(2048),
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
  data: z
    .array(
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
    )
    .max(maxRows),
});

/** A parsed row of the search. */
export type PaymentRow = z.infer<typeof paymentListSchema>['data'][number];

/** A page of `GET /paymentgateway/api/v1/refunds`. Amounts in kobo. */
export const refundListSchema = z.looseObject({
  pageNumber,
  totalPages: pageNumber,
  data: z
    .array(
      z.looseObject({
        refundReference,
        refundStatus: shortText,
        refundAmount: amount,
        parentTransactionReference: optionalText,
        parentPaymentId: id.nullish().catch(null),
        reasonForRefund: optionalText,
        createdDate: time,
      }),
    )
    .max(maxRows),
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

const reference = z.string().regex(/^[\w.=-]{1,100}$/);

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

/** A refund's status. `SUCCESS` is the first one, and says only that the refund was received; an unknown one is not final. */
export function refundStateOf(status: string): RefundReceipt['state'] {
  switch (status) {
    case 'COMPLETE':
      return 'succeeded';
    case 'COMPLETE_MANUAL':
      return settings.manuallyCompletedRefund;
    case 'FAILED':
      return settings.failedRefund;
    default:
      return 'processing';
  }
}

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
