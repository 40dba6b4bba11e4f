import { isUuid } from '@switchyard/db';
import { isKeyUsable } from '@switchyard/merchants/api-keys';
import { findSeenEvent, listEvents, type SeenEvent, type WatchedEvent, watchEvents } from '@switchyard/webhooks/events/list';
import type { Switchyard } from '../process.ts';
import type { Call, Endpoint } from './endpoint.ts';
import { failures, writeSuccess } from './envelope.ts';
import { eventListQuery, pageCursor, readListQuery } from './list-queries.ts';

/** `GET /v1/events` */
export const getEvents: Endpoint = {
  method: 'GET',
  scope: 'events:read',
  async serve({ resources }, { caller, request }) {
    const read = readListQuery(request, eventListQuery);
    if ('errors' in read) return failures.badRequest(read.errors);
    const { type: types, cursor, ...query } = read.value;
    const { merchant } = caller.configuration;
    const of = { merchantId: merchant.id, mode: caller.mode };
    const { bodies, next } = await listEvents(resources.database, { ...query, ...of, types, after: cursor ?? null });
    const nextCursor = JSON.stringify(next === null ? null : pageCursor(next));
    const data = `{"events":[${bodies.join(',')}],"nextCursor":${nextCursor}}`;
    return { kind: 'written', statusCode: 200, body: writeSuccess('Events retrieved', data) };
  },
};

/** Most streams of one key in one process. */
const STREAMS_MAX = 5;
const RETRY_AFTER_S = 5;
/** Proxies close what is silent for longer. */
const HEARTBEAT_MS = 15_000;
/** When a client that was cut off comes back. */
const RECONNECT_MS = 2_000;

const NOT_A_STREAM = { field: 'Accept', code: 'invalid_value', rule: 'must be text/event-stream' } as const;
const UNKNOWN_EVENT = {
  field: 'Last-Event-ID',
  code: 'invalid_value',
  rule: 'must be the id of an event of this merchant and mode that is still kept; without it the stream begins now, and GET /v1/events lists what was missed',
} as const;

/** A body for a request that asks for the headers alone. */
const NOTHING: AsyncIterable<string> = { async *[Symbol.asyncIterator]() {} };

const streamsOfKeys = new Map<string, number>();

/** `GET /v1/events/stream` */
export const streamEvents: Endpoint = {
  method: 'GET',
  scope: 'events:read',
  async serve(switchyard, call) {
    const { headers, signal = new AbortController().signal } = call.request;
    // By this header a stopping process knows streams, which it does not wait for.
    if (!headers.accept?.includes('text/event-stream')) return failures.badRequest([NOT_A_STREAM]);
    const id = headers['last-event-id'] ?? null;
    const after = id !== null && isUuid(id) ? await findSeenEvent(switchyard.resources.database, { ...of(call), id }) : null;
    // To begin now instead would silently leave out what happened since.
    if (id !== null && after === null) return failures.badRequest([UNKNOWN_EVENT]);
    if (call.request.method === 'HEAD') return { kind: 'stream', stream: NOTHING };
    const leave = signal.aborted ? null : enter(call.key.id);
    if (leave === null) return failures.tooManyRequests(RETRY_AFTER_S);
    // The earlier of two ends: the client leaves, perhaps before anything is read of the stream, or the stream ends.
    signal.addEventListener('abort', leave, { once: true });
    return { kind: 'stream', stream: writeEvents(switchyard, call, after, signal, leave) };
  },
};

/** The merchant and mode whose events a call may watch. */
function of({ caller: { configuration, mode } }: Call) {
  return { merchantId: configuration.merchant.id, mode };
}

/** Counts a stream of a key until the function it returns is called; null when the key has as many as it may. */
function enter(keyId: string): (() => void) | null {
  const open = streamsOfKeys.get(keyId) ?? 0;
  if (open >= STREAMS_MAX) return null;
  streamsOfKeys.set(keyId, open + 1);
  let isOpen = true;
  return () => {
    if (!isOpen) return;
    isOpen = false;
    const left = (streamsOfKeys.get(keyId) ?? 1) - 1;
    if (left > 0) streamsOfKeys.set(keyId, left);
    else streamsOfKeys.delete(keyId);
  };
}

async function* writeEvents(
  switchyard: Switchyard,
  call: Call,
  after: SeenEvent | null,
  signal: AbortSignal,
  leave: () => void,
): AsyncGenerator<string, void, void> {
  const query = { ...of(call), after };
  // Before the client learns that the stream stands: nothing after that may be missed.
  const startedAt = switchyard.now();
  try {
    yield `retry: ${RECONNECT_MS}\n\n`;
    let writtenAt = performance.now();
    for await (const events of watchEvents(switchyard.resources.database, query, startedAt, signal)) {
      if (!(await isKeyUsable(switchyard, call.key.publicId))) return;
      const isSilent = performance.now() - writtenAt >= HEARTBEAT_MS;
      const text = events.map(writeEvent).join('') || (isSilent ? ': nothing new\n\n' : '');
      if (text === '') continue;
      writtenAt = performance.now();
      yield text;
    }
  } finally {
    leave();
  }
}

/** Bodies are JSON without line breaks, so that each is one line of data. */
function writeEvent({ id, type, body }: WatchedEvent): string {
  return `id: ${id}\nevent: ${type}\ndata: ${body}\n\n`;
}
