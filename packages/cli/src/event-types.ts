import type { WebhookEvent } from '@switchyard/client';

type Type = WebhookEvent['type'];

/** Every type of event. The compiler asks for one that is missing. */
const EVENT_TYPES: Readonly<Record<Type, true>> = {
  'payment.succeeded': true,
  'payment.failed': true,
  'payment.refunded': true,
  'refund.succeeded': true,
  'refund.failed': true,
  'payment.requires_review': true,
  'payment.duplicate_charge': true,
  'payment.repeated': true,
  'payment.reversed': true,
  'payment.reinstated': true,
  'dispute.opened': true,
  'dispute.closed': true,
};

/** The types of events, as they are typed. */
export const eventTypes: readonly string[] = Object.keys(EVENT_TYPES);
