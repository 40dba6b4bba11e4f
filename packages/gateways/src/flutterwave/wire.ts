import { z } from 'zod';
import type { ListedSettlement, RefundReceipt, ReportedDispute } from '../gateway.ts';
import { publishedStates } from '../published-states.ts';
import type { Redactor } from '../redact.ts';
import {
  describeUnrecognised,
  failedStates,
  type PaymentState,
  type RefundState,
  readRefundState,
  readState,
  readWord,
  type StateTable,
} from '../states.ts';
import { parseWireJson } from '../wire-json.ts';
import {
  amount,
  checkoutAddress,
  currency,
  foreignReference,
  id,
  optionalAmount,
  optionalText,
  pageNumber,
  reference,
  rowsOf,
  shortText,
  word,
} from '../wire-schemas.ts';
import { errorCodes } from './error-codes.ts';
import { title } from './settings.ts';

/** Flutterwave's JSON, as far as it is read: fields in use are checked, all others may be anything. See https://developer.flutterwave.com/v3.0/docs. */

/** An error answer of any endpoint. */
export const refusalSchema = z
  .looseObject({ status: z.literal('error'), message: optionalText })
  .transform(({ message }) => ({ message }));

/** Answer of `POST /payments`: the link to a hosted checkout. */
export const linkSchema = z.looseObject({
  status: z.literal('success'),
  data: z.looseObject({ link: checkoutAddress }),
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
    app_fee: optionalAmount,
    processor_response: optionalText,
    payment_type: optionalText,
    created_at: optionalText,
    card: z.looseObject({ country: optionalText, last_4digits: optionalText }).nullish().catch(null),
    meta: z
      .looseObject({ originatorname: optionalText, bankname: optionalText, originatoraccountnumber: optionalText })
      .nullish()
      .catch(null),
  }),
});

/** A parsed transaction. */
export type Transaction = z.infer<typeof transactionSchema>['data'];

/** Answer of `POST /transactions/{id}/refund` and of `GET /refunds/{id}`. */
export const refundSchema = z.looseObject({
  status: z.literal('success'),
  message: optionalText,
  data: z.looseObject({
    id,
    status: shortText,
    meta: z.unknown(),
    /** The transaction that it is of, by either name. */
    tx_id: id.nullish().catch(null),
    transaction_id: id.nullish().catch(null),
  }),
});

const pageInfo = z.looseObject({ page_info: z.looseObject({ current_page: pageNumber, total_pages: pageNumber }) });

/** Place of a page in its list. */
export type PageInfo = z.infer<typeof pageInfo>;

/** A page of `GET /transactions`. Amounts in the main unit. */
export const transactionListSchema = z.looseObject({
  status: z.literal('success'),
  data: rowsOf(
    z.looseObject({
      id,
      tx_ref: shortText.nullish().catch(null),
      amount,
      charged_amount: amount.nullish(),
      currency,
      status: shortText,
      app_fee: optionalAmount,
      payment_type: optionalText,
      created_at: optionalText,
    }),
  ),
  meta: pageInfo,
});

/** A parsed row of the list of transactions. */
export type TransactionRow = z.infer<typeof transactionListSchema>['data'][number];

/** A page of `GET /refunds` ("Get all refunds", https://developer.flutterwave.com/v3.0.0/reference/get-all-refunds). Amounts in the main unit. */
export const refundListSchema = z.looseObject({
  status: z.literal('success'),
  data: rowsOf(
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
  ),
  meta: pageInfo,
});

/** A parsed row of the list of refunds. */
export type RefundRow = z.infer<typeof refundListSchema>['data'][number];

const settlement = z.looseObject({
  id,
  status: shortText,
  currency,
  gross_amount: amount,
  app_fee: amount.nullish(),
  merchant_fee: amount.nullish(),
  chargeback: amount.nullish(),
  refund: amount.nullish(),
  stampduty_charge: amount.nullish(),
  net_amount: amount,
  due_date: optionalText,
  processed_date: optionalText,
  created_at: optionalText,
});

/** A parsed settlement. */
export type Settlement = z.infer<typeof settlement>;

/** A page of `GET /settlements`. Amounts in the main unit. */
export const settlementListSchema = z.looseObject({
  status: z.literal('success'),
  data: rowsOf(settlement),
  meta: pageInfo,
});

const settledTransaction = z.looseObject({
  id,
  tx_ref: shortText.nullish().catch(null),
  charged_amount: amount,
  app_fee: amount.nullish(),
  merchant_fee: amount.nullish(),
  stampduty_charge: amount.nullish(),
  payment_entity: optionalText,
  transaction_date: optionalText,
});

/** A parsed transaction of a settlement. */
export type SettledTransaction = z.infer<typeof settledTransaction>;

/** Ids as a list or, as the answer about one settlement has them, as JSON text of one. */
const ids = z
  .preprocess((given) => (typeof given === 'string' ? parseWireJson(given) : given), z.array(id).max(1_000))
  .nullish()
  .catch(null)
  .transform((given) => given ?? []);

/** Answer of `GET /settlements/{id}`, with every transaction. */
export const settlementSchema = z.looseObject({
  status: z.literal('success'),
  data: settlement.extend({ refund_meta: ids, transactions: z.array(settledTransaction).max(100_000) }),
});

/** Answer of `GET /refunds/{id}` about a refund that a settlement was reduced by. */
export const deductedRefundSchema = z.looseObject({
  status: z.literal('success'),
  data: z.looseObject({
    id,
    tx_id: id.nullish().catch(null),
    transaction_id: id.nullish().catch(null),
    amount_refunded: amount,
    comment: optionalText,
    comments: optionalText,
    created_at: optionalText,
  }),
});

/** Webhook about a charge. */
export const chargeWebhookSchema = z.looseObject({
  event: word,
  data: z.looseObject({ id, tx_ref: reference, status: word, created_at: optionalText }),
});

/**
 * Webhook about a charge in the form of version 2, without an envelope, which test accounts of version 3 are still sent. Refunds have no
 * envelope either, and no `txRef`.
 */
export const bareChargeWebhookSchema = z
  .looseObject({ id, txRef: reference, status: word, 'event.type': word, createdAt: optionalText })
  .transform(({ id: transactionId, txRef, status, createdAt }) => ({
    event: 'charge.completed',
    data: { id: transactionId, tx_ref: txRef, status, created_at: createdAt },
  }));

/**
 * Webhook of version 4: `{webhook_id, timestamp, type, data}` (https://developer.flutterwave.com/docs/webhooks). Charges have the merchant's
 * `reference`; their statuses are succeeded, pending, failed and voided.
 */
export const v4WebhookSchema = z.looseObject({
  type: word,
  data: z.looseObject({
    id: word,
    status: word.nullish(),
    reference: reference.nullish(),
    created_datetime: optionalText,
  }),
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

const transactionStates = publishedStates<PaymentState>('flutterwave', 'transaction', {
  successful: 'paid',
  ...failedStates(errorCodes),
  pending: 'unfinished',
});

/** Meaning of a transaction's `status`. */
export function transactionStateOf(status: string): PaymentState | 'unrecognised' {
  return readState(transactionStates, status);
}

/** Meaning of a settlement's `status`. A `flagged` one is withheld until it was looked into. */
export const settlementStates = publishedStates<ListedSettlement['status']>('flutterwave', 'settlement', {
  completed: 'paid',
  pending: 'pending',
  flagged: 'pending',
  failed: 'failed',
});

/**
 * Meaning of a refund's `status` ("Refund statuses", https://developer.flutterwave.com/v3.0/docs/refunds), by the way that it was paid
 * out. A bare `completed` is "initiated and is pending disbursement to the customer".
 */
const refundStates = publishedStates<RefundState>('flutterwave', 'refund', {
  completed: 'processing',
  processing: 'processing',
  'pending-momo': 'processing',
  'completed-bank-transfer': 'succeeded',
  'completed-momo': 'succeeded',
  'completed-mpgs': 'succeeded',
  'completed-offline': 'succeeded',
  'completed-preauth': 'succeeded',
  failed: 'failed',
});

/** Meaning of `meta.disburse_status`, where a refund has it. */
const disbursementStates: StateTable<'paid_out' | 'failed'> = {
  successful: 'paid_out',
  success: 'paid_out',
  completed: 'paid_out',
  failed: 'failed',
};

/** A refund's state. `meta` is an object, or the same as JSON text. */
export function refundStateOf(
  refund: { readonly status: string; readonly meta?: unknown },
  redactor: Redactor,
): Pick<RefundReceipt, 'state' | 'unrecognised'> {
  const { status, meta } = refund;
  const disbursement = readWord(disbursementStates, disbursementOf(meta));
  if (disbursement === 'failed') return { state: 'failed' };
  if (status === 'completed' && disbursement === 'paid_out') return { state: 'succeeded' };
  return readRefundState(refundStates, status, { title, record: refund, redactor });
}

const disbursementSchema = z.looseObject({ disburse_status: z.string() });

function disbursementOf(meta: unknown): string {
  const parsed = disbursementSchema.safeParse(typeof meta === 'string' ? parseWireJson(meta) : meta);
  return parsed.success ? parsed.data.disburse_status.toLowerCase() : '';
}

const chargeback = z.looseObject({
  id,
  amount,
  status: shortText,
  stage: z
    .string()
    .regex(/^[\w -]{1,40}$/)
    .nullish()
    .catch(null),
  comment: optionalText,
  meta: z
    .looseObject({
      history: z.array(z.looseObject({ action: optionalText, description: optionalText, date: optionalText })).max(1000),
    })
    .nullish()
    .catch(null),
  due_date: optionalText,
  created_at: optionalText,
});

/** A row of `GET /chargebacks`. Amounts in the main unit. */
const listedChargeback = chargeback.extend({ transaction_id: id, tx_ref: foreignReference });

/** A parsed chargeback of the list. */
export type Chargeback = z.infer<typeof listedChargeback>;

/** A page of `GET /chargebacks`. */
export const chargebackListSchema = z.looseObject({
  status: z.literal('success'),
  meta: pageInfo,
  data: rowsOf(listedChargeback),
});

/**
 * Answer of `PUT /chargebacks/{id}`. One sample has the chargeback below `data`, as every other answer, and another the chargeback alone.
 */
export const answeredChargebackSchema = z.union([
  z.looseObject({ status: z.literal('success'), data: chargeback }).transform(({ data }) => data),
  chargeback.extend({ status: z.enum(['accepted', 'declined', 'initiated', 'won', 'lost']) }),
]);

/** Answer of `POST /upload_image`. */
export const uploadSchema = z.looseObject({
  status: z.literal('success'),
  data: z.string().regex(/^https?:\/\/[\x21-\x7e]{1,500}$/),
});

/** "No merchant response" is in the history of the sample of one that was lost without an answer. */
const UNANSWERED = /^no merchant response/i;

/** A chargeback's `status`. */
const chargebackStates = publishedStates<'needs_response' | 'under_review' | 'won' | 'lost' | 'accepted'>(
  'flutterwave',
  'dispute',
  {
    initiated: 'needs_response',
    declined: 'under_review',
    accepted: 'accepted',
    won: 'won',
    lost: 'lost',
  },
);

/** A chargeback's state. A merchant declines it to contest it; the bank decides after that. */
export function readChargebackState(
  chargeback: Pick<Chargeback, 'status' | 'meta'>,
  redactor: Redactor,
): Pick<ReportedDispute, 'state' | 'unrecognised'> {
  const { status, meta } = chargeback;
  const state = readState(chargebackStates, status);
  if (state === 'unrecognised')
    return {
      state: 'needs_response',
      unrecognised: describeUnrecognised(status, { title, record: chargeback, redactor }),
    };
  if (state !== 'lost') return { state };
  const lost = meta?.history.findLast(({ action }) => action === 'lost');
  return { state: UNANSWERED.test(lost?.description ?? '') ? 'expired' : 'lost' };
}
