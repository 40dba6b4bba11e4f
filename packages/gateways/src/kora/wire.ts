import { z } from 'zod';
import type { ListedPayment, RefundReceipt } from '../gateway.ts';

/** Kora's JSON, as far as it is read: fields in use are checked, all others may be anything. See https://developers.korapay.com/docs. */

/** Naira, as a number or as text: `5000`, `"5000.00"`. */
const amount = z.union([z.number(), z.string().max(60)]);
const shortText = z.string().max(200);
const currency = z.string().regex(/^[A-Z]{3}$/);
const reference = z.string().regex(/^(?=.*\w)[\w.:=-]{1,100}$/);
const word = z.string().regex(/^[\w-]{1,50}$/);
const pointer = z.string().regex(/^[\x21-\x7e]{1,200}$/);
const maxRows = 1000;

/** Text that only informs: anything unusual in its place counts as absent. */
const optionalText = z.string().max(1000).nullish().catch(null);
const optionalReference = reference.nullish().catch(null);

/** An error answer of any endpoint. */
export const refusalSchema = z.looseObject({ status: z.literal(false), message: optionalText });

/** A parsed error answer. */
export type Refusal = z.infer<typeof refusalSchema>;

/** Answer of `POST /charges/initialize`: a hosted checkout. */
export const checkoutSchema = z.looseObject({
  status: z.literal(true),
  data: z.looseObject({ reference: shortText, checkout_url: z.string().min(1).max(2048) }),
});

/** Answer of `GET /charges/{reference}`. */
export const chargeSchema = z.looseObject({
  status: z.literal(true),
  data: z.looseObject({
    reference: shortText,
    status: shortText,
    /** As requested. */
    amount,
    /** Amount that the customer transferred. */
    amount_paid: amount.nullish(),
    /** Part of it that Kora processed: "You are expected to use this field to give value to your customer". */
    amount_accepted: amount.nullish(),
    fee: amount.nullish().catch(null),
    currency,
    payment_method: optionalText,
    message: optionalText,
  }),
});

/** A parsed charge. */
export type Charge = z.infer<typeof chargeSchema>['data'];

/** Answer of `POST /refunds/initiate` and of `GET /refunds/{reference}`. */
export const refundSchema = z.looseObject({
  status: z.literal(true),
  message: optionalText,
  data: z.looseObject({ refund_reference: reference, status: shortText }),
});

/** A page of a list. The documentation shows a page of one row as that row alone. */
function pageSchema<Row extends z.ZodType>(row: Row) {
  const rows = z.array(row).max(maxRows);
  return z.looseObject({ has_more: z.boolean(), data: z.union([rows, row.transform((one) => [one])]) });
}

const payInRow = z.looseObject({
  pointer,
  reference: shortText.nullish().catch(null),
  payment_reference: optionalReference,
  status: shortText,
  amount,
  amount_paid: amount.nullish(),
  amount_accepted: amount.nullish(),
  fee: amount.nullish().catch(null),
  currency,
  payment_method: optionalText,
  date_created: optionalText,
  date_completed: optionalText,
});

/** A parsed row of the list of pay-ins. */
export type PayInRow = z.infer<typeof payInRow>;

/** A page of `GET /pay-ins`. */
export const payInsSchema = pageSchema(payInRow);

const refundRow = z.looseObject({
  pointer,
  refund_reference: reference,
  refund_date: optionalText,
  status: shortText,
  payment_reference: reference,
  reason: optionalText,
  amount_returned: amount,
  currency,
});

/** A parsed row of the list of refunds. */
export type RefundRow = z.infer<typeof refundRow>;

/** A page of `GET /refunds`. */
export const refundsSchema = pageSchema(refundRow);

/** Any webhook. The signature covers `data` and not `event`. */
export const eventSchema = z.looseObject({ event: z.string().regex(/^[\w.-]{1,100}$/) });

/** `data` of any webhook. */
export const eventDataSchema = z.looseObject({});

/** `data` of `charge.*` events. */
export const chargeEventSchema = z.looseObject({ reference, payment_reference: optionalReference, status: word });

/** `data` of `refund.*` events. */
export const refundEventSchema = z.looseObject({
  reference,
  payment_reference: optionalReference,
  status: word,
  created_at: optionalText,
  completed_at: optionalText,
});

/** A charge's status as one of the answers the contract knows. */
export function chargeStateOf(status: string): 'paid' | 'failed' | 'unfinished' | 'unrecognised' {
  switch (status) {
    case 'success':
      return 'paid';
    case 'failed':
    case 'expired':
      return 'failed';
    case 'pending':
    case 'processing':
      return 'unfinished';
    default:
      return 'unrecognised';
  }
}

/** A charge's status in the list; an unknown value is not final. */
export function listedStatusOf(status: string): ListedPayment['status'] {
  const state = chargeStateOf(status);
  if (state === 'paid') return 'paid';
  return state === 'failed' ? 'unpaid' : 'open';
}

/** A refund's status; one that is not known is not final. */
export function refundStateOf(status: string): RefundReceipt['state'] {
  switch (status) {
    case 'success':
      return 'succeeded';
    case 'failed':
      return 'failed';
    default:
      return 'processing';
  }
}
