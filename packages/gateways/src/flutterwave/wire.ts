import { z } from 'zod';
import type { ListedPayment, RefundReceipt } from '../gateway.ts';
import { parseWireJson } from '../wire-json.ts';
import { settings } from './settings.ts';

/** Flutterwave's JSON, as far as it is read: fields in use are checked, all others may be anything. See https://developer.flutterwave.com/v3.0/docs. */

const amount = z.union([z.number(), z.string().max(60)]);
const id = z.union([z.number().int().nonnegative(), z.string().regex(/^\d{1,20}$/)]).transform(String);
const shortText = z.string().max(200);
const reference = z.string().regex(/^[\w.=-]{1,100}$/);
const currency = z.string().regex(/^[A-Z]{3}$/);
const pageCount = z.coerce.number().int().min(0).max(1_000_000);
const maxRows = 1000;
const word = z.string().regex(/^[\w.:-]{1,100}$/);

/** Text that only informs: anything unusual in its place counts as absent. */
const optionalText = z.string().max(1000).nullish().catch(null);

/** An error answer of any endpoint. */
export const refusalSchema = z.looseObject({ status: z.literal('error'), message: optionalText });

/** A parsed error answer. */
export type Refusal = z.infer<typeof refusalSchema>;

/** Answer of `POST /payments`: the link to a hosted checkout. */
export const linkSchema = z.looseObject({
  status: z.literal('success'),
  data: z.looseObject({ link: z.string().min(1).max(2048) }),
});

/** Answer of `GET /transactions/{id}/verify` and of `GET /transactions/verify_by_reference`. Amounts in the main unit. */
export const transactionSchema = z.looseObject({
  status: z.literal('success'),
  data: z.looseObject({
    id,
    tx_ref: shortText,
    amount,
    charged_amount: amount.nullish(),
    currency,
    status: shortText,
    app_fee: amount.nullish().catch(null),
    processor_response: optionalText,
    payment_type: optionalText,
    created_at: optionalText,
  }),
});

/** A parsed transaction. */
export type Transaction = z.infer<typeof transactionSchema>['data'];

/** Answer of `POST /transactions/{id}/refund` and of `GET /refunds/{id}`. */
export const refundSchema = z.looseObject({
  status: z.literal('success'),
  message: optionalText,
  data: z.looseObject({ id, status: shortText, meta: z.unknown() }),
});

const pageInfo = z.looseObject({ page_info: z.looseObject({ current_page: pageCount, total_pages: pageCount }) });

/** A page of `GET /transactions`. Amounts in the main unit. */
export const transactionListSchema = z.looseObject({
  status: z.literal('success'),
  data: z
    .array(
      z.looseObject({
        id,
        tx_ref: shortText.nullish().catch(null),
        amount,
        charged_amount: amount.nullish(),
        currency,
        status: shortText,
        app_fee: amount.nullish().catch(null),
        payment_type: optionalText,
        created_at: optionalText,
      }),
    )
    .max(maxRows),
  meta: pageInfo,
});

/** A parsed row of the list of transactions. */
export type TransactionRow = z.infer<typeof transactionListSchema>['data'][number];

/** A page of `GET /refunds` ("Get all refunds", https://developer.flutterwave.com/v3.0.0/reference/get-all-refunds). Amounts in the main unit. */
export const refundListSchema = z.looseObject({
  status: z.literal('success'),
  data: z
    .array(
      z.looseObject({
        id,
        transaction_id: id.nullish().catch(null),
        /** The name in answers about one refund; the list's own is `transaction_id`. */
        tx_id: id.nullish().catch(null),
        amount_refunded: amount,
        currency: currency.nullish().catch(null),
        status: shortText,
        meta: z.unknown(),
        comment: optionalText,
        comments: optionalText,
        created_at: optionalText,
      }),
    )
    .max(maxRows),
  meta: pageInfo,
});

/** A parsed row of the list of refunds. */
export type RefundRow = z.infer<typeof refundListSchema>['data'][number];

/** Webhook about a charge. */
export const chargeWebhookSchema = z.looseObject({
  event: word,
  data: z.looseObject({ id, tx_ref: reference, status: word, created_at: optionalText }),
});

/** Any other webhook. */
export const otherWebhookSchema = z.looseObject({ event: word });

/** Refund webhooks come without an envelope and with their own capitalisation. */
export const refundWebhookSchema = z.looseObject({
  id,
  status: word,
  AmountRefunded: amount,
  TransactionId: id,
  updatedAt: optionalText,
});

/** A transaction's status as one of the answers the contract knows. */
export function transactionStateOf(status: string): 'paid' | 'failed' | 'unfinished' | 'unrecognised' {
  switch (status) {
    case 'successful':
      return 'paid';
    case 'failed':
      return 'failed';
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

/**
 * A refund's status ("Refund statuses", https://developer.flutterwave.com/v3.0/docs/refunds). A bare `completed` is "initiated and is
 * pending disbursement to the customer"; only those of {@link settings.paidOutRefunds} say that the money went out, and
 * `meta.disburse_status` where a refund has it. One that is not known is not final. `meta` is an object, or the same as JSON text.
 */
export function refundStateOf(status: string, meta: unknown): RefundReceipt['state'] {
  const disbursed = disbursementOf(meta);
  if (disbursed === 'failed' || status === 'failed') return 'failed';
  if (settings.paidOutRefunds.some((known) => known === status)) return 'succeeded';
  const isPaidOut = disbursed !== null && ['successful', 'success', 'completed'].includes(disbursed);
  return status === 'completed' && isPaidOut ? 'succeeded' : 'processing';
}

const disbursementSchema = z.looseObject({ disburse_status: z.string() });

function disbursementOf(meta: unknown): string | null {
  const parsed = disbursementSchema.safeParse(typeof meta === 'string' ? parseWireJson(meta) : meta);
  return parsed.success ? parsed.data.disburse_status.toLowerCase() : null;
}
