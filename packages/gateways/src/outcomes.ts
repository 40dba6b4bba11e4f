import type { HttpMethod } from './connections.ts';
import type { AccountAccess, CallRecord, CheckoutOrder, CheckoutSession, Failure, Outcome } from './gateway.ts';
import type { Answer, GatewayApi } from './gateway-api.ts';
import type { CallFailure } from './http.ts';

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
  return { outcome: failed.nothingDone ? 'no' : 'unknown', failure: toFailure(failed), call };
}

/** Outcome of a failed look-up: always `unknown`, because without an answer nothing is known. */
export function toLookupFailure(failed: CallFailure, call: CallRecord): Extract<Outcome<never>, { outcome: 'unknown' }> {
  return { outcome: 'unknown', failure: toFailure(failed), call };
}

function toFailure({ class: of, code, message, gatewayCode }: CallFailure): Failure {
  const reason = failure(of, code, message);
  return gatewayCode === undefined ? reason : { ...reason, gatewayCode };
}

/** The failure of an answer that is JSON but does not follow the gateway's protocol. */
export function protocolViolation(title: string, reply: Answer): CallFailure {
  return {
    class: 'provider_fault',
    code: 'malformed_answer',
    message: `${title} answered ${reply.status} without the fields its protocol promises.`,
    nothingDone: reply.status >= 400 && !reply.repeated,
  };
}

/**
 * The failure of a look-up that was answered with a status the gateway's documentation does not list. The gateway works, so it is not at
 * fault; what the status means has to be added to the connector.
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
export function callNotMade(method: HttpMethod, url: string): CallRecord {
  return { method, url, httpStatus: null, latencyMs: 0, request: null, answer: null, retryAfterMs: null };
}

/** Outcome of an order by a method that the gateway does not offer. `path` is of the call that was not made. */
export function toMethodNotOffered(
  { title, baseUrl }: GatewayApi,
  { method }: CheckoutOrder,
  path: string,
): Extract<Outcome<never>, { outcome: 'no' }> {
  const reason = failure('our_configuration', 'not_supported', `${title} does not offer ${method}.`);
  return { outcome: 'no', failure: reason, call: callNotMade('POST', baseUrl + path) };
}

/** A checkout that the gateway opened: unknown under another reference, or at an address no customer may be sent to. */
export function toOpenedCheckout(
  { title, checkoutHosts }: GatewayApi,
  account: AccountAccess,
  order: CheckoutOrder,
  session: CheckoutSession,
) {
  if (session.reference !== order.reference) {
    const message = `${title} opened a checkout under another reference.`;
    return { outcome: 'unknown', failure: failure('provider_fault', 'reference_mismatch', message) } as const;
  }
  if (!isSafeCheckoutUrl(session.redirectUrl, account, checkoutHosts)) {
    const message = `${title} sent a checkout address no customer may be sent to.`;
    return { outcome: 'unknown', failure: failure('provider_fault', 'unsafe_checkout_url', message) } as const;
  }
  return { outcome: 'yes', value: session } as const;
}

const maxLength = 2048;

/**
 * True if a customer may be sent to a checkout address: https at one of the gateway's own hosts, or, for a test account that
 * points elsewhere, the host it points at over http or https. Never with user info, another scheme, or a character that
 * browsers read in ways of their own.
 */
export function isSafeCheckoutUrl(
  text: string,
  account: Pick<AccountAccess, 'mode' | 'baseUrl'>,
  hosts: { readonly live: readonly string[]; readonly test: readonly string[] },
): boolean {
  if (text.length > maxLength || !/^[\x21-\x5b\x5d-\x7e]+$/.test(text)) return false;
  const url = URL.parse(text);
  if (url === null || url.username !== '' || url.password !== '' || url.hostname === '') return false;
  if (account.mode === 'test' && account.baseUrl !== null && isWeb(url)) {
    if (URL.parse(account.baseUrl)?.hostname === url.hostname) return true;
  }
  if (url.protocol !== 'https:' || url.port !== '') return false;
  const allowed = account.mode === 'live' ? hosts.live : [...hosts.live, ...hosts.test];
  return allowed.some((host) => (host.startsWith('.') ? url.hostname.endsWith(host) : url.hostname === host));
}

function isWeb(url: URL): boolean {
  return url.protocol === 'https:' || url.protocol === 'http:';
}
