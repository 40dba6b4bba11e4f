import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '@switchyard/db';
import type { Mode } from '@switchyard/db/client';
import { TEST_EVENT_TYPE } from './announce-event.ts';
import { readEventBody } from './packed-event.ts';

export interface WatchedEvent {
  readonly id: string;
  readonly type: string;
  /** The event record, byte for byte as webhook endpoints receive it. */
  readonly body: string;
}

/** The merchant and mode of the events, and from where on. */
export interface WatchEventsQuery {
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

interface EventRow extends WatchedEvent {
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
): Promise<EventRow[]> {
  const rows = await database.prisma.merchantEvent.findMany({
    where: { merchantId, mode, createdAt: { gte: from }, type: { not: TEST_EVENT_TYPE }, id: { notIn: [...seen] } },
    // Events of one payment that two processes write within a millisecond have ids in any order.
    orderBy: [{ createdAt: 'asc' }, { position: 'asc' }, { id: 'asc' }],
    take: BATCH_MAX,
    select: { id: true, type: true, paymentId: true, packedBody: true, createdAt: true },
  });
  return rows.map((row) => ({ id: row.id, type: row.type, body: readEventBody(row), createdAt: row.createdAt }));
}
