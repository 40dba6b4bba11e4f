import type { IncomingMessage, ServerResponse } from 'node:http';
import { newId, type WorkSubject } from '@switchyard/db';
import type { Mode } from '@switchyard/db/client';
import type { FinishedRequest, RequestLog } from '@switchyard/merchants/request-log';
import { type AnsweredRequest, traceOf } from '@switchyard/telemetry';
import type { Logger } from 'pino';
import { requestIdOf } from './request-id.ts';
import { type RequestKind, requestKind } from './request-kinds.ts';

/** Facts that handlers learn of a request, for its log line and all others that are written meanwhile. */
export interface RequestFacts extends WorkSubject {
  /** The API key that authenticated it. */
  key?: { readonly id: string; readonly mode: Mode };
  /** The bodies of one that was refused. */
  refused?: FinishedRequest['refused'];
}

/** Watches the requests of a server: the id, the log line and the metrics of each, and how many are in flight. */
export interface RequestWatch {
  /** Begins watching a request, before it is answered. */
  begin(request: IncomingMessage, response: ServerResponse): void;
  /** Requests in flight, without event streams. */
  readonly inFlight: number;
  /** Requests so far that were answered with anything but 503, without those of load balancers and monitoring. */
  readonly ended: number;
  /** Lets every answer from now on end its connection, and ends event streams, which browsers open again elsewhere. */
  drain(): void;
}

/** Receivers of what the watch finds. `answered` is called for each request but those of load balancers and monitoring. */
export interface RequestWatchOptions {
  readonly log: Logger;
  readonly answered: ((request: AnsweredRequest) => void) | null;
  /** Keeps requests with an API key; null to keep none. */
  readonly keep: RequestLog['record'] | null;
}

const FACTS = new WeakMap<IncomingMessage, RequestFacts>();

/** The facts of a watched request; undefined for one that no server watches. */
export function factsOf(request: IncomingMessage): RequestFacts | undefined {
  return FACTS.get(request);
}

/** Opens a watch for one server. */
export function watchRequests({ log, answered, keep }: RequestWatchOptions): RequestWatch {
  const open = new Set<ServerResponse>();
  let streams = 0;
  let ended = 0;
  let draining = false;

  function begin(request: IncomingMessage, response: ServerResponse): void {
    const startedAt = performance.now();
    const { method = 'GET', url = '/' } = request;
    const questionMark = url.indexOf('?');
    const path = questionMark === -1 ? url : url.slice(0, questionMark);
    const kind = requestKind(method, path);
    const requestId = requestIdOf(request.headers['x-request-id'], newId);
    // Handlers, and the process that reports are forwarded to, read it from here.
    request.headers['x-request-id'] = requestId;
    response.setHeader('x-request-id', requestId);
    if (draining) response.setHeader('connection', 'close');
    const facts: RequestFacts = {};
    FACTS.set(request, facts);
    const trace = traceOf(request.headers.traceparent);
    const isStream = request.headers.accept?.includes('text/event-stream') === true;
    open.add(response);
    if (isStream) streams += 1;
    response.once('close', () => {
      open.delete(response);
      if (isStream) streams -= 1;
      const status = response.writableFinished ? response.statusCode : null;
      if (status !== 503 && kind.importance !== null) ended += 1;
      const seconds = (performance.now() - startedAt) / 1_000;
      if (!isStream && kind.importance !== null) answered?.({ method, route: kind.route, status, seconds });
      const { key, merchantId, paymentId = null, refused = null } = facts;
      if (keep !== null && key !== undefined && merchantId !== undefined) {
        // A stream that its client ends was answered all the same.
        const sent = response.headersSent ? response.statusCode : null;
        const durationMs = Math.round(seconds * 1_000);
        keep({
          merchantId,
          mode: key.mode,
          keyId: key.id,
          requestId,
          method,
          path,
          status: sent,
          durationMs,
          paymentId,
          refused,
        });
      }
      write(log, kind, { method, status, seconds, requestId, facts, trace });
    });
  }

  return {
    begin,
    get inFlight() {
      return open.size - streams;
    },
    get ended() {
      return ended;
    },
    drain() {
      draining = true;
      for (const response of open) {
        if (!response.headersSent) response.setHeader('connection', 'close');
        else if (isEventStream(response)) response.end();
      }
    },
  };
}

interface Ended {
  readonly method: string;
  readonly status: number | null;
  readonly seconds: number;
  readonly requestId: string;
  readonly facts: RequestFacts;
  readonly trace: ReturnType<typeof traceOf>;
}

/**
 * One line for each request, its fields named as OpenTelemetry's semantic conventions name them. Paths, queries, headers and bodies
 * are never part of it: the route is a template.
 */
function write(log: Logger, kind: RequestKind, { method, status, seconds, requestId, facts, trace }: Ended): void {
  const level = kind.importance === null ? 'debug' : status === 500 ? 'error' : 'info';
  if (!log.isLevelEnabled(level)) return;
  log[level](
    {
      'http.request.method': method,
      'http.route': kind.route,
      'http.response.status_code': status ?? undefined,
      'http.server.request.duration': Math.round(seconds * 1e6) / 1e6,
      request_id: requestId,
      trace_id: trace?.traceId,
      span_id: trace?.spanId,
      'switchyard.merchant_id': facts.merchantId,
      'switchyard.payment_id': facts.paymentId,
    },
    status === null ? 'client left' : 'request',
  );
}

function isEventStream(response: ServerResponse): boolean {
  return String(response.getHeader('content-type') ?? '').startsWith('text/event-stream');
}
