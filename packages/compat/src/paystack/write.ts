import { decimalToKobo, nairaToKobo } from '../amounts.ts';
import type { DialectAnswer } from '../dialect.ts';
import { isFields } from '../order.ts';
import { derivedCode, derivedNumber, type NumberedRefund, type Transaction } from '../transactions/transaction.ts';
import { channelOf } from './channels.ts';

/** Paystack's envelope of a success. */
export function succeed(message: string, data: unknown, meta?: object): DialectAnswer {
  return { status: 200, headers: {}, body: JSON.stringify({ status: true, message, data, ...(meta && { meta }) }) };
}

/** `data` of `POST /transaction/initialize`. `accessCode` is the gateway's own, empty at a gateway without one. */
export function writeInitialized(session: {
  readonly redirectUrl: string;
  readonly accessCode: string;
  readonly paymentId: string;
  readonly reference: string;
}) {
  const { redirectUrl, accessCode, paymentId, reference } = session;
  const code = accessCode === '' ? derivedCode(paymentId).slice(0, ACCESS_CODE_LENGTH) : accessCode;
  return { authorization_url: redirectUrl, access_code: code, reference };
}

const ACCESS_CODE_LENGTH = 15;
const CUSTOMER_CODE_LENGTH = 15;

/** A transaction, as verify, fetch and `charge.success` show it. */
export function writeTransaction(transaction: Transaction) {
  const { number, mode, reference, metadata, currency } = transaction;
  const amount = nairaToKobo(transaction.amount);
  const createdAt = transaction.createdAt.toISOString();
  const paidAt = transaction.paidAt?.toISOString() ?? null;
  const channel = channelOf(transaction.method);
  return {
    id: number,
    domain: mode,
    status: statusOf(transaction),
    reference,
    receipt_number: null,
    amount,
    message: null,
    gateway_response: responseOf(transaction),
    paid_at: paidAt,
    created_at: createdAt,
    channel,
    currency,
    ip_address: null,
    metadata: metadata ?? '',
    log: null,
    fees: transaction.fee === null ? null : decimalToKobo(transaction.fee),
    fees_split: null,
    fees_breakdown: null,
    authorization: isPaid(transaction) ? { channel, reusable: false } : {},
    customer: writeCustomer(transaction),
    plan: null,
    split: {},
    order_id: null,
    paidAt,
    createdAt,
    requested_amount: amount,
    pos_transaction_data: null,
    source: null,
    connect: null,
    transaction_date: createdAt,
    plan_object: {},
    subaccount: {},
  };
}

function writeCustomer({ merchantId, email, phone }: Transaction) {
  return {
    id: derivedNumber(merchantId, email),
    first_name: null,
    last_name: null,
    email,
    customer_code: `CUS_${derivedCode(merchantId, email).slice(0, CUSTOMER_CODE_LENGTH)}`,
    phone,
    metadata: null,
    risk_action: 'default',
    international_format_phone: null,
  };
}

/** A refund, with its transaction whole or by its id. */
export function writeRefund(
  refund: NumberedRefund,
  transaction: Transaction,
  shown: { readonly whole: boolean; readonly customerNote?: string | null; readonly merchantNote?: string | null },
) {
  const { number, state, currency, createdAt, updatedAt } = refund;
  const amount = nairaToKobo(refund.amount);
  const done = state === 'SUCCEEDED';
  return {
    transaction: shown.whole ? writeTransaction(transaction) : transaction.number,
    integration: derivedNumber(transaction.merchantId),
    deducted_amount: done ? amount : 0,
    channel: channelOf(transaction.method),
    merchant_note: shown.merchantNote ?? refund.reason ?? `Refund for transaction ${transaction.reference}`,
    customer_note: shown.customerNote ?? refund.reason ?? `Refund for transaction ${transaction.reference}`,
    status: refundStatusOf(refund),
    refunded_by: null,
    expected_at: new Date(createdAt.getTime() + EXPECTED_MS).toISOString(),
    currency,
    domain: transaction.mode,
    amount,
    fully_deducted: done,
    id: number,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  };
}

/** Banks return money within ten days. */
const EXPECTED_MS = 10 * 24 * 3_600_000;

/** Paystack's status of a refund. */
export function refundStatusOf({ state }: Pick<NumberedRefund, 'state'>) {
  switch (state) {
    case 'REQUESTED':
      return 'pending';
    case 'PROCESSING':
      return 'processing';
    case 'SUCCEEDED':
      return 'processed';
    case 'FAILED':
      return 'failed';
    case 'NEEDS_ATTENTION':
      return 'needs-attention';
    default:
      return state satisfies never;
  }
}

/** `metadata.cancel_action`: where the customer goes who cancels; null without one. */
export function cancelActionOf(metadata: unknown): string | null {
  const action = isFields(metadata) ? metadata.cancel_action : null;
  return typeof action === 'string' && action !== '' ? action : null;
}

/** Paystack's status of a transaction. */
function statusOf({ status, underReview, isReversed }: Transaction) {
  switch (status) {
    case 'INITIATED':
    case 'PENDING':
      // As at Paystack: the customer has not completed it, and still may.
      return underReview ? 'processing' : 'abandoned';
    case 'SUCCESS':
      return isReversed ? 'reversed' : 'success';
    case 'FAILED':
      return 'failed';
    case 'REFUNDED':
      return 'reversed';
    default:
      return status satisfies never;
  }
}

function isPaid({ status }: Transaction): boolean {
  return status === 'SUCCESS' || status === 'REFUNDED';
}

function responseOf(transaction: Transaction): string {
  if (isPaid(transaction)) return 'Successful';
  if (transaction.status !== 'FAILED') return 'The transaction was not completed';
  return transaction.failure ?? 'Declined';
}
