import type { IncomingMessage, ServerResponse } from 'node:http';
import { countOperationsUnderWay } from '@switchyard/gateways';
import { answerHealth, answerNotFound, isHealthPath, type RunningOperations } from '@switchyard/telemetry';
import { shedCompat } from '../compat/serve-compat.ts';
import { envelope, failures } from '../rest/envelope.ts';
import { requestKind } from './request-kinds.ts';
import type { Shedder } from './shed-load.ts';
import type { RequestWatch } from './watch-requests.ts';

/** What a server consults before any handler. */
export interface FirstAnswerOptions {
  readonly operations: RunningOperations;
  readonly watch: RequestWatch;
  readonly shedder: Shedder;
}

const SHED_RETRY_AFTER_S = '2';

/**
 * Watches each request, and answers some before any handler is asked: health, 404 for metrics, which have a port of their own, and 503
 * for what is shed. Returns whether it answered.
 */
export function createFirstAnswer({
  operations,
  watch,
  shedder,
}: FirstAnswerOptions): (request: IncomingMessage, response: ServerResponse) => boolean {
  const health = answerHealth(operations);
  return (request, response) => {
    watch.begin(request, response);
    const path = request.url?.split('?', 1)[0] ?? '/';
    const { importance } = requestKind(request.method ?? 'GET', path);
    if (importance === null) {
      const isMetrics = path === '/metrics';
      if (!isMetrics && !isHealthPath(path)) return false;
      (isMetrics ? answerNotFound : health)(request, response).catch(() => response.destroy());
      return true;
    }
    if (shedder.admits(importance, { all: watch.inFlight, atGateways: countOperationsUnderWay() })) return false;
    operations.metrics?.http?.shed(importance);
    shed(path, response);
    return true;
  };
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
