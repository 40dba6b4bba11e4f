import type { RouterOutputs } from '../trpc/outputs.ts';
import type { Tone } from './payment-status.ts';

interface EventLabel {
  readonly label: string;
  readonly means: string;
}

type EventType = RouterOutputs['webhooks']['types'][number];

/** Types of events that merchants receive, with what each means. */
export const EVENT_LABELS: Readonly<Record<string, EventLabel>> = {
  'payment.succeeded': { label: 'Payment succeeded', means: 'A gateway proved that the money was received.' },
  'payment.failed': { label: 'Payment failed', means: 'No checkout opened, or nothing was paid in time.' },
  'payment.refunded': { label: 'Payment refunded', means: 'The full amount was returned.' },
  'refund.succeeded': { label: 'Refund succeeded', means: 'The gateway returned the money, all of it or a part.' },
  'refund.failed': { label: 'Refund failed', means: 'The gateway did not return the money.' },
  'payment.requires_review': { label: 'Payment requires review', means: 'What came does not match the order.' },
  'payment.duplicate_charge': { label: 'Duplicate charge', means: 'Money came a second time.' },
  'webhook.test': { label: 'Test event', means: 'Sent to test the endpoint.' },
} satisfies Record<EventType | 'webhook.test', EventLabel>;

/** The events that endpoints can subscribe to. */
export const EVENT_TYPES = Object.keys(EVENT_LABELS).filter((type) => type !== 'webhook.test');

/** The states of a delivery, in the order of its life. */
export const DELIVERY_STATES = ['PENDING', 'DELIVERED', 'FAILED'] as const;

/** State of a delivery. */
export type DeliveryState = (typeof DELIVERY_STATES)[number];

/** The states of a delivery as people read them. */
export const DELIVERY_LABELS: Record<DeliveryState, { readonly word: string; readonly tone: Tone; readonly meaning: string }> = {
  PENDING: { word: 'Waiting', tone: 'wait', meaning: 'It is sent as soon as its turn comes' },
  DELIVERED: { word: 'Delivered', tone: 'good', meaning: 'The endpoint answered 2xx' },
  FAILED: { word: 'Given up', tone: 'bad', meaning: 'It is not retried unless it is resent by hand' },
};

const FAILURES: Readonly<Record<string, string>> = {
  timeout: 'No answer in 15 seconds',
  unknown_host: 'The name could not be resolved',
  address_refused: 'The name leads to a private address',
  unreachable: 'No connection could be made',
  certificate: 'The certificate was not accepted',
  connection_lost: 'The connection was lost',
  malformed_answer: 'The answer was not HTTP',
};

/** The result of a delivery attempt as a short text. Null before the first. */
export function describeAnswer({
  status,
  failure,
}: {
  readonly status: number | null;
  readonly failure: string | null;
}): string | null {
  if (status !== null) return `Answered ${status}${status >= 300 && status < 400 ? ', a redirect, which is not followed' : ''}`;
  return failure === null ? null : (FAILURES[failure] ?? failure);
}

/** Why an endpoint is switched off, as a clause. */
export function describeOff(reason: string | null): string {
  if (reason === 'gone') return 'it answered 410 Gone';
  return reason === 'failing' ? 'it failed for five days' : 'by staff';
}
