import { AsyncResource } from 'node:async_hooks';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { countOperationsUnderWay } from '@switchyard/gateways';
import { answerHealth, answerNotFound, isHealthPath, type RunningOperations } from '@switchyard/telemetry';
import { shedCompat } from '../compat/shed-compat.ts';
import { type Importance, requestKind } from '../http/request-kinds.ts';
import type { RequestWatch } from '../http/watch-requests.ts';
import { envelope, failures } from '../rest/envelope.ts';
import { QUEUED_CLASSES, type QueuedClass, type RequestQueue } from './request-queue.ts';
import type { Shedder } from './shed-load.ts';

/** Parts of the process that a server consults before any handler. */
export interface FirstAnswerOptions {
  readonly operations: RunningOperations;
  readonly watch: RequestWatch;
  readonly shedder: Shedder;
  /** Null where no requests are queued. */
  readonly queue: RequestQueue | null;
}

const SHED_RETRY_AFTER_S = '2';

/**
 * Watches each request, and answers some before any handler is asked: health, 404 for metrics, which have a port of their own, and 503
 * for what is shed. Calls `serve` for all others, at once or when it is their turn.
 */
export function createFirstAnswer({
  operations,
  watch,
  shedder,
  queue,
}: FirstAnswerOptions): (request: IncomingMessage, response: ServerResponse, serve: () => void) => void {
  const health = answerHealth(operations);
  return (request, response, serve) => {
    watch.begin(request, response);
    const path = request.url?.split('?', 1)[0] ?? '/';
    const { importance } = requestKind(request.method ?? 'GET', path);
    if (importance === null) {
      const isMetrics = path === '/metrics';
      if (!isMetrics && !isHealthPath(path)) serve();
      else (isMetrics ? answerNotFound : health)(request, response).catch(() => response.destroy());
      return;
    }
    const refuse = () => {
      operations.metrics?.http?.shed(importance);
      shed(path, response);
    };
    const all = watch.inFlight;
    const queuedClass = queue === null ? undefined : queuedClassOf(request, importance);
    // Requests that take turns are limited only in how long they wait, and in the memory that all requests need.
    const elsewhere = queuedClass === undefined ? countOperationsUnderWay() + (queue?.waiting ?? 0) : all;
    if (!shedder.admits(importance, { all, atGateways: elsewhere })) refuse();
    else if (queue === null || queuedClass === undefined) serve();
    else {
      // The turn comes while another request is worked on.
      const leave = queue.enter(queuedClass, AsyncResource.bind(serve), refuse);
      response.once('prefinish', leave);
      response.once('close', leave);
    }
  };
}

/** Reads are queued. What has a body does not: a slow client would keep others waiting. Neither does a stream of events, which never ends. */
function queuedClassOf({ method, headers }: IncomingMessage, importance: Importance): QueuedClass | undefined {
  if (method !== 'GET' && method !== 'HEAD') return undefined;
  if (headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined) return undefined;
  if (headers.accept?.includes('text/event-stream')) return undefined;
  return QUEUED_CLASSES.find((known) => known === importance);
}

/** REST answers in its envelope, dialects of gateways in theirs; all others read the message. */
function shed(path: string, response: ServerResponse): void {
  const message = 'Too much to do at the moment; try again shortly';
  const body = path.startsWith('/v1')
    ? envelope(failures.unavailable()).body
    : (shedCompat(path)?.body ?? JSON.stringify({ message }));
  response.writeHead(503, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
    'retry-after': SHED_RETRY_AFTER_S,
  });
  response.end(body);
}
