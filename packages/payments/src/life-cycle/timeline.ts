import type { Attempt, TimelineEvent } from '@switchyard/db/client';

const INITIATED = 'payment.initiated';

/** A payment as its first event repeats it. */
type Begun = Pick<TimelineEvent, 'merchantId' | 'createdAt'> & { readonly id: string };
/** An attempt as the event of its checkout repeats it, where that is not stored. */
type Opened = Pick<Attempt, 'merchantId' | 'paymentId' | 'id' | 'gateway' | 'reference' | 'openedAt'>;

/** Timelines of payments with the events that are stored and those that their payments and attempts say, in order. */
export function wholeTimeline(
  payments: readonly Begun[],
  attempts: readonly Opened[],
  stored: readonly TimelineEvent[],
): TimelineEvent[] {
  const known = new Set(stored.filter(({ type }) => type === INITIATED).map(({ paymentId }) => paymentId));
  const first = payments.filter(({ id }) => !known.has(id)).map(firstEvent);
  return [...first, ...attempts.flatMap(openingEvent), ...stored].sort(
    (one, other) => one.createdAt.getTime() - other.createdAt.getTime() || (one.id < other.id ? -1 : 1),
  );
}

function firstEvent({ merchantId, id, createdAt }: Begun): TimelineEvent {
  const fixed = { type: INITIATED, fromStatus: null, toStatus: 'INITIATED', cause: 'api', actor: null, detail: {} } as const;
  return { merchantId, id, paymentId: id, ...fixed, createdAt };
}

function openingEvent({ merchantId, paymentId, id, gateway, reference, openedAt }: Opened): TimelineEvent[] {
  if (openedAt === null) return [];
  const fixed = { type: 'payment.pending', fromStatus: 'INITIATED', toStatus: 'PENDING', cause: 'api', actor: null } as const;
  return [{ merchantId, id, paymentId, ...fixed, detail: { gateway, reference }, createdAt: openedAt }];
}
