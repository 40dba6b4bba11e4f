import { createHash, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Readiness } from './health/readiness.ts';
import type { Metrics } from './metrics/open-metrics.ts';

/** Answers what operates a process. */
export interface Operations {
  readonly readiness: Readiness;
  readonly metrics: Metrics | null;
  /** Required of scrapes as a bearer token; null for none. */
  readonly token: string | null;
}

/** Where an answer to an operations path goes. */
type Answering = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** Paths of liveness and readiness, which a public port may answer as well. */
export function isHealthPath(path: string): boolean {
  return path === '/livez' || path === '/readyz';
}

/** Answers `/livez` and `/readyz`: 200 or 503 with the reasons in JSON. */
export function answerHealth({ readiness }: Pick<Operations, 'readiness'>): Answering {
  return async (request, response) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      write(request, response, 405, 'application/json', '', { allow: 'GET, HEAD' });
      return;
    }
    if (pathOf(request) === '/livez') {
      write(request, response, 200, 'application/json', JSON.stringify({ status: 'live' }));
      return;
    }
    const report = await readiness.report();
    write(request, response, report.status === 'ready' ? 200 : 503, 'application/json', JSON.stringify(report));
  };
}

/** Answers `/metrics` in OpenMetrics to those who know the token. */
function answerMetrics({ metrics, token }: Pick<Operations, 'metrics' | 'token'>): Answering {
  return async (request, response) => {
    if (metrics === null) {
      await answerNotFound(request, response);
    } else if (token !== null && !isBearer(request, token)) {
      write(request, response, 401, 'text/plain', 'A token is required\n', { 'www-authenticate': 'Bearer' });
    } else {
      write(request, response, 200, metrics.registry.contentType, await metrics.registry.metrics());
    }
  };
}

/** A server for `/metrics`, `/livez` and `/readyz` on a port of its own. Resolves when it listens. */
export async function serveOperations(operations: Operations, at: { port: number; hostname: string }): Promise<Server> {
  const health = answerHealth(operations);
  const metrics = answerMetrics(operations);
  const server = createServer({ headersTimeout: 10_000, requestTimeout: 15_000 }, (request, response) => {
    const path = pathOf(request);
    const answer = isHealthPath(path) ? health : path === '/metrics' ? metrics : answerNotFound;
    answer(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((listening, failed) => {
    server.once('error', failed);
    server.listen(at.port, at.hostname, listening);
  });
  return server;
}

/** Answers 404: what is not for the port it was asked at. */
export const answerNotFound: Answering = async (request, response) => write(request, response, 404, 'text/plain', 'Not found\n');

function pathOf({ url = '/' }: IncomingMessage): string {
  return url.split('?', 1)[0] ?? '/';
}

function write(
  { method }: IncomingMessage,
  response: ServerResponse,
  status: number,
  type: string,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, {
    'content-type': type,
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
    ...headers,
  });
  response.end(method === 'HEAD' ? undefined : body);
}

/** Compares digests, which have one length whatever was sent. */
function isBearer({ headers }: IncomingMessage, token: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(headers.authorization ?? ''), digest(`Bearer ${token}`));
}
