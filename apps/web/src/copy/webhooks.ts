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
  'payment.requires_review': {
    label: 'Payment requires review',
    means: 'The amount received does not match the order, or no gateway says whether it was paid.',
  },
  'payment.duplicate_charge': { label: 'Duplicate payment', means: 'The payment was received twice.' },
  'payment.repeated': {
    label: 'Payment repeated',
    means: 'The customer probably paid twice for one order, by two payments.',
  },
  'payment.reversed': { label: 'Payment reversed', means: 'The gateway took the money back, such as by a chargeback.' },
  'payment.reinstated': { label: 'Payment reinstated', means: 'The gateway gave back what it had taken.' },
  'dispute.opened': { label: 'Dispute opened', means: 'A customer disputes a payment with their bank.' },
  'dispute.closed': { label: 'Dispute closed', means: 'A dispute was won, lost, accepted or left unanswered.' },
  'webhook.test': { label: 'Test event', means: 'Sent to test the endpoint.' },
} satisfies Record<EventType | 'webhook.test', EventLabel>;

/** The events that endpoints can subscribe to. */
export const EVENT_TYPES = Object.keys(EVENT_LABELS).filter((type) => type !== 'webhook.test');

type Formats = RouterOutputs['webhooks']['formats'];

/** Form in which an endpoint is sent events. */
export type Format = keyof Formats;

/** The forms in which an endpoint can be sent events. */
export const FORMAT_LABELS: Readonly<Record<Format, string>> = {
  switchyard: 'Switchyard',
  paystack: 'Paystack',
  flutterwave: 'Flutterwave',
};

/** The events of a form. */
export const FORMAT_TYPES: Readonly<Record<Format, readonly string[]>> = {
  switchyard: EVENT_TYPES,
  paystack: ['payment.succeeded', 'refund.succeeded', 'refund.failed'],
  flutterwave: ['payment.succeeded', 'payment.failed', 'refund.succeeded', 'refund.failed'],
} satisfies Record<Format, readonly string[]>;

/** Events of an endpoint by its form, unless it names events. */
export const USUAL_EVENTS: Readonly<Record<Format, string>> = {
  switchyard: 'All, including future ones',
  paystack: 'charge.success and refunds, as Paystack sends them',
  flutterwave: 'charge.completed, as Flutterwave sends it',
};

/** A form by its name, ours for any other text. */
export function formatOf(name: string): Format {
  return name === 'paystack' || name === 'flutterwave' ? name : 'switchyard';
}

/** The states of a delivery, in the order of its life. */
export const DELIVERY_STATES = ['PENDING', 'DELIVERED', 'FAILED'] as const;

export type DeliveryState = (typeof DELIVERY_STATES)[number];

/** The states of a delivery as people read them. */
export const DELIVERY_LABELS: Record<DeliveryState, { readonly word: string; readonly tone: Tone; readonly meaning: string }> = {
  PENDING: { word: 'Pending', tone: 'wait', meaning: 'Waiting to be sent' },
  DELIVERED: { word: 'Delivered', tone: 'good', meaning: 'The endpoint responded with HTTP 2xx' },
  FAILED: { word: 'Failed', tone: 'bad', meaning: 'Not retried unless you resend it' },
};

const FAILURES: Readonly<Record<string, string>> = {
  timeout: 'No response within 15 seconds',
  unknown_host: 'The name could not be resolved',
  address_refused: 'The name leads to a private address',
  unreachable: 'No connection could be made',
  certificate: 'The certificate was not accepted',
  connection_lost: 'The connection was lost',
  malformed_answer: 'The response was not HTTP',
};

/** The result of a delivery attempt as a short text. Null before the first. */
export function describeAnswer({
  status,
  failure,
}: {
  readonly status: number | null;
  readonly failure: string | null;
}): string | null {
  if (status !== null) return `HTTP ${status}${status >= 300 && status < 400 ? ', a redirect, which is not followed' : ''}`;
  return failure === null ? null : (FAILURES[failure] ?? failure);
}

/** Why an endpoint is switched off, as a clause. */
export function describeDisabledReason(reason: string | null): string {
  if (reason === 'gone') return 'it responded with HTTP 410 Gone';
  return reason === 'failing' ? 'it failed for five days' : 'by staff';
}

/** True if an endpoint was switched off because of what it answered, and not by a person. */
export function isDisabledAutomatically(reason: string | null): boolean {
  return reason === 'failing' || reason === 'gone';
}
