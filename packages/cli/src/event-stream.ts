import { setTimeout as pause } from 'node:timers/promises';
import { SwitchyardApiError } from '@switchyard/client';
import { EventSourceParserStream } from 'eventsource-parser/stream';
import type { Credentials } from './credentials.ts';

/** An event as it was recorded, byte for byte. */
export interface StreamedEvent {
  readonly id: string;
  readonly type: string;
  readonly body: string;
}

export interface StreamOptions {
  readonly signal: AbortSignal;
  /** Called when the stream stands. */
  readonly onOpen: () => void;
  /** Called when it broke and is opened again. */
  readonly onBreak: () => void;
}

/** The server is heard every 15 seconds; a connection silent for longer than this is dead. */
const SILENT_MAX_MS = 45_000;
const RETRY_FIRST_MS = 500;
const RETRY_MAX_MS = 15_000;
const SEEN_MAX = 1_000;
const REFUSED: readonly number[] = [400, 401, 403, 404, 405];

/** Yields events as they are recorded, each once, and opens the stream again when it breaks. Throws when it is refused. */
export async function* streamEvents(credentials: Credentials, options: StreamOptions): AsyncGenerator<StreamedEvent, void, void> {
  const { signal } = options;
  const seen = new Set<string>();
  let lastId: string | null = null;
  let retryMs = RETRY_FIRST_MS;
  while (!signal.aborted) {
    try {
      for await (const event of readStream(credentials, lastId, options)) {
        retryMs = RETRY_FIRST_MS;
        lastId = event.id;
        // After a break the last seconds come again.
        if (seen.has(event.id)) continue;
        seen.add(event.id);
        for (const oldest of seen) {
          if (seen.size <= SEEN_MAX) break;
          seen.delete(oldest);
        }
        yield event;
      }
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof SwitchyardApiError && REFUSED.includes(error.statusCode)) throw error;
    }
    if (signal.aborted) return;
    options.onBreak();
    await pause(retryMs * (0.5 + Math.random() / 2), undefined, { signal }).catch(() => undefined);
    retryMs = Math.min(retryMs * 2, RETRY_MAX_MS);
  }
}

async function* readStream(
  { url, apiKey }: Credentials,
  lastId: string | null,
  { signal, onOpen }: StreamOptions,
): AsyncGenerator<StreamedEvent, void, void> {
  const silent = new AbortController();
  const timer = setTimeout(() => silent.abort(), SILENT_MAX_MS);
  try {
    const headers = new Headers({ accept: 'text/event-stream', authorization: `Bearer ${apiKey}` });
    if (lastId !== null) headers.set('last-event-id', lastId);
    const ended = AbortSignal.any([signal, silent.signal]);
    const response = await fetch(`${url}/v1/events/stream`, { headers, signal: ended, redirect: 'manual' });
    if (response.status !== 200 || response.body === null) throw await readRefusal(response);
    onOpen();
    const awake = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      transform(chunk, controller) {
        timer.refresh();
        controller.enqueue(chunk);
      },
    });
    const events = response.body
      .pipeThrough(awake)
      .pipeThrough(new TextDecoderStream())
      .pipeThrough(new EventSourceParserStream());
    for await (const { id = '', event = '', data } of events) yield { id, type: event, body: data };
  } finally {
    clearTimeout(timer);
    silent.abort();
  }
}

async function readRefusal(response: Response): Promise<SwitchyardApiError> {
  const { message, code, data } = readFailure(await response.text());
  const requestId = response.headers.get('x-request-id');
  return new SwitchyardApiError({
    statusCode: response.status,
    message: message ?? `Answered ${response.status}`,
    code: code ?? null,
    data: data ?? null,
    requestId,
    retryAfterS: null,
  });
}

/** A failure envelope; empty for what a proxy may have written instead. */
function readFailure(text: string): Partial<ConstructorParameters<typeof SwitchyardApiError>[0]> {
  try {
    return JSON.parse(text) ?? {};
  } catch {
    return {};
  }
}
