import { z } from 'zod';
import type { ListedSettlement, ReportedDispute } from '../gateway.ts';
import { publishedStates } from '../published-states.ts';
import type { Redactor } from '../redact.ts';
import {
  describeUnrecognised,
  failedStates,
  type PaymentState,
  type RefundState,
  readState,
  readWord,
  type StateTable,
} from '../states.ts';
import {
  amount,
  checkoutAddress,
  currency,
  foreignReference,
  id,
  optionalAmount,
  optionalText,
  pageNumber as pageCount,
  reference,
  rowsOf,
  shortText,
  word,
} from '../wire-schemas.ts';
import { errorCodes } from './error-codes.ts';
import { title } from './settings.ts';

/** Paystack's JSON, as far as it is read: fields in use are checked, all others may be anything. See https://paystack.com/docs/api/. */

/** An error answer of any endpoint. */
export const refusalSchema = z
  .looseObject({ status: z.literal(false), message: optionalText, code: optionalText })
  .transform(({ message, code }) => ({ message, code }));

/** Answer of `POST /transaction/initialize`: a hosted checkout. */
export const initialiseSchema = z.looseObject({
  status: z.literal(true),
  data: z.looseObject({
    authorization_url: checkoutAddress,
    access_code: z.string().regex(/^[\x21-\x7e]{0,200}$/),
    reference: shortText,
  }),
});

/** Answer of `GET /transaction/verify/{reference}`. Amounts in the minor unit (kobo). */
export const transactionSchema = z.looseObject({
  status: z.literal(true),
  data: z.looseObject({
    id,
    status: shortText,
    reference: shortText,
    amount,
    requested_amount: optionalAmount,
    currency,
    domain: optionalText,
    gateway_response: optionalText,
    message: optionalText,
    channel: optionalText,
    fees: optionalAmount,
    paid_at: optionalText,
    authorization: z
      .looseObject({
        country_code: optionalText,
        last4: optionalText,
        sender_bank: optionalText,
        sender_name: optionalText,
        sender_bank_account_number: optionalText,
      })
      .nullish()
      .catch(null),
  }),
});

/** A parsed transaction. */
export type Transaction = z.infer<typeof transactionSchema>['data'];

/** The transaction that a refund is of: by its id, or whole. */
const refundedTransaction = z.union([id, z.looseObject({ id, reference: shortText.nullish().catch(null) })]);

/** Answer of `POST /refund` and of `GET /refund/{id}`. */
export const refundSchema = z.looseObject({
  status: z.literal(true),
  message: optionalText,
  data: z.looseObject({ id, status: shortText, transaction: refundedTransaction.nullish().catch(null) }),
});

/**
 * The way to the next page of a list ("Pagination", https://paystack.com/docs/api/pagination/): by number, by a cursor, which is null at
 * the end, or by nothing.
 */
const meta = z
  .union([
    z
      .looseObject({ page: pageCount, pageCount })
      .transform(({ page, pageCount: last }) => ({ kind: 'numbered' as const, page, last })),
    z
      .looseObject({
        next: z
          .string()
          .regex(/^[\x21-\x7e]{0,1000}$/)
          .nullable(),
      })
      // The page on pagination prints a missing cursor as text.
      .transform(({ next }) => ({ kind: 'cursor' as const, next: next === '' || next === 'null' ? null : next })),
  ])
  .nullish()
  .transform((given) => given ?? { kind: 'none' as const });

/** How a list goes on. */
export type ListMeta = z.infer<typeof meta>;

/** A page of `GET /transaction`. Amounts in the minor unit (kobo). */
export const transactionListSchema = z.looseObject({
  status: z.literal(true),
  data: rowsOf(
    z.looseObject({
      id,
      status: shortText,
      reference: shortText.nullish().catch(null),
      amount,
      requested_amount: optionalAmount,
      currency,
      domain: optionalText,
      channel: optionalText,
      fees: optionalAmount,
      paid_at: optionalText,
      created_at: optionalText,
      createdAt: optionalText,
    }),
  ),
  meta,
});

/** A parsed row of the list of transactions. */
export type TransactionRow = z.infer<typeof transactionListSchema>['data'][number];

/** A page of `GET /refund`. Amounts in the minor unit (kobo). */
export const refundListSchema = z.looseObject({
  status: z.literal(true),
  data: rowsOf(
    z.looseObject({
      id,
      status: shortText,
      transaction: refundedTransaction,
      amount,
      currency,
      domain: optionalText,
      merchant_note: optionalText,
      created_at: optionalText,
      createdAt: optionalText,
    }),
  ),
  meta,
});

/** A parsed row of the list of refunds. */
export type RefundRow = z.infer<typeof refundListSchema>['data'][number];

/** A page of `GET /settlement`. Amounts in the minor unit (kobo). */
export const settlementListSchema = z.looseObject({
  status: z.literal(true),
  data: rowsOf(
    z.looseObject({
      id,
      domain: optionalText,
      status: shortText,
      currency,
      total_processed: amount,
      total_fees: amount,
      effective_amount: amount,
      settlement_date: optionalText,
      createdAt: optionalText,
    }),
  ),
  meta,
});

/** A parsed row of the list of settlements. */
export type SettlementRow = z.infer<typeof settlementListSchema>['data'][number];

/** A page of `GET /settlement/{id}/transactions`. Amounts in the minor unit (kobo). */
export const settledTransactionListSchema = z.looseObject({
  status: z.literal(true),
  data: rowsOf(
    z.looseObject({
      id,
      domain: optionalText,
      reference: shortText.nullish().catch(null),
      amount,
      currency,
      channel: optionalText,
      fees: amount.nullish(),
      paid_at: optionalText,
    }),
  ),
  meta,
});

/** A parsed row of a settlement's transactions. */
export type SettledTransactionRow = z.infer<typeof settledTransactionListSchema>['data'][number];

/** A page of `GET /refund`, with what the refunds say of settlements. Amounts in the minor unit (kobo). */
export const deductedRefundListSchema = z.looseObject({
  status: z.literal(true),
  data: rowsOf(
    z.looseObject({
      id,
      domain: optionalText,
      /** By its id, or whole. */
      transaction: z.union([id, z.looseObject({ id, reference: shortText.nullish().catch(null) })]),
      transaction_reference: shortText.nullish().catch(null),
      amount,
      settlement: id.nullable().catch(null),
      dispute: id.nullable().catch(null),
      merchant_note: optionalText,
      refunded_at: optionalText,
      created_at: optionalText,
      createdAt: optionalText,
    }),
  ),
  meta,
});

/** A parsed row of the list of refunds, with what it says of settlements. */
export type DeductedRefundRow = z.infer<typeof deductedRefundListSchema>['data'][number];

/** Any webhook: its event and data. */
export const webhookSchema = z.looseObject({ event: word, data: z.looseObject({}) });

/** `data` of `charge.*` events. */
export const chargeEventSchema = z.looseObject({ id, reference, paid_at: optionalText, created_at: optionalText });

/** `data` of a webhook about a transfer that goes back to the customer. It names no payment but by Paystack's own id. */
export const rejectedTransferSchema = z.looseObject({
  bank_transfer: z.looseObject({ amount, message_type: word, transaction_id: id }),
});

/** `data` of `charge.dispute.*` events. */
export const disputeEventSchema = z.looseObject({
  id,
  transaction: z.looseObject({ id, reference: foreignReference }),
  created_at: optionalText,
});

const dispute = z.looseObject({
  id,
  status: shortText,
  resolution: optionalText,
  refund_amount: optionalAmount,
  domain: optionalText,
  category: z
    .string()
    .regex(/^[\w -]{1,40}$/)
    .nullish()
    .catch(null),
  transaction: z.looseObject({
    id,
    reference: foreignReference,
    amount: optionalAmount,
    currency: currency.nullish().catch(null),
  }),
  dueAt: optionalText,
  resolvedAt: optionalText,
  createdAt: optionalText,
  created_at: optionalText,
});

/** Answer of `GET /dispute/{id}` and of `PUT /dispute/{id}/resolve`. `refund_amount` in the minor unit (kobo). */
export const disputeSchema = z.looseObject({ status: z.literal(true), data: dispute });

/** A page of `GET /dispute`. */
export const disputeListSchema = z.looseObject({ status: z.literal(true), data: rowsOf(dispute), meta });

/** Answer of `GET /dispute/{id}/upload_url`. */
export const uploadUrlSchema = z.looseObject({
  status: z.literal(true),
  data: z.looseObject({ signedUrl: z.string().max(4096), fileName: z.string().regex(/^[\w.-]{1,200}$/) }),
});

/** Answer of `POST /dispute/{id}/evidence`. */
export const evidenceSchema = z.looseObject({ status: z.literal(true), data: z.looseObject({ id }) });

/** A parsed dispute. */
export type Dispute = z.infer<typeof disputeSchema>['data'];

/** `data` of `refund.*` events. */
export const refundEventSchema = z.looseObject({
  id: id.nullish().catch(null),
  refund_reference: z
    .union([z.string().regex(/^[\w.:=-]{1,100}$/), id])
    .nullish()
    .catch(null),
  transaction_reference: reference.nullish().catch(null),
  updatedAt: optionalText,
});

const transactionStates = publishedStates<PaymentState>('paystack', 'transaction', {
  success: 'paid',
  reversed: 'reversed',
  ...failedStates(errorCodes),
  abandoned: 'unfinished',
  ongoing: 'unfinished',
  pending: 'unfinished',
  processing: 'unfinished',
  queued: 'unfinished',
});

/** While a charge waits for the customer its step shows through: `pending_bank_transfer`, `send_otp`. */
const stepPattern = /^(pending|send|pay)_[a-z_]{1,40}$/;

/** Meaning of a transaction's `status`. */
export function transactionStateOf(status: string): PaymentState | 'unrecognised' {
  return stepPattern.test(status) ? 'unfinished' : readState(transactionStates, status);
}

/** Meaning of a refund's `status`. */
export const refundStates = publishedStates<RefundState>('paystack', 'refund', {
  pending: 'processing',
  processing: 'processing',
  processed: 'succeeded',
  failed: 'failed',
  'needs-attention': 'needs_attention',
});

/** Meaning of a settlement's `status`. */
export const settlementStates = publishedStates<ListedSettlement['status']>('paystack', 'settlement', {
  success: 'paid',
  processing: 'pending',
  pending: 'pending',
  failed: 'failed',
});

/** A dispute's `status`; samples also have `archived`, which the list of the API reference lacks. */
const disputeStates = publishedStates<'needs_response' | 'under_review' | 'resolved' | 'closed'>('paystack', 'dispute', {
  'awaiting-merchant-feedback': 'needs_response',
  'awaiting-bank-feedback': 'under_review',
  pending: 'under_review',
  resolved: 'resolved',
  archived: 'closed',
});

/** A resolved dispute's `resolution`. */
const resolutions: StateTable<'accepted' | 'expired' | 'won'> = {
  'merchant-accepted': 'accepted',
  'auto-accepted': 'expired',
  declined: 'won',
};

/**
 * A dispute's state. `merchant-accepted` and `auto-accepted`, after 16 hours without an answer, send the money back; `declined` keeps it
 * (https://paystack.com/docs/payments/manage-disputes/). A resolution that is not known says nothing about the money.
 */
export function readDisputeState(dispute: Dispute, redactor: Redactor): Pick<ReportedDispute, 'state' | 'unrecognised'> {
  const { status, resolution } = dispute;
  const state = readState(disputeStates, status);
  if (state === 'unrecognised')
    return {
      state: 'needs_response',
      unrecognised: describeUnrecognised(status, { title, record: dispute, redactor }),
    };
  return { state: state === 'resolved' ? (readWord(resolutions, resolution) ?? 'closed') : state };
}
