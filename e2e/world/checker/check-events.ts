import type { Delivery, EndpointRow, EventRow, Observations } from './observations.ts';
import type { PaymentObservations } from './payment-observations.ts';
import { type Finding, type Violation, violation } from './violation.ts';

/** An answer that takes longer counts as none. */
const ANSWER_MAX_MS = 15_000;

/** Types of timeline events that are sent to merchants. */
const SENT_TYPES: readonly string[] = [
  'payment.succeeded',
  'payment.failed',
  'payment.refunded',
  'refund.succeeded',
  'refund.failed',
  'payment.requires_review',
  'payment.duplicate_charge',
  'payment.repeated',
  'payment.reversed',
  'payment.reinstated',
];

/** Checks that each timeline event for merchants has its event row. */
export function* checkEvents({ timeline, events }: PaymentObservations): Generator<Finding> {
  for (const { type, eventId } of timeline) {
    if (!SENT_TYPES.includes(type)) continue;
    const own = events.filter((event) => event.eventId === eventId);
    if (own.length !== 1) yield ['event_missing', `${type} ${eventId} has ${own.length} events`];
    else if (own[0]?.type !== type) yield ['event_altered', `${type} is sent as ${own[0]?.type}`];
  }
  for (const { eventId, type } of events) {
    const isKnown = timeline.some((entry) => entry.eventId === eventId);
    if (!isKnown) yield ['event_altered', `${type} ${eventId} has no timeline event`];
  }
}

type FileOf = ReadonlyMap<string | null, PaymentObservations>;

/** Checks that every event arrived at every endpoint: unaltered, genuine, and in order. */
export function* checkDeliveries(observations: Observations, files: readonly PaymentObservations[]): Generator<Violation> {
  const fileOf: FileOf = new Map(files.map((file) => [file.payment.paymentId, file]));
  const tries = Map.groupBy(observations.deliveries, ({ endpointId }) => endpointId);
  const states = new Map(observations.deliveryRows.map((row) => [`${row.endpointId} ${row.eventId}`, row.state]));
  for (const endpoint of observations.endpoints) {
    const events = observations.events.filter(({ merchantId }) => merchantId === endpoint.merchantId);
    const own = tries.get(endpoint.endpointId) ?? [];
    yield* checkArrivals(endpoint, events, own, states, fileOf);
    yield* checkGenuine(endpoint, events, own);
    yield* checkSequence(events, own, fileOf);
  }
}

function* checkArrivals(
  { endpointId, enabled }: EndpointRow,
  events: readonly EventRow[],
  tries: readonly Delivery[],
  states: ReadonlyMap<string, string>,
  fileOf: FileOf,
): Generator<Violation> {
  const confirmed = new Set(tries.filter(isConfirmed).map(({ eventId }) => eventId));
  for (const { eventId, type, paymentId } of events) {
    const state = states.get(`${endpointId} ${eventId}`) ?? 'nowhere';
    const hasArrived = confirmed.has(eventId);
    if (hasArrived && state === 'DELIVERED') continue;
    const how = enabled ? '' : ', which was switched off';
    const what = `${type} ${eventId} ${hasArrived ? 'was confirmed' : 'was never confirmed in time'} by ${endpointId}${how}, and is recorded as ${state}`;
    yield violation('event_not_delivered', what, fileOf.get(paymentId));
  }
}

/** True if an endpoint took an event, even if its answer came too late. */
function isAccepted({ answered }: Delivery): boolean {
  return answered !== null && answered >= 200 && answered < 300;
}

/** True if an endpoint said that it took an event, within the time that is documented. */
function isConfirmed(delivery: Delivery): boolean {
  return isAccepted(delivery) && delivery.tookMs !== null && delivery.tookMs < ANSWER_MAX_MS;
}

function* checkGenuine(endpoint: EndpointRow, events: readonly EventRow[], tries: readonly Delivery[]): Generator<Violation> {
  const bodies = new Map(events.map(({ eventId, body }) => [eventId, body]));
  for (const { eventId, body, objection, merchantId } of tries) {
    const written = bodies.get(eventId);
    if (objection !== null) yield violation('event_not_genuine', `${eventId} came with ${objection}`);
    else if (merchantId !== endpoint.merchantId || written === undefined) {
      yield violation('event_misdirected', `${eventId} came to merchant ${merchantId}, to which it does not belong`);
    } else if (written !== body) {
      yield violation('event_altered', `${eventId} came as ${body}, and is written as ${written}`);
    }
  }
}

/** Events of one payment are accepted in order; one that was accepted before may come again. */
function* checkSequence(events: readonly EventRow[], tries: readonly Delivery[], fileOf: FileOf): Generator<Violation> {
  const eventOf = new Map(events.map((event) => [event.eventId, event]));
  const reached = new Map<string, number>();
  const accepted = new Set<string>();
  for (const delivery of tries) {
    const { eventId } = delivery;
    const event = eventOf.get(eventId);
    if (event === undefined || event.paymentId === null || !isAccepted(delivery) || accepted.has(eventId)) continue;
    accepted.add(eventId);
    const { type, position, paymentId } = event;
    const before = reached.get(paymentId) ?? 0;
    if (position < before) {
      const what = `${type}, the change to version ${position}, came after that to version ${before}`;
      yield violation('event_out_of_order', what, fileOf.get(paymentId));
    }
    reached.set(paymentId, Math.max(before, position));
  }
}
