import {
  type Dialect,
  type DialectAnswer,
  type Fields,
  findByReference,
  findNumbered,
  isFields,
  type ListScope,
  type Problem,
  type Read,
  read,
  readTransaction,
  refused,
  type Transaction,
} from '@switchyard/compat';
import * as flutterwave from '@switchyard/compat/flutterwave';
import * as paystack from '@switchyard/compat/paystack';
import { isDeeperThan } from '@switchyard/db';
import { findPayment, type PaymentRecord } from '@switchyard/payments';
import { type RequestRefundOutcome, requestRefund } from '@switchyard/payments/refunds';
import { verify } from '@switchyard/payments/verify';
import type { Switchyard } from '../process.ts';
import type { Call, Endpoint } from '../rest/endpoint.ts';

/** An endpoint that answers in a dialect. */
export interface CompatEndpoint extends Pick<Endpoint, 'method' | 'scope'> {
  serve(switchyard: Switchyard, call: Call): Promise<DialectAnswer>;
}

/** How a dialect refuses. */
export function refuserOf(dialect: Dialect): (problem: Problem) => DialectAnswer {
  switch (dialect) {
    case 'paystack':
      return paystack.refuse;
    case 'flutterwave':
      return flutterwave.refuse;
    default:
      return dialect satisfies never;
  }
}

const LEVELS_MAX = 20;
const strictUtf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * The fields of a body, or why there are none. A body without a type is JSON: one of the official SDKs sends none. Paystack also takes
 * forms, which its examples for PHP send.
 */
export function readFields({ request: { body, headers } }: Call, dialect: Dialect): Read<Fields> {
  if (body.kind === 'too_large') return refused({ kind: 'body_too_large' });
  if (body.bytes.length === 0) return read({});
  let parsed: unknown;
  try {
    const text = strictUtf8.decode(body.bytes);
    const isForm = /^application\/x-www-form-urlencoded\b/i.test(headers['content-type'] ?? '') && !text.startsWith('{');
    parsed = isForm && dialect === 'paystack' ? paystack.readForm(text) : JSON.parse(text);
  } catch {
    return refused({ kind: 'body_unreadable' });
  }
  if (!isFields(parsed) || isDeeperThan(parsed, LEVELS_MAX)) return refused({ kind: 'body_unreadable' });
  return read(parsed);
}

/** The parameters of a query; of one that is given twice, the last. */
export function queryOf({ request }: Pick<Call, 'request'>): Fields {
  return Object.fromEntries(new URLSearchParams(request.query));
}

/** The merchant and the mode of the key, which lists are limited to. */
export function scopeOf({ caller }: Pick<Call, 'caller'>): ListScope {
  return { merchantId: caller.configuration.merchant.id, mode: caller.mode };
}

/** The payment that a text or number names: a number is an id before it is a reference, text a reference before it is an id. */
export async function findNamedPayment(
  switchyard: Switchyard,
  call: Call,
  { reference, number, isNumber }: { readonly reference: string; readonly number: number | null; readonly isNumber: boolean },
): Promise<PaymentRecord | undefined> {
  const byNumber = () => (number === null ? undefined : findCallersPayment(switchyard, call, { number }));
  const byReference = () => findCallersPayment(switchyard, call, { reference });
  return isNumber ? ((await byNumber()) ?? byReference()) : ((await byReference()) ?? byNumber());
}

/** The caller's payment by its reference or number, in the caller's mode; undefined where there is none. */
export async function findCallersPayment(
  { payments, resources }: Switchyard,
  { caller, timings }: Pick<Call, 'caller' | 'timings'>,
  by: { readonly reference: string } | { readonly number: number },
): Promise<PaymentRecord | undefined> {
  const merchantId = caller.configuration.merchant.id;
  const paymentId =
    'reference' in by
      ? await findByReference(resources.database, { merchantId, mode: caller.mode }, by.reference)
      : await findNumbered(resources.database, merchantId, 'payment', by.number);
  return paymentId === null ? undefined : findPayment(payments, caller, paymentId, timings);
}

/** Verifies a payment at its gateway where that can change anything, and describes it. */
export async function verifyCallersPayment(switchyard: Switchyard, call: Call, payment: PaymentRecord): Promise<Transaction> {
  if (call.request.facts !== undefined) call.request.facts.paymentId = payment.paymentId;
  const options = { transactionId: null, cause: 'api' } as const;
  await verify(switchyard.payments, call.caller, payment.paymentId, options, call.timings);
  return describeRecordedPayment(switchyard, payment);
}

/** Describes a payment as it is recorded. */
export async function describeRecordedPayment(
  switchyard: Switchyard,
  payment: Pick<PaymentRecord, 'merchantId' | 'paymentId'>,
): Promise<Transaction> {
  const { payments, resources } = switchyard;
  const transaction = await readTransaction(resources.database, payment, payments.now());
  if (transaction === null) throw new Error(`payment ${payment.paymentId} is gone`);
  return transaction;
}

/** Requests a refund of a payment. */
export function refundOwn(
  { payments }: Switchyard,
  payment: PaymentRecord,
  asked: { readonly amount: number | null; readonly reason: string | null },
): Promise<RequestRefundOutcome> {
  return requestRefund(payments, {
    refundId: payments.newId(),
    merchantId: payment.merchantId,
    mode: payment.mode,
    paymentId: payment.paymentId,
    amount: asked.amount === null ? 'full' : BigInt(asked.amount),
    reason: asked.reason,
    actor: 'api',
    cause: 'api',
  });
}

/** Why a refund was not requested. */
export function refundProblem(outcome: Exclude<RequestRefundOutcome, { kind: 'requested' }>): Problem {
  switch (outcome.kind) {
    case 'not_found':
      return { kind: 'transaction_not_found', by: 'other' };
    case 'not_paid':
      return { kind: 'not_paid' };
    case 'too_much':
      return { kind: 'refund_too_large', left: outcome.refundable };
    default:
      return outcome satisfies never;
  }
}
