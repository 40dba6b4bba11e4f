import type { Delivery, EndpointRow, EventRow, Observations } from './observations.ts';
import type { PaymentObservations } from './payment-observations.ts';
import { type Violation, violation } from './violation.ts';

/** Types of timeline events that are sent to merchants. */
const SENT_TYPES: readonly string[] = [
  'payment.succeeded',
  'payment.failed',
  'payment.refunded',
  'refund.succeeded',
  'refund.failed',
  'payment.requires_review',
  'payment.duplicate_charge',
];

/** Checks that each timeline event for merchants has its event row. */
export function checkEvents(file: PaymentObservations): Violation[] {
  const found: Violation[] = [];
  for (const entry of file.timeline) {
    if (!SENT_TYPES.includes(entry.type)) continue;
    const own = file.events.filter(({ eventId }) => eventId === entry.eventId);
    if (own.length !== 1) found.push(violation('event_missing', `${entry.type} ${entry.eventId} has ${own.length} events`, file));
    else if (own[0]?.type !== entry.type)
      found.push(violation('event_altered', `${entry.type} is sent as ${own[0]?.type}`, file));
  }
  for (const { eventId, type } of file.events) {
    const known = file.timeline.some((entry) => entry.eventId === eventId);
    if (!known) found.push(violation('event_altered', `${type} ${eventId} has no timeline event`, file));
  }
  return found;
}

/** Checks that every event arrived at every endpoint: unaltered, genuine, and in order. */
export function checkDeliveries(observations: Observations, files: readonly PaymentObservations[]): Violation[] {
  const fileOf = new Map(files.map((file) => [file.payment.paymentId, file]));
  const tries = Map.groupBy(observations.deliveries, ({ endpointId }) => endpointId);
  const rows = new Map(observations.deliveryRows.map((row) => [`${row.endpointId} ${row.eventId}`, row.state]));
  const found: Violation[] = [];
  for (const endpoint of observations.endpoints) {
    const events = observations.events.filter(({ merchantId }) => merchantId === endpoint.merchantId);
    const own = tries.get(endpoint.endpointId) ?? [];
    found.push(...checkArrivals(endpoint, events, own, rows, fileOf), ...checkGenuine(endpoint, events, own));
    found.push(...checkSequence(events, own, fileOf));
  }
  return found;
}

function checkArrivals(
  { endpointId, enabled }: EndpointRow,
  events: readonly EventRow[],
  tries: readonly Delivery[],
  rows: ReadonlyMap<string, string>,
  fileOf: ReadonlyMap<string, PaymentObservations>,
): Violation[] {
  const accepted = new Set(tries.filter(({ answered }) => answered === 200).map(({ eventId }) => eventId));
  return events.flatMap(({ eventId, type, paymentId }) => {
    const state = rows.get(`${endpointId} ${eventId}`) ?? 'nowhere';
    const arrived = accepted.has(eventId);
    if (arrived && state === 'DELIVERED') return [];
    const how = enabled ? '' : ', which was switched off';
    const what = `${type} ${eventId} ${arrived ? 'arrived' : 'never arrived'} at ${endpointId}${how}, and is recorded as ${state}`;
    return [violation('event_not_delivered', what, fileOf.get(paymentId ?? '') ?? null)];
  });
}

function checkGenuine(endpoint: EndpointRow, events: readonly EventRow[], tries: readonly Delivery[]): Violation[] {
  const bodies = new Map(events.map(({ eventId, body }) => [eventId, body]));
  return tries.flatMap(({ eventId, body, objection, merchantId }) => {
    if (objection !== null) return [violation('event_not_genuine', `${eventId} came with ${objection}`)];
    const written = bodies.get(eventId);
    if (merchantId !== endpoint.merchantId || written === undefined) {
      return [violation('event_misdirected', `${eventId} came to merchant ${merchantId}, to which it does not belong`)];
    }
    return written === body ? [] : [violation('event_altered', `${eventId} came as ${body}, and is written as ${written}`)];
  });
}

/** Events of one payment are accepted in order; one that was accepted before may come again. */
function checkSequence(
  events: readonly EventRow[],
  tries: readonly Delivery[],
  fileOf: ReadonlyMap<string, PaymentObservations>,
): Violation[] {
  const eventOf = new Map(events.map((event) => [event.eventId, event]));
  const reached = new Map<string, number>();
  const accepted = new Set<string>();
  const found: Violation[] = [];
  for (const { eventId, answered } of tries) {
    const event = eventOf.get(eventId);
    if (event === undefined || event.paymentId === null || answered !== 200 || accepted.has(eventId)) continue;
    accepted.add(eventId);
    const before = reached.get(event.paymentId) ?? 0;
    if (event.position < before) {
      const what = `${event.type}, the change to version ${event.position}, came after that to version ${before}`;
      found.push(violation('event_out_of_order', what, fileOf.get(event.paymentId) ?? null));
    }
    reached.set(event.paymentId, Math.max(before, event.position));
  }
  return found;
}
