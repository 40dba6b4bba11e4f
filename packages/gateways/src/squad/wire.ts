import { z } from 'zod';
import type { ListedPayment, RefundReceipt } from '../gateway.ts';
import { settings } from './settings.ts';

/** Squad's JSON, as far as it is read: fields in use are checked, all others may be anything. See https://docs.squadco.com. */

const amount = z.union([z.number(), z.string().max(40)]);
const shortText = z.string().max(200);
const currency = z.string().regex(/^[A-Z]{3}$/);
const reference = z.string().regex(/^[\w.=-]{1,100}$/);
const gatewayReference = z.string().regex(/^[\w.=-]{1,200}$/);
const maxRows = 1000;

/** Text that only informs: anything unusual in its place counts as absent. */
const optionalText = z.string().max(1000).nullish().catch(null);

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

/** An error answer, whichever of its three shapes it had. */
export interface Refusal {
  /** The status in the body; null where the shape has none. */
  readonly status: number | null;
  /** Null or empty where no reason is given. */
  readonly message: string | null;
}

/** Reads an error answer of any endpoint; null when the JSON is none. */
export function readRefusal(json: unknown): Refusal | null {
  const usual = usualRefusal.safeParse(json);
  if (usual.success) return { status: usual.data.status ?? null, message: usual.data.message ?? null };
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
    checkout_url: z.string().min(1).max(2048),
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
  data: z
    .array(
      z.looseObject({
        id: z.union([z.number().int().nonnegative(), z.string().regex(/^\d{1,20}$/)]).transform(String),
        transaction_ref: reference.nullish().catch(null),
        transaction_amount: amount,
        /** Amount that the merchant gets of a payment. */
        merchant_amount: amount.nullish().catch(null),
        transaction_status: shortText,
        transaction_currency_id: currency,
        transaction_type: optionalText,
        created_at: optionalText,
      }),
    )
    .max(maxRows),
});

/** A parsed row of the list. */
export type TransactionRow = z.infer<typeof transactionListSchema>['data'][number];

/** Any webhook. */
export const webhookSchema = z.looseObject({
  Event: z.string().regex(/^[\w.:-]{1,100}$/),
  TransactionRef: z.unknown(),
  Body: z.looseObject({}),
});

/** `Body` of `charge_successful`. */
export const chargeEventSchema = z.looseObject({
  transaction_ref: reference,
  gateway_ref: gatewayReference.nullish().catch(null),
  created_at: optionalText,
});

/** A transaction's status as one of the answers the contract knows; samples write it in capitals and in lower case. */
export function transactionStateOf(status: string): 'paid' | 'failed' | 'unfinished' | 'unrecognised' {
  switch (status.toLowerCase()) {
    case 'success':
      return 'paid';
    case 'failed':
      return 'failed';
    // The customer may still come back to the same page.
    case 'abandoned':
    case 'pending':
      return 'unfinished';
    default:
      return 'unrecognised';
  }
}

/** A transaction's status in the list; an unknown value is not final. */
export function listedStatusOf(status: string): ListedPayment['status'] {
  const state = transactionStateOf(status);
  if (state === 'paid') return 'paid';
  return state === 'failed' ? 'unpaid' : 'open';
}

/** `gateway_refund_status`; only `pending` is documented, and a word that is not known is not final. */
export function refundStateOf(status: string): RefundReceipt['state'] {
  switch (status.toLowerCase()) {
    case 'success':
    case 'successful':
    case 'completed':
      return 'succeeded';
    case 'failed':
      return 'failed';
    default:
      return 'processing';
  }
}

/** A time of Squad's, with its zone or without, or null when the text is none or a placeholder. */
export function readSquadTime(text: string | null | undefined): Date | null {
  const zoned = /(Z|[+-]\d{2}:?\d{2})$/i.test(text ?? '') ? text : `${text}${settings.zoneOfTimes}`;
  const time = new Date(zoned ?? '');
  return Number.isNaN(time.getTime()) || time.getUTCFullYear() < settings.firstYear ? null : time;
}
