import { subtractDecimals } from '@switchyard/db/decimals';
import type { PaymentMethod } from '@switchyard/routing';
import { joinName } from '../customer-name.ts';
import type { DialectAnswer } from '../problem.ts';
import { derivedNumber, type NumberedRefund, stateOf, type Transaction } from '../transactions/transaction.ts';

/** Flutterwave's envelope of a success. */
export function succeed(message: string, data: unknown, meta?: object): DialectAnswer {
  return { status: 200, headers: {}, body: JSON.stringify({ status: 'success', message, ...(meta && { meta }), data }) };
}

/** A transaction, as both ways to verify show it. */
export function writeTransaction(transaction: Transaction) {
  return {
    ...writeCharge(transaction),
    meta: transaction.metadata,
    amount_settled: isPaid(transaction) ? settledAmount(transaction) : 0,
    customer: writeCustomer(transaction),
  };
}

/** A transaction in a list, where ids are texts, and the customer has no object. */
export function writeListedTransaction(transaction: Transaction) {
  const { id, account_id, ...charge } = writeCharge(transaction);
  return {
    ...charge,
    id: String(id),
    account_id: String(account_id),
    amount_settled: isPaid(transaction) ? settledAmount(transaction) : null,
    customer_name: nameOf(transaction),
    customer_email: transaction.email,
  };
}

function settledAmount({ amount, fee }: Transaction): number {
  return Number(subtractDecimals(String(amount), fee ?? '0'));
}

/** The part that verify and the webhook have in common. */
function writeCharge(transaction: Transaction) {
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
function writeCustomer(transaction: Transaction) {
  const { customerNumber, email, phone, createdAt } = transaction;
  return {
    id: customerNumber,
    name: nameOf(transaction),
    phone_number: phone,
    email,
    created_at: createdAt.toISOString(),
  };
}

function nameOf({ customerName }: Transaction): string {
  return joinName(customerName) ?? 'Anonymous customer';
}

/** A refund in a list, where some fields have other names. */
export function writeListedRefund(refund: NumberedRefund, transaction: Transaction) {
  const { id, account_id, tx_id, flw_ref, amount_refunded, status, comments, meta, created_at } = writeRefund(
    refund,
    transaction,
  );
  return {
    id,
    account_id,
    transaction_id: tx_id,
    flw_ref,
    amount_refunded,
    status,
    comment: comments,
    settlement_id: 'NEW',
    meta: JSON.stringify(meta),
    created_at,
  };
}

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
function statusOf(transaction: Transaction) {
  const state = stateOf(transaction);
  switch (state) {
    case 'open':
    case 'under_review':
      return 'pending';
    case 'paid':
      return 'successful';
    case 'failed':
      return 'failed';
    case 'reversed':
      // Nothing that only looks for `successful` may give value for money that went back.
      return 'reversed';
    default:
      return state satisfies never;
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

/** Flutterwave's payment options by the payment method they are. */
export const OPTIONS: Readonly<Record<string, PaymentMethod>> = {
  card: 'CARD',
  banktransfer: 'TRANSFER',
  bank_transfer: 'TRANSFER',
  'bank transfer': 'TRANSFER',
  account: 'BANK',
  ussd: 'USSD',
  nqr: 'QR',
  qr: 'QR',
  opay: 'WALLET',
  mobilemoney: 'MOBILE_MONEY',
};

const TYPES: Readonly<Record<PaymentMethod, string>> = {
  CARD: 'card',
  TRANSFER: 'bank_transfer',
  BANK: 'account',
  USSD: 'ussd',
  QR: 'nqr',
  WALLET: 'opay',
  MOBILE_MONEY: 'mobilemoney',
  DIRECT_DEBIT: 'account',
};

/** Flutterwave's `payment_type` of a payment method; null while none is known. */
function paymentTypeOf(method: string | null): string | null {
  const found = Object.entries(TYPES).find(([name]) => name === method);
  return found === undefined ? null : found[1];
}

/** `charge.completed`, of a payment that succeeded or failed. */
export function writeChargeEvent(transaction: Transaction) {
  const charge = writeCharge(transaction);
  return {
    event: 'charge.completed',
    data: { ...charge, customer: writeCustomer(transaction) },
    'event.type': `${(charge.payment_type ?? 'card').toUpperCase()}_TRANSACTION`,
  };
}

/** A refund: Flutterwave sends it without the envelope of other events. */
export function writeRefundEvent(refund: NumberedRefund, transaction: Transaction) {
  return {
    id: refund.number,
    AmountRefunded: Number(refund.amount),
    status: refundStatusOf(refund),
    FlwRef: transaction.gatewayReference ?? '',
    destination: 'payment_source',
    comments: refund.reason,
    settlement_id: 'NEW',
    meta: JSON.stringify({ source: 'availablebalance' }),
    createdAt: refund.createdAt.toISOString(),
    updatedAt: refund.updatedAt.toISOString(),
    walletId: derivedNumber(transaction.merchantId),
    AccountId: derivedNumber(transaction.merchantId),
    TransactionId: transaction.number,
  };
}

/** Tests an endpoint, as Flutterwave's dashboard does. */
export function writeTest(eventId: string) {
  return { event: 'test_assess', data: { id: eventId } };
}
