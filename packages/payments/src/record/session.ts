import type { CheckoutSession } from '@switchyard/gateways';
import type { FallbackGateway } from './payment-record.ts';

/** The origin of a checkout, for the URLs and the metadata of its session. */
export interface SessionOrigin {
  readonly publicUrl: string;
  readonly mode: string;
  readonly merchantId: string;
  readonly paymentId: string;
  readonly merchantOrderId: string;
  readonly accountId: string;
  readonly gateway: string;
  /** The payment's own redirect URL, or the merchant's default, or null. */
  readonly redirectUrl: string | null;
}

/** Where the gateway redirects the customer's browser: our return URL, which verifies before it redirects. */
export function callbackUrl({ publicUrl, paymentId, accountId }: SessionOrigin): string {
  return `${publicUrl}/checkout/${paymentId}/${accountId}/return`;
}

/** The customer's final URL: the merchant's with `paymentId`, or our own result page. */
export function finalUrl({ publicUrl, paymentId, accountId, redirectUrl }: SessionOrigin): string {
  return redirectUrl === null ? `${publicUrl}/checkout/${paymentId}/${accountId}` : withPaymentId(redirectUrl, paymentId);
}

/** The documented `session` object. */
export function describeSession(origin: SessionOrigin, session: CheckoutSession, unused: readonly FallbackGateway[]): object {
  return {
    raw: session.raw,
    gateway: origin.gateway,
    reference: session.reference,
    accessCode: session.accessCode,
    redirectUrl: session.redirectUrl,
    metadata: {
      mode: origin.mode,
      paymentId: origin.paymentId,
      merchantId: origin.merchantId,
      callbackUrl: callbackUrl(origin),
      redirectUrl: finalUrl(origin),
      merchantOrderId: origin.merchantOrderId,
      referencePrefix: '',
      fallbackGateways: unused.map(({ name, reason }) => ({ name, reason })),
    },
  };
}

/**
 * The URL a customer is redirected to: `paymentId` is set in the query, see {@link withQuery}.
 */
export function withPaymentId(address: string, paymentId: string): string {
  return withQuery(address, { paymentId });
}

/**
 * An address with parameters set in its query (existing ones of the same names are replaced); everything else stays byte for byte as
 * the merchant wrote it, the fragment too; only non-ASCII characters, which a `Location` header cannot contain, are encoded as a browser
 * would.
 */
export function withQuery(address: string, parameters: Readonly<Record<string, string>>): string {
  const [beforeFragment = '', ...fragment] = splitOnce(inAscii(address), '#');
  const [path = '', query] = splitOnce(beforeFragment, '?');
  const remaining = (query ?? '').split('&').filter((pair) => pair !== '' && !namesAny(pair, parameters));
  const added = Object.entries(parameters).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  return `${path}?${[...remaining, ...added].join('&')}${fragment.length === 0 ? '' : `#${fragment[0]}`}`;
}

function inAscii(address: string): string {
  return /^[\x21-\x7e]*$/.test(address) ? address : new URL(address).href;
}

function splitOnce(text: string, at: string): string[] {
  const index = text.indexOf(at);
  return index === -1 ? [text] : [text.slice(0, index), text.slice(index + 1)];
}

function namesAny(pair: string, parameters: Readonly<Record<string, string>>): boolean {
  return [...new URLSearchParams(pair).keys()].some((name) => Object.hasOwn(parameters, name));
}
