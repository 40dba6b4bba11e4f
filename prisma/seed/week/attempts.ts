import type { CheckoutSession } from '@switchyard/gateways';
import { attemptReference } from '@switchyard/payments/initiate';
import { type FaultKind, feeInHundredths } from '@switchyard/routing';
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
  readonly latencyMs: number;
  readonly fault: Fault | null;
  /** Null when none was opened. */
  readonly checkout: CheckoutSession | null;
  readonly call: object;
  state: 'OPENED' | 'REFUSED' | 'UNKNOWN' | 'PAID' | 'UNPAID';
  duplicate: boolean;
  transactionId: string | null;
  received: number | null;
  lastAskedAt: number | null;
  updatedAt: number;
}

export interface Fault {
  readonly kind: FaultKind;
  readonly code: string;
  readonly message: string;
  /** Certainly no checkout exists. */
  readonly certain: boolean;
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
const TIMEOUT: Fault = { kind: 'timed_out', code: 'timeout', message: 'The gateway did not answer in time.', certain: false };
const SERVER_ERROR: Fault = {
  kind: 'server_error',
  code: 'http_5xx',
  message: 'The gateway answered 502: Bad gateway.',
  certain: false,
};
const REFUSED: Fault = {
  kind: 'refused',
  code: 'connection_refused',
  certain: true,
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
  { account, position, createdAt, fault }: Pick<AttemptFact, 'account' | 'position' | 'createdAt' | 'fault'>,
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
  const badGateway = fault?.kind === 'server_error' ? '{"message":"Bad gateway"}' : null;
  return {
    attemptId: random.id(createdAt),
    position,
    account,
    reference,
    createdAt,
    latencyMs,
    fault,
    checkout,
    // As it was recorded, secrets redacted.
    call: {
      method: 'POST',
      url: `${account.baseUrl}${isPaystack ? '/transaction/initialize' : '/payments'}`,
      httpStatus: checkout !== null ? 200 : badGateway !== null ? 502 : null,
      latencyMs,
      request: JSON.stringify(request),
      answer: checkout !== null ? JSON.stringify(checkout.raw) : badGateway,
      retryAfterMs: null,
    },
    state: fault === null ? 'OPENED' : fault.certain ? 'REFUSED' : 'UNKNOWN',
    duplicate: false,
    transactionId: null,
    received: null,
    lastAskedAt: null,
    updatedAt: createdAt + latencyMs,
  };
}

function latencyOf(random: Random, gateway: string, fault: Fault | null): number {
  if (fault?.kind === 'timed_out') return TIMEOUT_MS;
  if (fault?.kind === 'refused') return random.int(3, 20);
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
  const { account, fault } = attempt;
  return {
    merchant_id: merchantId,
    id: attempt.attemptId,
    payment_id: paymentId,
    position: attempt.position,
    account_id: account.routable.accountId,
    gateway: account.routable.gateway,
    reference: attempt.reference,
    state: attempt.state,
    failure_class: fault === null ? null : 'provider_fault',
    failure_code: fault?.code ?? null,
    failure_message: fault?.message ?? null,
    latency_ms: attempt.latencyMs,
    call: attempt.call,
    transaction_id: attempt.transactionId,
    received_amount: attempt.received,
    received_currency: attempt.received === null ? null : 'NGN',
    duplicate: attempt.duplicate,
    last_asked_at: attempt.lastAskedAt === null ? null : moment(attempt.lastAskedAt),
    created_at: moment(attempt.createdAt),
    updated_at: moment(attempt.updatedAt),
  };
}
