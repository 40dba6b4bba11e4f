import { z } from 'zod';
import type { WireAmount } from '../amount.ts';
import { readTime } from '../list-answers.ts';
import { publishedStates } from '../published-states.ts';
import { failedStates, type PaymentState, type RefundState } from '../states.ts';
import { amount, checkoutAddress, currency, optionalAmount, optionalText, rowsOf, shortText } from '../wire-schemas.ts';
import { errorCodes } from './error-codes.ts';
import { settings } from './settings.ts';

/** Kora's JSON, as far as it is read: fields in use are checked, all others may be anything. See https://developers.korapay.com/docs. */

export const merchantReferencePattern = /^(?=.*\w)[\w.:=-]{1,100}$/;
const reference = z.string().regex(merchantReferencePattern);
const word = z.string().regex(/^[\w-]{1,50}$/);
const pointer = z.string().regex(/^[\x21-\x7e]{1,200}$/);
const optionalReference = reference.nullish().catch(null);

/** An error answer of any endpoint. */
export const refusalSchema = z
  .looseObject({ status: z.literal(false), message: optionalText })
  .transform(({ message }) => ({ message }));

/** Answer of `POST /charges/initialize`: a hosted checkout. */
export const checkoutSchema = z.looseObject({
  status: z.literal(true),
  data: z.looseObject({ reference: shortText, checkout_url: checkoutAddress }),
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
    fee: optionalAmount,
    currency,
    payment_method: optionalText,
    message: optionalText,
    virtual_bank_account_details: z
      .looseObject({
        payer_bank_account: z
          .looseObject({ bank_name: optionalText, account_name: optionalText, account_number: optionalText })
          .nullish(),
      })
      .nullish()
      .catch(null),
  }),
});

/** A parsed charge. */
export type Charge = z.infer<typeof chargeSchema>['data'];

/**
 * The amount that counts as received is `amount_accepted`: an excess that Kora returns, or refuses, is not in it, while `amount_paid`
 * is all that the customer transferred ("Handling Underpayments and Overpayments for Bank Transfer Payments",
 * https://developers.korapay.com/docs/handling-underpayments-and-overpayments). Answers without it are about other ways to pay.
 */
export function acceptedAmount(charge: Pick<Charge, 'amount' | 'amount_paid' | 'amount_accepted'>): WireAmount {
  return charge.amount_accepted ?? charge.amount_paid ?? charge.amount;
}

/**
 * Answer of `POST /refunds/initiate`, whose sample names the refund `refund_reference`, and of `GET /refunds/{reference}`, whose sample names
 * it `reference` ("Refunds API", https://developers.korapay.com/docs/refunds-api).
 */
export const refundSchema = z.looseObject({
  status: z.literal(true),
  message: optionalText,
  data: z
    .looseObject({ refund_reference: reference.optional(), reference: reference.optional(), status: shortText })
    .transform(({ refund_reference: requested, reference: found, status }) => ({ reference: requested ?? found ?? '', status }))
    .refine((refund) => refund.reference !== ''),
});

const payInRow = z.looseObject({
  pointer,
  reference: shortText.nullish().catch(null),
  payment_reference: optionalReference,
  status: shortText,
  amount,
  amount_paid: amount.nullish(),
  amount_accepted: amount.nullish(),
  fee: optionalAmount,
  currency,
  payment_method: optionalText,
  date_created: optionalText,
  date_completed: optionalText,
});

/** A parsed row of the list of pay-ins. */
export type PayInRow = z.infer<typeof payInRow>;

/** A page of `GET /pay-ins`. The documentation shows a page of one row as that row alone. */
export const payInsSchema = z.looseObject({
  has_more: z.boolean(),
  data: z.union([rowsOf(payInRow), payInRow.transform((one) => [one])]),
});

const refundRow = z.looseObject({
  pointer,
  reference,
  created_at: optionalText,
  status: shortText,
  payment_reference: reference,
  reason: optionalText,
  amount,
  currency,
});

/** A parsed row of the list of refunds. */
export type RefundRow = z.infer<typeof refundRow>;

/** A page of `GET /refunds`. */
export const refundsSchema = z.looseObject({
  status: z.literal(true),
  data: z.looseObject({ has_more: z.boolean(), refunds: rowsOf(refundRow) }),
});

/** Any webhook. The signature covers `data` and not `event`. */
export const eventSchema = z.looseObject({ event: z.string().regex(/^[\w.-]{1,100}$/) });

/** `data` of any webhook. */
export const eventDataSchema = z.looseObject({});

/** `data` of `charge.*` events. A reference that Kora made itself may have other characters than ours: `KPY-C-a1B2&98n8b`. */
export const chargeEventSchema = z.looseObject({
  reference: z.string().regex(/^[\x21-\x7e]{1,100}$/),
  payment_reference: optionalReference,
  status: word,
});

/** `data` of `refund.*` events. */
export const refundEventSchema = z.looseObject({
  reference,
  payment_reference: optionalReference,
  status: word,
  created_at: optionalText,
  completed_at: optionalText,
  /** Names of the two times in another sample. */
  refund_date: optionalText,
  completion_date: optionalText,
});

/** Meaning of a charge's `status`. */
export const chargeStates = publishedStates<PaymentState>('kora', 'transaction', {
  success: 'paid',
  ...failedStates(errorCodes),
  pending: 'unfinished',
  processing: 'unfinished',
});

/** Meaning of a refund's `status`. */
export const refundStates = publishedStates<RefundState>('kora', 'refund', {
  processing: 'processing',
  success: 'succeeded',
  failed: 'failed',
});

/** `2023-09-28 12:24:29`, without a zone, or a time with a zone of its own. */
export function readKoraTime(text: string | null | undefined): Date | null {
  const zoneless = /^(\d{4}-\d{2}-\d{2})[ T](\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?)$/.exec(text ?? '');
  return readTime(zoneless === null ? text : `${zoneless[1]}T${zoneless[2]}${settings.zone}`);
}
