import type { MerchantEventType } from './announce-event.ts';

/** The forms in which an endpoint can be sent events: ours, or that of a gateway, for code that was written for it. */
export const WEBHOOK_FORMATS = ['switchyard', 'paystack', 'flutterwave'] as const;

/** Form of the events an endpoint is sent. */
export type WebhookFormat = (typeof WEBHOOK_FORMATS)[number];

/** Events that a format can express. */
export interface FormatEvents {
  /** Sent unless the endpoint names types; null for all there are, and will be. */
  readonly usual: readonly MerchantEventType[] | null;
  /** All that the gateway has an event for; null for all. */
  readonly possible: readonly MerchantEventType[] | null;
}

/** The events of each format. Paystack has none for a checkout that failed; Flutterwave sends refunds only on request. */
export const FORMAT_EVENTS: Readonly<Record<WebhookFormat, FormatEvents>> = {
  switchyard: { usual: null, possible: null },
  paystack: {
    usual: ['payment.succeeded', 'refund.succeeded', 'refund.failed'],
    possible: ['payment.succeeded', 'refund.succeeded', 'refund.failed'],
  },
  flutterwave: {
    usual: ['payment.succeeded', 'payment.failed'],
    possible: ['payment.succeeded', 'payment.failed', 'refund.succeeded', 'refund.failed'],
  },
};

/** The format with a name; throws for any other text. */
export function readFormat(name: string): WebhookFormat {
  const format = WEBHOOK_FORMATS.find((one) => one === name);
  if (format === undefined) throw new Error(`${name} is no format of webhooks`);
  return format;
}
