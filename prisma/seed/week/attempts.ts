import type { CheckoutSession, Failure, Outcome } from '@switchyard/gateways';
import { attemptReference } from '@switchyard/payments/initiate';
import { feeInHundredths } from '@switchyard/routing';
import type { Outage } from './calendar.ts';
import { moment, type Row, type WeekAccount } from './plan.ts';
import type { Random } from './random.ts';

/** One attempt to open a checkout. */
export interface AttemptFact {
  readonly attemptId: string;
  readonly position: number;
  readonly account: WeekAccount;
  readonly reference: string;
  readonly createdAt: number;
  readonly outcome: Outcome<CheckoutSession>;
  /** Null when none was opened. */
  readonly checkout: CheckoutSession | null;
  state: 'OPENED' | 'REFUSED' | 'UNKNOWN' | 'PAID' | 'UNPAID';
  duplicate: boolean;
  transactionId: string | null;
  received: number | null;
  lastAskedAt: number | null;
  updatedAt: number;
}

/** How the opening of a checkout fails. */
export interface Fault extends Failure {
  /** Whether a checkout may exist all the same. */
  readonly outcome: 'no' | 'unknown';
}

/** A payment to open a checkout for. */
export interface CheckoutOrder {
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
  { paymentId, amount, email, publicUrl }: CheckoutOrder,
  { account, position, createdAt }: Pick<AttemptFact, 'account' | 'position' | 'createdAt'>,
  fault: Fault | null,
): AttemptFact {
  const { gateway, accountId } = account.routable;
  const reference = attemptReference(paymentId, position);
  const latencyMs = latencyOf(random, gateway, fault);
  const checkout = fault === null ? openCheckout(random, account, reference) : null;
  const callback = `${publicUrl}/checkout/${paymentId}/${accountId}/return`;
  const isPaystack = gateway === 'paystack';
  const request = isPaystack
    ? { email, amount: String(amount * 100), currency: 'NGN', reference, callback_url: callback }
    : { tx_ref: reference, amount: String(amount), currency: 'NGN', redirect_url: callback, customer: { email } };
  const badGateway = fault?.code === 'http_5xx' ? '{"message":"Bad gateway"}' : null;
  // As it was recorded, secrets redacted.
  const call = {
    method: 'POST',
    url: `${account.baseUrl}${isPaystack ? '/transaction/initialize' : '/payments'}`,
    httpStatus: checkout !== null ? 200 : badGateway !== null ? 502 : null,
    latencyMs,
    request: JSON.stringify(request),
    answer: checkout !== null ? JSON.stringify(checkout.raw) : badGateway,
    retryAfterMs: null,
  };
  return {
    attemptId: random.id(createdAt),
    position,
    account,
    reference,
    createdAt,
    outcome: outcomeOf(checkout, fault, call),
    checkout,
    state: fault === null ? 'OPENED' : fault.outcome === 'no' ? 'REFUSED' : 'UNKNOWN',
    duplicate: false,
    transactionId: null,
    received: null,
    lastAskedAt: null,
    updatedAt: createdAt + latencyMs,
  };
}

function outcomeOf(
  checkout: CheckoutSession | null,
  fault: Fault | null,
  call: AttemptFact['outcome']['call'],
): AttemptFact['outcome'] {
  if (checkout !== null) return { outcome: 'yes', value: checkout, call };
  if (fault === null) throw new Error('a checkout was neither opened nor refused');
  const { outcome, ...failure } = fault;
  return { outcome, failure, call };
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
export function feeOf({ routable }: WeekAccount, amount: number): string | null {
  return routable.fees === null ? null : (feeInHundredths(routable.fees, amount) / 100).toFixed(2);
}

export function attemptRow(merchantId: string, paymentId: string, attempt: AttemptFact): Row {
  const { account, outcome } = attempt;
  const failure = outcome.outcome === 'yes' ? null : outcome.failure;
  return {
    merchant_id: merchantId,
    id: attempt.attemptId,
    payment_id: paymentId,
    position: attempt.position,
    account_id: account.routable.accountId,
    gateway: account.routable.gateway,
    reference: attempt.reference,
    state: attempt.state,
    failure_class: failure?.class ?? null,
    failure_code: failure?.code ?? null,
    failure_message: failure?.message ?? null,
    latency_ms: outcome.call.latencyMs,
    call: outcome.call,
    transaction_id: attempt.transactionId,
    received_amount: attempt.received,
    received_currency: attempt.received === null ? null : 'NGN',
    duplicate: attempt.duplicate,
    last_asked_at: attempt.lastAskedAt === null ? null : moment(attempt.lastAskedAt),
    created_at: moment(attempt.createdAt),
    updated_at: moment(attempt.updatedAt),
  };
}
