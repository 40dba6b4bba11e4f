import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerOptions,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import type { Duplex } from 'node:stream';
import { newId } from '@switchyard/db';
import { requestIdOf } from '../http/request-id.ts';
import { SERVER_LIMITS } from '../http/server-limits.ts';

/** Statuses that the HTTP server itself answers, before there is a request for a handler, and why. */
const REASONS = {
  400: 'the request is not valid HTTP/1.1',
  408: 'the request did not arrive in time',
  413: 'an extension of a chunk is too long',
  414: 'the request target is too long',
  417: 'Expect must be 100-continue',
  431: 'the headers are too long',
} as const;

type ProtocolStatus = keyof typeof REASONS;

/**
 * An HTTP server with the limits of {@link SERVER_LIMITS}, unless others are given, that answers what is not HTTP as everything else: in
 * the failure envelope, with a request id. A client that closes its sending side after the request gets its answer, and a target in
 * absolute form (RFC 9112 section 3.2.2) is served as its path.
 */
export function createHttpServer(serve: RequestListener, limits: ServerOptions = SERVER_LIMITS): Server {
  const server = createServer({ ...limits, requireHostHeader: false }, (request, response) => {
    request.url = pathOf(request.url ?? '/');
    // RFC 9112 section 3.2. Node's own answer has no body.
    if (request.headers.host === undefined && request.httpVersion === '1.1') refuse(400, request, response);
    else serve(request, response);
  });
  // Without it Node drops the answer to a client that closes its sending side, as `nc -N` and some proxies do.
  Object.assign(server, { httpAllowHalfOpen: true });
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => refuse(417, request, response));
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    if (error.code === 'ECONNRESET' || !socket.writable || hasBegunToAnswer(socket)) {
      socket.destroy();
      return;
    }
    const status = statusOf(error);
    const { body, headers } = answerOf(status, newId());
    const lines = Object.entries({ ...headers, date: new Date().toUTCString() });
    const head = [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines.map(([name, value]) => `${name}: ${value}`)];
    socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy());
  });
  return server;
}

function refuse(status: ProtocolStatus, request: IncomingMessage, response: ServerResponse): void {
  const { body, headers } = answerOf(status, requestIdOf(request.headers['x-request-id'], newId));
  response.writeHead(status, headers).end(body);
}

/** The path and query of a request target. */
function pathOf(target: string): string {
  if (!/^https?:\/\//i.test(target) || !URL.canParse(target)) return target;
  return target.replace(/^https?:\/\/[^/?#]*/i, '').replace(/^(?!\/)/, '/');
}

function statusOf(error: NodeJS.ErrnoException): ProtocolStatus {
  switch (error.code) {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return 408;
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return 413;
    case 'HPE_HEADER_OVERFLOW':
      return isWithinTarget(error) ? 414 : 431;
    default:
      return 400;
  }
}

/** True if what was sent has no end of its first line. */
function isWithinTarget(error: object): boolean {
  const sent: unknown = 'rawPacket' in error ? error.rawPacket : null;
  return Buffer.isBuffer(sent) && /^[A-Z]+ /.test(sent.toString('latin1', 0, 20)) && !sent.includes('\r\n');
}

/** True if a part of a response was sent: what follows would be read as the rest of it. */
function hasBegunToAnswer(socket: Duplex): boolean {
  const response: unknown = Reflect.get(socket, '_httpMessage');
  return typeof response === 'object' && response !== null && Reflect.get(response, 'headersSent') === true;
}

function answerOf(statusCode: ProtocolStatus, requestId: string) {
  const reason = REASONS[statusCode];
  const data = { errors: [reason], details: [{ field: 'request', code: 'invalid_format' }] };
  const body = JSON.stringify({
    success: false,
    statusCode,
    message: STATUS_CODES[statusCode] ?? 'Bad Request',
    code: 'bad_request',
    data,
  });
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    'cache-control': 'no-store',
    'x-request-id': requestId,
    connection: 'close',
  };
  return { body, headers };
}
