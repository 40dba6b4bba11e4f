import type { FaultKind } from '@switchyard/provider-health';
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
  readonly latencyMs: number;
  readonly fault: Fault | null;
  readonly call: object;
  state: 'OPENED' | 'REFUSED' | 'UNKNOWN' | 'PAID' | 'UNPAID';
  current: boolean;
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

const TIMEOUT_MS = 8_000;
const CODES = 'abcdefghijklmnopqrstuvwxyz0123456789';
const timeout: Fault = { kind: 'timed_out', code: 'timeout', message: 'The gateway did not answer in time.', certain: false };
const serverError: Fault = {
  kind: 'server_error',
  code: 'http_5xx',
  message: 'The gateway answered 502: Bad gateway.',
  certain: false,
};
const refused: Fault = {
  kind: 'refused',
  code: 'connection_refused',
  certain: true,
  message: 'No connection to the gateway could be made (ECONNREFUSED).',
};

/** Base failure rate of a gateway. */
const ORDINARY_FAULTS = 0.0035;
/** Rate at which both gateways fail the same payment. */
export const BOTH_FAIL_RATE = 0.0012;

/** The failure of a gateway at a moment, if any. */
export function faultAt(random: Random, gateway: string, at: number, outage: Outage): Fault | null {
  if (gateway === outage.gateway && at >= outage.from && at < outage.to) {
    const left = at < outage.easing ? 0.94 : (0.7 * (outage.to - at)) / (outage.to - outage.easing);
    if (random.chance(left)) return random.chance(0.82) ? timeout : serverError;
  }
  return random.chance(ORDINARY_FAULTS) ? random.pick([timeout, serverError, refused]) : null;
}

export function anyFault(random: Random): Fault {
  return random.pick([timeout, serverError]);
}

export function latencyOf(random: Random, gateway: string, fault: Fault | null): number {
  if (fault?.kind === 'timed_out') return TIMEOUT_MS;
  if (fault?.kind === 'refused') return random.int(3, 20);
  const usual = gateway === 'paystack' ? 240 : 360;
  return Math.round(Math.min(2_400, usual * Math.exp(0.35 * random.normal())));
}

/** Our reference for an attempt: `sy`, the payment id's digits, two digits of position. */
export function referenceOf(paymentId: string, position: number): string {
  return `sy${paymentId.replaceAll('-', '')}${String(position).padStart(2, '0')}`;
}

export interface CallFacts {
  readonly account: WeekAccount;
  readonly reference: string;
  readonly amount: number;
  readonly email: string;
  readonly callbackUrl: string;
  readonly fault: Fault | null;
  readonly latencyMs: number;
}

export interface OpenedCheckout {
  readonly raw: object;
  readonly accessCode: string;
  readonly redirectUrl: string;
}

/** A gateway's response to the call that opens a checkout. */
export function openedCheckout(random: Random, { account, reference }: Pick<CallFacts, 'account' | 'reference'>): OpenedCheckout {
  const accessCode = random.text(15, CODES);
  if (account.routable.gateway === 'paystack') {
    const redirectUrl = `${account.baseUrl}/checkout/${accessCode}`;
    const data = { authorization_url: redirectUrl, access_code: accessCode, reference };
    return { raw: { status: true, message: 'Authorization URL created', data }, accessCode, redirectUrl };
  }
  const redirectUrl = `${account.baseUrl.replace(/\/v3$/, '')}/checkout/${accessCode}`;
  return { raw: { status: 'success', message: 'Hosted Link', data: { link: redirectUrl } }, accessCode: '', redirectUrl };
}

/** The call as it was recorded, secrets redacted. */
export function callOf(facts: CallFacts, opened: OpenedCheckout | null): object {
  const { account, reference, amount, email, callbackUrl, fault, latencyMs } = facts;
  const isPaystack = account.routable.gateway === 'paystack';
  const request = isPaystack
    ? { email, amount: String(amount * 100), currency: 'NGN', reference, callback_url: callbackUrl }
    : { tx_ref: reference, amount: String(amount), currency: 'NGN', redirect_url: callbackUrl, customer: { email } };
  const status = fault === null ? 200 : fault.kind === 'server_error' ? 502 : null;
  const answer = opened === null ? (status === 502 ? '{"message":"Bad gateway"}' : null) : JSON.stringify(opened.raw);
  const url = isPaystack ? `${account.baseUrl}/transaction/initialize` : `${account.baseUrl}/payments`;
  return { method: 'POST', url, httpStatus: status, latencyMs, request: JSON.stringify(request), answer, retryAfterMs: null };
}

/** The gateway's record of a payment, in main units as exact text. */
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
