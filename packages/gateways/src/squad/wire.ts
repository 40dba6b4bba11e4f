import { z } from 'zod';
import type { Answer, Refusal } from '../gateway-api.ts';
import { publishedStates } from '../published-states.ts';
import { failedStates, type PaymentState, type RefundState, readState } from '../states.ts';
import {
  amount,
  checkoutAddress,
  currency,
  id,
  optionalAmount,
  optionalText,
  reference,
  rowsOf,
  shortText,
  word,
} from '../wire-schemas.ts';
import { errorCodes } from './error-codes.ts';
import { settings } from './settings.ts';

/** Squad's JSON, as far as it is read: fields in use are checked, all others may be anything. See https://docs.squadco.com. */

const gatewayReference = z.string().regex(/^[\w.=-]{1,200}$/);
const httpStatus = z.number().int().min(100).max(599);

/** Most refusals: `{status: 400, success: false, message, data: {}}`; those of a key leave `status` out. */
const usualRefusal = z.looseObject({
  success: z.literal(false),
  status: httpStatus.nullish().catch(null),
  message: optionalText,
});

/** Refusals of initiate: `{status: 401, message, data: null}`. */
const initiateRefusal = z.looseObject({ status: httpStatus.min(400), message: z.string().max(1000), data: z.unknown() });

/** Invalid fields: problem details with the messages of each field. */
const validationRefusal = z.looseObject({
  title: z.string().max(1000),
  status: httpStatus.min(400),
  errors: z.record(z.string().max(100), z.array(z.string().max(500)).max(20)),
});

/** Reads an error answer of any endpoint, whichever of its three shapes it has; null when the JSON is none. */
export function readRefusal({ json }: Pick<Answer, 'json'>): Refusal | null {
  const usual = usualRefusal.safeParse(json);
  if (usual.success) return { status: usual.data.status ?? null, message: usual.data.message };
  const validation = validationRefusal.safeParse(json);
  if (validation.success) return { status: validation.data.status, message: describeErrors(validation.data) };
  const initiate = initiateRefusal.safeParse(json);
  return initiate.success ? { status: initiate.data.status, message: initiate.data.message } : null;
}

/** `One or more validation errors occurred. email: The email field is required.` */
function describeErrors({ title, errors }: z.infer<typeof validationRefusal>): string {
  const fields = Object.entries(errors).map(([field, messages]) => `${field}: ${messages.join(' ')}`);
  return [title, ...fields].join(' ');
}

/** Answer of `POST /transaction/initiate`: a hosted checkout. It has no `success`. */
export const initiateSchema = z.looseObject({
  status: z.literal(200),
  data: z.looseObject({
    checkout_url: checkoutAddress,
    transaction_ref: shortText,
    access_token: optionalText,
  }),
});

/** Answer of `GET /transaction/verify/{transaction_ref}`. The amount is in kobo. */
export const transactionSchema = z.looseObject({
  success: z.literal(true),
  data: z.looseObject({
    transaction_ref: shortText,
    transaction_amount: amount,
    transaction_status: shortText,
    transaction_currency_id: currency,
    transaction_type: optionalText,
    /** Names the try that paid; a refund needs it. */
    gateway_transaction_ref: gatewayReference.nullish().catch(null),
  }),
});

/** A parsed transaction. */
export type Transaction = z.infer<typeof transactionSchema>['data'];

/** Answer of `POST /transaction/refund`. */
export const refundSchema = z.looseObject({
  success: z.literal(true),
  message: optionalText,
  data: z.looseObject({ refund_reference: z.string().min(1).max(200), gateway_refund_status: shortText }),
});

/** A page of `GET /transaction`. Amounts are in kobo. It has neither its number nor the number of pages. */
export const transactionListSchema = z.looseObject({
  success: z.literal(true),
  data: rowsOf(
    z.looseObject({
      id,
      transaction_ref: reference.nullish().catch(null),
      transaction_amount: amount,
      /** Amount that the merchant gets of a payment. */
      merchant_amount: optionalAmount,
      transaction_status: shortText,
      transaction_currency_id: currency,
      transaction_type: optionalText,
      created_at: optionalText,
    }),
  ),
});

/** A parsed row of the list. */
export type TransactionRow = z.infer<typeof transactionListSchema>['data'][number];

/** Any webhook. */
export const webhookSchema = z.looseObject({
  Event: word,
  TransactionRef: z.unknown(),
  Body: z.looseObject({}),
});

/** `Body` of `charge_successful`. */
export const chargeEventSchema = z.looseObject({
  transaction_ref: reference,
  gateway_ref: gatewayReference.nullish().catch(null),
  created_at: optionalText,
});

/** A webhook about a transfer ("Dynamic virtual accounts, Webhooks"): flat, and amounts in naira as decimal text. */
export const transferEventSchema = z.looseObject({
  transaction_type: z.literal('dynamic_virtual_account'),
  transaction_status: word,
  transaction_reference: z.string().regex(/^[\w.=/-]{1,100}$/),
  merchant_reference: reference,
  amount_received: amount,
  date: optionalText,
});

const transactionStates = publishedStates<PaymentState>('squad', 'transaction', {
  success: 'paid',
  ...failedStates(errorCodes),
  pending: 'unfinished',
  // The customer may still come back to the same page.
  abandoned: 'unfinished',
});

/** Meaning of a `transaction_status`; samples write it in capitals and in lower case. */
export function transactionStateOf(status: string): PaymentState | 'unrecognised' {
  return readState(transactionStates, status.toLowerCase());
}

/** Meaning of a `gateway_refund_status` in lower case: one word is documented, and no call that would show another. */
export const refundStates = publishedStates<RefundState>('squad', 'refund', { pending: 'processing' });

/** A time of Squad's, with its zone or without, or null when the text is none or a placeholder. */
export function readSquadTime(text: string | null | undefined): Date | null {
  const zoned = /(Z|[+-]\d{2}:?\d{2})$/i.test(text ?? '') ? text : `${text}${settings.zoneOfTimes}`;
  const time = new Date(zoned ?? '');
  return Number.isNaN(time.getTime()) || time.getUTCFullYear() < settings.firstYear ? null : time;
}
