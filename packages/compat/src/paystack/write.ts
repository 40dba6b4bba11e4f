import { decimalToKobo, nairaToKobo } from '../amounts.ts';
import { readNumber } from '../numbers/numbers.ts';
import { isFields } from '../order.ts';
import type { DialectAnswer } from '../problem.ts';
import type { CurrencyTotals, CustomerFilter } from '../transactions/list-transactions.ts';
import {
  derivedCode,
  derivedNumber,
  type NumberedRefund,
  stateOf,
  type Transaction,
  type TransactionState,
} from '../transactions/transaction.ts';
import { channelOf } from './read.ts';

const PREFIX = 'CUS_';
const RADIX = 36;

/** Paystack's code of a customer, which leads back to the number. */
export function customerCode(number: number): string {
  return `${PREFIX}${number.toString(RADIX)}`;
}

/** A customer by the id, the code or the e-mail address. */
export function readCustomer(text: string): CustomerFilter {
  const code = text.startsWith(PREFIX) ? text.slice(PREFIX.length) : '';
  const number = /^[0-9a-z]{1,11}$/.test(code) ? readNumber(Number.parseInt(code, RADIX)) : readNumber(text);
  return number === null ? { email: text } : { number };
}

/** Paystack's envelope of a success. */
export function succeed(message: string, data: unknown, meta?: object): DialectAnswer {
  return { status: 200, headers: {}, body: JSON.stringify({ status: true, message, data, ...(meta && { meta }) }) };
}

/**
 * `data` of `POST /transaction/initialize`. The access code is none of Paystack's, whichever gateway took the payment: a popup that opened
 * for some of them would end with a reference that the merchant does not know.
 */
export function writeInitialized(session: {
  readonly redirectUrl: string;
  readonly paymentId: string;
  readonly reference: string;
}) {
  const { redirectUrl, paymentId, reference } = session;
  const code = `${ACCESS_CODE_PREFIX}${derivedCode(paymentId).slice(0, ACCESS_CODE_LENGTH)}`;
  return { authorization_url: redirectUrl, access_code: code, reference };
}

const ACCESS_CODE_PREFIX = 'use_authorization_url_';
const ACCESS_CODE_LENGTH = 10;

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
    status: STATUSES[stateOf(transaction)],
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
    source: { type: 'api', source: 'merchant_api', entry_point: 'transaction_initialize', identifier: null },
    connect: null,
    transaction_date: createdAt,
    plan_object: {},
    subaccount: {},
  };
}

function writeCustomer({ customerNumber, customerName, email, phone }: Transaction) {
  return {
    id: customerNumber,
    first_name: customerName.first,
    last_name: customerName.last,
    email,
    customer_code: customerCode(customerNumber),
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
    dispute: null,
    settlement: null,
    deducted_amount: done ? amount : 0,
    channel: channelOf(transaction.method),
    merchant_note: shown.merchantNote ?? refund.reason ?? `Refund for transaction ${transaction.reference}`,
    customer_note: shown.customerNote ?? refund.reason ?? `Refund for transaction ${transaction.reference}`,
    status: refundStatusOf(refund),
    // A text, which typed packages want; who requested it is shown to staff alone.
    refunded_by: 'Switchyard',
    refunded_at: done ? updatedAt.toISOString() : null,
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

/** `data` of `GET /transaction/totals`: what was paid. Money of gateways is not paid out here, and so nothing is pending. */
export function writeTotals(totals: readonly CurrencyTotals[]) {
  const volumes = totals
    .filter(({ paid }) => paid > 0)
    .map(({ currency, paidAmount }) => ({ currency, amount: nairaToKobo(paidAmount) }));
  return {
    total_transactions: totals.reduce((sum, { paid }) => sum + paid, 0),
    total_volume: volumes.reduce((sum, { amount }) => sum + amount, 0),
    total_volume_by_currency: volumes,
    pending_transfers: 0,
    pending_transfers_by_currency: [],
  };
}

/** Banks return money within ten days. */
const EXPECTED_MS = 10 * 24 * 3_600_000;

/** Paystack's status of a refund. */
function refundStatusOf({ state }: Pick<NumberedRefund, 'state'>) {
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

/** Paystack's status of a transaction. One that is open is as at Paystack: the customer has not completed it, and still may. */
export const STATUSES = {
  open: 'abandoned',
  under_review: 'processing',
  paid: 'success',
  failed: 'failed',
  reversed: 'reversed',
} as const satisfies Readonly<Record<TransactionState, string>>;

function isPaid({ status }: Transaction): boolean {
  return status === 'SUCCESS' || status === 'REFUNDED';
}

function responseOf(transaction: Transaction): string {
  if (isPaid(transaction)) return 'Successful';
  if (transaction.status !== 'FAILED') return 'The transaction was not completed';
  return transaction.failure ?? 'Declined';
}

/** `charge.success`. */
export function writeChargeSuccess(transaction: Transaction) {
  return { event: 'charge.success', data: writeTransaction(transaction) };
}

/** `refund.processed` or `refund.failed`. */
export function writeRefundEvent(refund: NumberedRefund, transaction: Transaction) {
  const status = refundStatusOf(refund);
  const { customerName } = transaction;
  return {
    event: `refund.${status}`,
    data: {
      id: refund.number,
      status,
      transaction_reference: transaction.reference,
      refund_reference: String(refund.number),
      amount: nairaToKobo(refund.amount),
      currency: refund.currency,
      processor: null,
      customer: { first_name: customerName.first, last_name: customerName.last, email: transaction.email },
      integration: derivedNumber(transaction.merchantId),
      domain: transaction.mode,
    },
  };
}

/** Tests an endpoint. Paystack has no such event, so that code which acts on a payment does nothing. */
export function writeTest(eventId: string) {
  return { event: 'switchyard.test', data: { id: eventId } };
}
