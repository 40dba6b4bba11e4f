import type { CheckoutSession } from '@switchyard/gateways';
import type { FallbackGateway } from './payment-record.ts';
import { withPaymentId } from './redirect-url.ts';

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
