import type { CheckoutSession, Failure, Outcome } from '@switchyard/gateways';
import { packCall } from '@switchyard/payments/attempts';
import { attemptReference } from '@switchyard/payments/initiate';
import { feeInHundredths } from '@switchyard/routing';
import type { Outage } from './calendar.ts';
import type { Row, WeekAccount } from './plan.ts';
import { bytea } from './plan.ts';
import type { Random } from './random.ts';

/** An attempt to open a checkout. */
export interface Attempt {
  readonly account: WeekAccount;
  readonly outcome: Outcome<CheckoutSession>;
  /** As it is by now. */
  readonly row: AttemptRow;
}

/** The row of an attempt, with the columns that the simulation goes by. */
export interface AttemptRow extends Row {
  readonly id: string;
  readonly accountId: string;
  readonly gateway: string;
  readonly reference: string;
  readonly createdAt: number;
  state: 'OPENED' | 'REFUSED' | 'UNKNOWN' | 'PAID' | 'UNPAID';
  duplicate: boolean;
  transactionId: string | null;
  receivedAmount: number | null;
  receivedCurrency: string | null;
  lastAskedAt: number | null;
  updatedAt: number;
}

/** How the opening of a checkout fails. */
export interface Fault extends Failure {
  /** `unknown` if a checkout may exist all the same. */
  readonly outcome: 'no' | 'unknown';
}

/** A payment to open a checkout for. */
export interface CheckoutOrder {
  readonly merchantId: string;
  readonly paymentId: string;
  readonly amount: number;
  readonly email: string;
  readonly publicUrl: string;
}

const TIMEOUT_MS = 8_000;
const CODES = 'abcdefghijklmnopqrstuvwxyz0123456789';
const TIMEOUT: Fault = {
  outcome: 'unknown',
  class: 'provider_fault',
  code: 'timeout',
  message: 'The gateway did not answer in time.',
};
const SERVER_ERROR: Fault = {
  outcome: 'unknown',
  class: 'provider_fault',
  code: 'http_5xx',
  message: 'The gateway answered 502: Bad gateway.',
};
const REFUSED: Fault = {
  outcome: 'no',
  class: 'provider_fault',
  code: 'connection_refused',
  message: 'No connection to the gateway could be made (ECONNREFUSED).',
};

/** Base failure rate of a gateway. */
const ORDINARY_FAULTS = 0.0035;

/** The failure of a gateway at a moment, if any. */
export function faultAt(random: Random, gateway: string, at: number, outage: Outage): Fault | null {
  if (gateway === outage.gateway && at >= outage.from && at < outage.to) {
    const left = at < outage.easing ? 0.94 : (0.7 * (outage.to - at)) / (outage.to - outage.easing);
    if (random.chance(left)) return random.chance(0.82) ? TIMEOUT : SERVER_ERROR;
  }
  return random.chance(ORDINARY_FAULTS) ? random.pick([TIMEOUT, SERVER_ERROR, REFUSED]) : null;
}

export function anyFault(random: Random): Fault {
  return random.pick([TIMEOUT, SERVER_ERROR]);
}

/** An attempt of a payment at an account, with the fault that is given. */
export function attemptAt(
  random: Random,
  order: CheckoutOrder,
  { account, position, createdAt }: { readonly account: WeekAccount; readonly position: number; readonly createdAt: number },
  fault: Fault | null,
): Attempt {
  const { merchantId, paymentId } = order;
  const { gateway, accountId } = account.routable;
  const reference = attemptReference(paymentId, position);
  const latencyMs = latencyOf(random, gateway, fault);
  const outcome = outcomeOf(random, order, account, { reference, latencyMs, fault });
  const row: AttemptRow = {
    merchantId,
    id: random.id(createdAt),
    paymentId,
    position,
    accountId,
    gateway,
    reference,
    state: fault === null ? 'OPENED' : fault.outcome === 'no' ? 'REFUSED' : 'UNKNOWN',
    failureClass: fault?.class ?? null,
    failureCode: fault?.code ?? null,
    failureMessage: fault?.message ?? null,
    latencyMs,
    packedCall: bytea(packCall(outcome.call)),
    transactionId: null,
    receivedAmount: null,
    receivedCurrency: null,
    duplicate: false,
    lastAskedAt: null,
    createdAt,
    updatedAt: createdAt + latencyMs,
  };
  return { account, outcome, row };
}

/** The outcome with its call as it was recorded, secrets redacted. */
function outcomeOf(
  random: Random,
  { paymentId, amount, email, publicUrl }: CheckoutOrder,
  account: WeekAccount,
  { reference, latencyMs, fault }: { readonly reference: string; readonly latencyMs: number; readonly fault: Fault | null },
): Outcome<CheckoutSession> {
  const callback = `${publicUrl}/checkout/${paymentId}/${account.routable.accountId}/return`;
  const isPaystack = account.routable.gateway === 'paystack';
  const request = isPaystack
    ? { email, amount: String(amount * 100), currency: 'NGN', reference, callback_url: callback }
    : { tx_ref: reference, amount: String(amount), currency: 'NGN', redirect_url: callback, customer: { email } };
  const url = `${account.baseUrl}${isPaystack ? '/transaction/initialize' : '/payments'}`;
  const call = { method: 'POST', url, latencyMs, request: JSON.stringify(request), retryAfterMs: null };
  if (fault === null) {
    const value = openCheckout(random, account, reference);
    return { outcome: 'yes', value, call: { ...call, httpStatus: 200, answer: JSON.stringify(value.raw) } };
  }
  const { outcome, ...failure } = fault;
  const answered =
    fault.code === 'http_5xx' ? { httpStatus: 502, answer: '{"message":"Bad gateway"}' } : { httpStatus: null, answer: null };
  return { outcome, failure, call: { ...call, ...answered } };
}

function latencyOf(random: Random, gateway: string, fault: Fault | null): number {
  if (fault?.code === 'timeout') return TIMEOUT_MS;
  if (fault?.code === 'connection_refused') return random.int(3, 20);
  const usual = gateway === 'paystack' ? 240 : 360;
  return Math.round(Math.min(2_400, usual * Math.exp(0.35 * random.normal())));
}

function openCheckout(random: Random, { routable, baseUrl }: WeekAccount, reference: string): CheckoutSession {
  const accessCode = random.text(15, CODES);
  const redirectUrl = `${baseUrl.replace(/\/v3$/, '')}/checkout/${accessCode}`;
  if (routable.gateway === 'paystack') {
    const data = { authorization_url: redirectUrl, access_code: accessCode, reference };
    return { raw: { status: true, message: 'Authorization URL created', data }, reference, accessCode, redirectUrl };
  }
  return {
    raw: { status: 'success', message: 'Hosted Link', data: { link: redirectUrl } },
    reference,
    accessCode: '',
    redirectUrl,
  };
}

/** The gateway's fee for a payment, in main units as exact text. */
export function feeOf({ routable, wrongFees }: WeekAccount, amount: number, at: number): string | null {
  const schedule = wrongFees.find(({ from, to }) => at >= from && at < to)?.schedule ?? routable.fees;
  return schedule === null ? null : (feeInHundredths(schedule, { amount, method: null }) / 100).toFixed(2);
}
