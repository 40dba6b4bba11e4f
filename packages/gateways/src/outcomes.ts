import { isSafeCheckoutUrl } from './checkout-url.ts';
import type { AccountAccess, CallRecord, CheckoutOrder, CheckoutSession, Failure, Outcome } from './gateway.ts';
import type { CallFailure, WireReply } from './http.ts';

const maxMessageLength = 500;

/** Builds a failure whose message fits the contract. The message must be redacted already where it quotes the other side. */
export function failure(failureClass: Failure['class'], code: Failure['code'], message: string): Failure {
  return {
    class: failureClass,
    code,
    message: message.length > maxMessageLength ? message.slice(0, maxMessageLength).toWellFormed() : message,
  };
}

/** Outcome of a failed action (open, refund): `no` only when the gateway certainly did nothing, else `unknown`. */
export function toActionFailure(failed: CallFailure, call: CallRecord): Exclude<Outcome<never>, { outcome: 'yes' }> {
  const reason = failure(failed.class, failed.code, failed.message);
  return { outcome: failed.nothingDone ? 'no' : 'unknown', failure: reason, call };
}

/** Outcome of a failed look-up: always `unknown`, because without an answer nothing is known. */
export function toLookupFailure(failed: CallFailure, call: CallRecord): Extract<Outcome<never>, { outcome: 'unknown' }> {
  return { outcome: 'unknown', failure: failure(failed.class, failed.code, failed.message), call };
}

/**
 * Outcome of a look-up that the gateway refused to answer: nothing is known. `said` is the message of the refusal, not redacted yet, or
 * null where the answer cannot be read as one.
 */
export function toRefusedLookup(
  title: string,
  reply: Extract<WireReply, { kind: 'answer' }>,
  said: string | null,
): Extract<Outcome<never>, { outcome: 'unknown' }> {
  if (said === null) return toLookupFailure(protocolViolation(title, reply), reply.call);
  const reason = failure('our_configuration', 'request_rejected', `${title} refused: ${reply.redactor.text(said)}`);
  return { outcome: 'unknown', failure: reason, call: reply.call };
}

/** The failure of an answer that is JSON but does not follow the gateway's protocol. */
export function protocolViolation(title: string, reply: Extract<WireReply, { kind: 'answer' }>): CallFailure {
  return {
    class: 'provider_fault',
    code: 'malformed_answer',
    message: `${title} answered ${reply.status} without the fields its protocol promises.`,
    nothingDone: reply.status >= 400 && !reply.repeated,
  };
}

/**
 * The failure of a look-up that was answered with a status the gateway's documentation does not list. The gateway works, so it is no
 * fault of its own; what the status means has to be added to the connector.
 */
export function unrecognisedStatus(title: string, status: string): Failure {
  const word = /^[\w .-]{1,30}$/.test(status) ? `: ${status}` : '';
  return failure(
    'our_configuration',
    'unrecognised_status',
    `${title} reports a status that its documentation does not list${word}.`,
  );
}

/** The record of a call that was not made because its input is invalid. */
export function callNotMade(method: 'GET' | 'POST', url: string): CallRecord {
  return { method, url, httpStatus: null, latencyMs: 0, request: null, answer: null, retryAfterMs: null };
}

/** Outcome of an order by a method that the gateway does not offer. `url` is the call that was not made. */
export function toMethodNotOffered(
  title: string,
  { method }: CheckoutOrder,
  url: string,
): Extract<Outcome<never>, { outcome: 'no' }> {
  const reason = failure('our_configuration', 'not_supported', `${title} does not offer ${method}.`);
  return { outcome: 'no', failure: reason, call: callNotMade('POST', url) };
}

/** Terms that a session has to meet before a customer is sent to it. */
interface SessionTerms {
  readonly title: string;
  readonly account: AccountAccess;
  readonly order: CheckoutOrder;
  /** Where the gateway's checkout pages are. */
  readonly hosts: { readonly live: readonly string[]; readonly test: readonly string[] };
  readonly call: CallRecord;
}

/** Outcome of a checkout that the gateway opened: `unknown` under another reference, or at an address no customer may be sent to. */
export function toOpenedCheckout(
  session: CheckoutSession,
  { title, account, order, hosts, call }: SessionTerms,
): Exclude<Outcome<CheckoutSession>, { outcome: 'no' }> {
  if (session.reference !== order.reference) {
    const message = `${title} opened a checkout under another reference.`;
    return { outcome: 'unknown', failure: failure('provider_fault', 'reference_mismatch', message), call };
  }
  if (!isSafeCheckoutUrl(session.redirectUrl, account, hosts)) {
    const message = `${title} sent a checkout address no customer may be sent to.`;
    return { outcome: 'unknown', failure: failure('provider_fault', 'unsafe_checkout_url', message), call };
  }
  return { outcome: 'yes', value: session, call };
}
