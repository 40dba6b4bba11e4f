import {
  type AskedNaira,
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
  readText,
  readTransaction,
  refused,
  type Transaction,
} from '@switchyard/compat';
import * as flutterwave from '@switchyard/compat/flutterwave';
import * as paystack from '@switchyard/compat/paystack';
import { isDeeperThan } from '@switchyard/db';
import { parseExactJson } from '@switchyard/db/exact-json';
import { findPayment, type PaymentRecord } from '@switchyard/payments';
import { type RequestRefundOutcome, requestRefund } from '@switchyard/payments/refunds';
import { verify } from '@switchyard/payments/verify';
import type { Switchyard } from '../process.ts';
import type { Call, Endpoint } from '../rest/endpoint.ts';
import type { IdOf } from '../rest/idempotency.ts';
import { type AnswerForm, type IdempotentRun, KEY_RULE, runOnce } from '../rest/idempotency.ts';
import { isEncoded } from '../rest/json-body.ts';

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
 * Serves a POST, once per `Idempotency-Key`: `work` answers its body. A query is refused, as a field in it would be ignored without notice.
 */
export async function servePosted(
  switchyard: Switchyard,
  call: Call,
  { dialect, idOf }: { readonly dialect: Dialect; readonly idOf: IdOf },
  work: (fields: Fields, run: IdempotentRun) => Promise<DialectAnswer>,
): Promise<DialectAnswer> {
  const refuse = refuserOf(dialect);
  const fields = readFields(call, dialect);
  if (fields.kind === 'refused') return refuse(fields.problem);
  if (call.request.query !== '') {
    return refuse({ kind: 'invalid_field', field: 'query', rule: 'must be empty: send the fields in the body' });
  }
  return runOnce(switchyard, call, fields.value, { form: answerForm(refuse), idOf }, (run) => work(fields.value, run));
}

/** Answers of a dialect under an `Idempotency-Key`. Those that are stored have no headers of their own. */
function answerForm(refuse: (problem: Problem) => DialectAnswer): AnswerForm<DialectAnswer> {
  return {
    refuse(refusal) {
      switch (refusal) {
        case 'invalid_key':
          return refuse({ kind: 'invalid_field', field: 'Idempotency-Key', rule: KEY_RULE });
        case 'in_flight':
          return refuse({ kind: 'in_flight', field: 'Idempotency-Key' });
        case 'other_request':
          return refuse({ kind: 'key_reused' });
        default:
          return refusal satisfies never;
      }
    },
    toStored: ({ status, headers, body }) => (headers['retry-after'] === undefined ? { statusCode: status, body } : null),
    fromStored: ({ statusCode, body }) => ({ status: statusCode, headers: {}, body }),
  };
}

/**
 * The fields of a body, or why there are none. A body without a type is JSON: one of the official SDKs sends none. Paystack also takes
 * forms, which its examples for PHP send. Numbers are kept as they are written.
 */
function readFields({ request: { body, headers } }: Pick<Call, 'request'>, dialect: Dialect): Read<Fields> {
  if (body.kind === 'too_large') return refused({ kind: 'body_too_large' });
  if (body.bytes.length === 0) return read({});
  if (isEncoded({ headers })) return refused({ kind: 'body_encoded' });
  let parsed: unknown;
  try {
    const text = strictUtf8.decode(body.bytes);
    const isForm = /^application\/x-www-form-urlencoded\b/i.test(headers['content-type'] ?? '') && !text.startsWith('{');
    if (isForm && dialect === 'paystack') return paystack.readForm(text);
    parsed = parseExactJson(text);
  } catch {
    return refused({ kind: 'body_unreadable' });
  }
  if (!isFields(parsed)) return refused({ kind: 'body_unreadable' });
  const deep = Object.keys(parsed).find((name) => isDeeperThan(parsed[name], LEVELS_MAX - 1));
  if (deep === undefined) return read(parsed);
  return refused({ kind: 'invalid_field', field: deep, rule: `must be at most ${LEVELS_MAX - 1} levels deep` });
}

/**
 * The parameters of a list. One that is given twice is refused, because all but one value would be dropped. One of the packages sends
 * them as the body of a GET.
 */
export function parametersOf(call: Pick<Call, 'request'>, dialect: Dialect): Read<Fields> {
  const { request } = call;
  const given: [string, string][] = [...new URLSearchParams(request.query)];
  if (request.body.kind === 'too_large' || request.body.bytes.length > 0) {
    const fields = readFields(call, dialect);
    if (fields.kind === 'refused') return fields;
    for (const [name, value] of Object.entries(fields.value)) {
      if (value === null) continue;
      const text = typeof value === 'boolean' ? read(String(value)) : readText(name, value);
      if (text.kind === 'refused') return text;
      given.push([name, text.value]);
    }
  }
  const twice = given.find(([name], at) => given.findIndex(([other]) => other === name) < at);
  if (twice === undefined) return read(Object.fromEntries(given));
  return refused({ kind: 'invalid_field', field: twice[0], rule: 'must be given once' });
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
  asked: { readonly amount: AskedNaira; readonly reason: string | null },
  { resourceId: refundId }: IdempotentRun,
): Promise<RequestRefundOutcome> {
  return requestRefund(payments, {
    refundId,
    merchantId: payment.merchantId,
    mode: payment.mode,
    paymentId: payment.paymentId,
    amount: asked.amount === 'full' ? 'full' : BigInt(asked.amount),
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
