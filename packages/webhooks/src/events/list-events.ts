import type { Database } from '@switchyard/db';
import { type Mode, Prisma } from '@switchyard/db/client';
import { isCreatedWithin, isOneOf, selectTimePage, type TimeKey } from '@switchyard/db/lists';
import type { MerchantEventType } from './announce-event.ts';
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
