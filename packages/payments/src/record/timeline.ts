import type { Attempt, Payment, Prisma, TimelineEvent } from '@switchyard/db/client';

const INITIATED = 'payment.initiated';
const SUCCEEDED = 'payment.succeeded';

/** A payment as its first event, and that of its success, repeat it. */
type Begun = Pick<Payment, 'merchantId' | 'id' | 'amount' | 'currency' | 'createdAt'>;
/** An attempt as the event of its checkout, and that of the payment's success, repeat it. */
type Tried = Pick<
  Attempt,
  'merchantId' | 'paymentId' | 'id' | 'gateway' | 'reference' | 'openedAt' | 'state' | 'duplicate' | 'transactionId'
>;

/** Timelines of payments with the events that are stored and those that their payments and attempts say, in order. */
export function wholeTimeline(
  payments: readonly Begun[],
  attempts: readonly Tried[],
  stored: readonly TimelineEvent[],
): TimelineEvent[] {
  const known = new Set(stored.filter(({ type }) => type === INITIATED).map(({ paymentId }) => paymentId));
  const first = payments.filter(({ id }) => !known.has(id)).map(firstEvent);
  const byId = new Map(payments.map((payment) => [payment.id, payment]));
  const whole = stored.map((event) => withDetail(event, byId.get(event.paymentId), attempts));
  return [...first, ...attempts.flatMap(openingEvent), ...whole].sort(
    (one, other) => one.createdAt.getTime() - other.createdAt.getTime() || (one.id < other.id ? -1 : 1),
  );
}

function firstEvent({ merchantId, id, createdAt }: Begun): TimelineEvent {
  const fixed = { type: INITIATED, fromStatus: null, toStatus: 'INITIATED', cause: 'api', actor: null, detail: {} } as const;
  return { merchantId, id, paymentId: id, ...fixed, createdAt };
}

function openingEvent({ merchantId, paymentId, id, gateway, reference, openedAt }: Tried): TimelineEvent[] {
  if (openedAt === null) return [];
  const fixed = { type: 'payment.pending', fromStatus: 'INITIATED', toStatus: 'PENDING', cause: 'api', actor: null } as const;
  return [{ merchantId, id, paymentId, ...fixed, detail: { gateway, reference }, createdAt: openedAt }];
}

/** An event with all of its detail: of a success what the gateway names is stored, and the attempt that was paid and the payment say the rest. */
function withDetail(event: TimelineEvent, payment: Begun | undefined, attempts: readonly Tried[]): TimelineEvent {
  const { type, paymentId, fromStatus, detail } = event;
  if (type !== SUCCEEDED || payment === undefined || !isObject(detail) || 'attemptId' in detail) return event;
  const { transactionId = null, ...more } = detail;
  const paid = attempts.find(
    (one) => one.paymentId === paymentId && one.state === 'PAID' && !one.duplicate && one.transactionId === transactionId,
  );
  if (paid === undefined) return event;
  const money = { attemptId: paid.id, amount: payment.amount.toString(), currency: payment.currency, transactionId };
  return { ...event, detail: { ...money, gateway: paid.gateway, ...more, late: fromStatus === 'FAILED' } };
}

function isObject(detail: Prisma.JsonValue): detail is Prisma.JsonObject {
  return typeof detail === 'object' && detail !== null && !Array.isArray(detail);
}
