import { subtractDecimals } from '@switchyard/db/decimals';
import type { DialectAnswer } from '../dialect.ts';
import { derivedNumber, type NumberedRefund, type Transaction } from '../transactions/transaction.ts';
import { paymentTypeOf } from './options.ts';

/** Flutterwave's envelope of a success. */
export function succeed(message: string, data: unknown): DialectAnswer {
  return { status: 200, headers: {}, body: JSON.stringify({ status: 'success', message, data }) };
}

/** A transaction, as both ways to verify show it. */
export function writeTransaction(transaction: Transaction) {
  return {
    ...writeCharge(transaction),
    meta: transaction.metadata,
    amount_settled: isPaid(transaction) ? Number(subtractDecimals(String(transaction.amount), transaction.fee ?? '0')) : 0,
    customer: writeCustomer(transaction),
  };
}

/** The part that verify and the webhook have in common. */
export function writeCharge(transaction: Transaction) {
  const { number, reference, currency, merchantId } = transaction;
  const amount = Number(transaction.amount);
  const type = paymentTypeOf(transaction.method);
  return {
    id: number,
    tx_ref: reference,
    flw_ref: transaction.gatewayReference ?? '',
    device_fingerprint: 'N/A',
    amount,
    currency,
    charged_amount: amount,
    app_fee: transaction.fee === null ? null : Number(transaction.fee),
    merchant_fee: 0,
    processor_response: responseOf(transaction),
    auth_model: 'N/A',
    ip: 'N/A',
    narration: reference,
    status: statusOf(transaction),
    payment_type: type,
    created_at: transaction.createdAt.toISOString(),
    account_id: derivedNumber(merchantId),
    ...(type === 'card' && { card: { first_6digits: null, last_4digits: null, issuer: null, country: null, type: null } }),
  };
}

/** The customer of a transaction. */
export function writeCustomer({ merchantId, email, phone, createdAt }: Transaction) {
  return {
    id: derivedNumber(merchantId, email),
    name: 'Anonymous customer',
    phone_number: phone,
    email,
    created_at: createdAt.toISOString(),
  };
}

/** A refund. */
export function writeRefund(refund: NumberedRefund, transaction: Transaction) {
  return {
    id: refund.number,
    account_id: derivedNumber(transaction.merchantId),
    tx_id: transaction.number,
    flw_ref: transaction.gatewayReference ?? '',
    wallet_id: derivedNumber(transaction.merchantId),
    amount_refunded: Number(refund.amount),
    status: refundStatusOf(refund),
    destination: 'payment_source',
    comments: refund.reason,
    meta: { source: 'availablebalance' },
    created_at: refund.createdAt.toISOString(),
  };
}

/** Flutterwave's status of a refund. */
export function refundStatusOf({ state }: Pick<NumberedRefund, 'state'>) {
  switch (state) {
    case 'REQUESTED':
    case 'PROCESSING':
      return 'processing';
    case 'SUCCEEDED':
      return 'completed';
    case 'NEEDS_ATTENTION':
      return 'pending';
    case 'FAILED':
      return 'failed';
    default:
      return state satisfies never;
  }
}

/** Flutterwave's status of a transaction. */
export function statusOf({ status, isReversed }: Pick<Transaction, 'status' | 'isReversed'>) {
  switch (status) {
    case 'INITIATED':
    case 'PENDING':
      return 'pending';
    case 'SUCCESS':
      return isReversed ? 'reversed' : 'successful';
    case 'FAILED':
      return 'failed';
    case 'REFUNDED':
      // Nothing that only looks for `successful` may give value for money that went back.
      return 'reversed';
    default:
      return status satisfies never;
  }
}

function isPaid({ status }: Transaction): boolean {
  return status === 'SUCCESS' || status === 'REFUNDED';
}

function responseOf(transaction: Transaction): string {
  if (isPaid(transaction)) return 'Approved by Financial Institution';
  if (transaction.status !== 'FAILED') return 'Pending';
  return transaction.failure ?? 'Declined';
}
