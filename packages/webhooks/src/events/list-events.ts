import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '@switchyard/db';
import { type Mode, Prisma } from '@switchyard/db/client';
import { isCreatedWithin, isOneOf, selectTimePage, type TimeKey } from '@switchyard/db/lists';
import { type MerchantEventType, TEST_EVENT_TYPE } from './announce-event.ts';
import { readEventBody, type StoredEvent } from './packed-event.ts';

/** Filter and page of a merchant's events. Empty lists and null match any. */
export interface EventsQuery {
  readonly merchantId: string;
  readonly mode: Mode;
  readonly types: readonly MerchantEventType[];
  readonly paymentId: string | null;
  /** Inclusive. */
  readonly createdFrom: Date | null;
  /** Exclusive. */
  readonly createdTo: Date | null;
  /** The last event of the page before. */
  readonly after: TimeKey | null;
  /** At least 1. */
  readonly limit: number;
}

/** A page of events, newest first. */
export interface EventPage {
  /** The event records, each byte for byte as webhook endpoints receive it. */
  readonly bodies: readonly string[];
  /** Where the next page begins; null on the last. */
  readonly next: TimeKey | null;
}

/**
 * That an event is about these payments. It has the id of the timeline event of the same change, by which it is found: an index by the payment
 * would be written for every event.
 */
export function isOfPayments(merchantId: string, paymentIds: readonly string[]): Prisma.Sql {
  return Prisma.sql`p.payment_id = ANY (${paymentIds}::uuid[]) AND p.id = ANY (ARRAY(
    SELECT id FROM timeline_event WHERE merchant_id = ${merchantId}::uuid AND payment_id = ANY (${paymentIds}::uuid[])))`;
}

interface EventRow extends StoredEvent {
  readonly createdAt: Date;
}

/** Events about payments of a merchant, whether or not an endpoint received them; events that test an endpoint are left out. */
export async function listEvents(database: Database, query: EventsQuery): Promise<EventPage> {
  const { merchantId, mode, types, paymentId, after, limit } = query;
  const conditions = [
    Prisma.sql`p.mode = ${mode}::mode`,
    ...isCreatedWithin(query),
    ...isOneOf('p.type', types, 'text'),
    paymentId === null ? Prisma.sql`p.payment_id IS NOT NULL` : isOfPayments(merchantId, [paymentId]),
  ];
  const list = { table: 'merchant_event', merchantIds: [merchantId], conditions, by: 'merchant' } as const;
  // One more than requested shows whether another page exists.
  const page = selectTimePage(list, { after, before: null, newestFirst: true, limit: limit + 1 });
  const rows = await database.prisma.$queryRaw<EventRow[]>`
    WITH page AS MATERIALIZED (${page})
    SELECT event.id, event.payment_id AS "paymentId", event.packed_body AS "packedBody", event.created_at AS "createdAt"
    FROM page JOIN merchant_event AS event ON event.merchant_id = page.merchant_id AND event.id = page.id
    ORDER BY event.created_at DESC, event.id DESC`;
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  const next = rows.length > limit && last !== undefined ? { createdAt: last.createdAt, id: last.id } : null;
  return { bodies: items.map(readEventBody), next };
}

export interface WatchedEvent {
  readonly id: string;
  readonly type: string;
  /** The event record, byte for byte as webhook endpoints receive it. */
  readonly body: string;
}

/** The merchant and mode of the events, and from where on. */
interface WatchEventsQuery {
  readonly merchantId: string;
  readonly mode: Mode;
  /** The last event that was seen, as {@link findSeenEvent} finds it; null begins now. */
  readonly after: SeenEvent | null;
}

/** An event that a client has seen. */
export interface SeenEvent {
  readonly id: string;
  readonly createdAt: Date;
}

interface WatchedRow extends WatchedEvent {
  readonly createdAt: Date;
}

const POLL_MS = 1_000;
const BATCH_MAX = 100;
/** Longest time from the moment that an event carries to the commit that makes it visible. */
const COMMIT_DELAY_MS = 10_000;

/**
 * Yields the events of a merchant as they are recorded, oldest first, until `signal` is aborted: a batch for every look, which is empty
 * when nothing happened. What comes again after `after` may include events of the ten seconds before it, because events become
 * visible out of order. Events that test an endpoint are left out.
 */
export async function* watchEvents(
  database: Database,
  query: WatchEventsQuery,
  now: Date,
  signal: AbortSignal,
  pollMs = POLL_MS,
): AsyncGenerator<readonly WatchedEvent[], void, void> {
  const { after } = query;
  let from = after === null ? now : new Date(after.createdAt.getTime() - COMMIT_DELAY_MS);
  const seen = new Map<string, Date>(after === null ? [] : [[after.id, after.createdAt]]);
  while (!signal.aborted) {
    const events = await readEventsFrom(database, query, from, [...seen.keys()]);
    for (const { id, createdAt } of events) seen.set(id, createdAt);
    yield events;
    const last = events.at(-1);
    if (last !== undefined) {
      from = new Date(Math.max(from.getTime(), last.createdAt.getTime() - COMMIT_DELAY_MS));
      for (const [id, createdAt] of seen) if (createdAt < from) seen.delete(id);
    }
    // An abort is not an error: it ends the wait and the loop.
    if (events.length < BATCH_MAX) await pause(pollMs, undefined, { signal }).catch(() => undefined);
  }
}

/** Finds an event of a merchant's mode by its id; null when there is none, or it is no longer kept. */
export function findSeenEvent(
  database: Database,
  { merchantId, mode, id }: Pick<WatchEventsQuery, 'merchantId' | 'mode'> & { readonly id: string },
): Promise<SeenEvent | null> {
  return database.prisma.merchantEvent.findUnique({
    where: { merchantId_id: { merchantId, id }, mode },
    select: { id: true, createdAt: true },
  });
}

async function readEventsFrom(
  database: Database,
  { merchantId, mode }: WatchEventsQuery,
  from: Date,
  seen: readonly string[],
): Promise<WatchedRow[]> {
  const rows = await database.prisma.merchantEvent.findMany({
    where: { merchantId, mode, createdAt: { gte: from }, type: { not: TEST_EVENT_TYPE }, id: { notIn: [...seen] } },
    // Events of one payment that two processes write within a millisecond have ids in any order.
    orderBy: [{ createdAt: 'asc' }, { position: 'asc' }, { id: 'asc' }],
    take: BATCH_MAX,
    select: { id: true, type: true, paymentId: true, packedBody: true, createdAt: true },
  });
  return rows.map((row) => ({ id: row.id, type: row.type, body: readEventBody(row), createdAt: row.createdAt }));
}
