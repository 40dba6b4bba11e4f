import type { TimelineEvent } from '@switchyard/db/client';

const INITIATED = 'payment.initiated';

/** A payment as its first event repeats it. */
type Begun = Pick<TimelineEvent, 'merchantId' | 'createdAt'> & { readonly id: string };

/** Timelines of payments with the events that are stored and those that are not, by their ids, which follow the time. */
export function withFirstEvents(payments: readonly Begun[], stored: readonly TimelineEvent[]): TimelineEvent[] {
  const known = new Set(stored.filter(({ type }) => type === INITIATED).map(({ paymentId }) => paymentId));
  const first = payments.filter(({ id }) => !known.has(id)).map(firstEvent);
  return first.length === 0 ? [...stored] : [...first, ...stored].sort((one, other) => (one.id < other.id ? -1 : 1));
}

/** The timeline of one payment, of which these events are stored in order. */
export function withFirstEvent(payment: Begun, stored: readonly TimelineEvent[]): TimelineEvent[] {
  return stored.some(({ type }) => type === INITIATED) ? [...stored] : [firstEvent(payment), ...stored];
}

function firstEvent({ merchantId, id, createdAt }: Begun): TimelineEvent {
  const fixed = { type: INITIATED, fromStatus: null, toStatus: 'INITIATED', cause: 'api', actor: null, detail: {} } as const;
  return { merchantId, id, paymentId: id, ...fixed, createdAt };
}
