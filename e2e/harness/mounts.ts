import { Agent, type IncomingMessage, request as sendByHttp } from 'node:http';
import { type PlainHandler, toWebHandler } from '@switchyard/api/http';
import type { Switchyard } from '@switchyard/api/process';
import { serveCheckoutReturn, serveCompat, serveGatewayWebhook, serveHealth, serveOpenApi, serveV1 } from '@switchyard/api/rest';

/** The two ways into the handlers: Node's own HTTP server, and web standards as Next's route handlers use them. */
export const BOTH_MOUNTS = ['node', 'web'] as const;
export type Mount = (typeof BOTH_MOUNTS)[number];

/**
 * The ways that a suite of one use case goes: Node's alone with every change, since the two share all but their adapter, which suites that
 * use {@link BOTH_MOUNTS} try; both at night.
 */
export const MOUNTS: readonly Mount[] = process.env.EVERY_CASE === undefined ? ['node'] : BOTH_MOUNTS;

export interface TestRequest {
  /** Secret API key; none when left out. */
  readonly key?: string;
  /** Sent as they are; `content-type` is JSON when there is a body and none is named. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Text and bytes go out as they are, anything else as JSON. */
  readonly body?: unknown;
}

export interface HttpAnswer {
  readonly status: number;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

export interface Outgoing {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | null;
}

export function outgoing(publicUrl: string, method: string, path: string, request: TestRequest): Outgoing {
  const body = request.body === undefined ? null : toBytes(request.body);
  return {
    method,
    url: publicUrl + path,
    headers: {
      ...(request.key !== undefined && { authorization: `Bearer ${request.key}` }),
      ...(body !== null && { 'content-type': 'application/json' }),
      ...request.headers,
    },
    body,
  };
}

function toBytes(body: unknown): Buffer {
  if (body instanceof Uint8Array) return Buffer.from(body);
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
}

const agent = new Agent({ keepAlive: true, maxSockets: 64 });

/** Over a socket, to Node's HTTP server. */
export function sendToNode({ method, url, headers, body }: Outgoing): Promise<HttpAnswer> {
  return new Promise((resolve, reject) => {
    const length = body === null ? {} : { 'content-length': String(body.length) };
    const outward = sendByHttp(url, { method, agent, headers: { ...headers, ...length } }, (answer) => {
      readAnswer(answer).then(resolve, reject);
    });
    outward.on('error', reject);
    outward.end(body ?? undefined);
  });
}

async function readAnswer(answer: IncomingMessage): Promise<HttpAnswer> {
  const chunks: Buffer[] = [];
  for await (const chunk of answer) chunks.push(Buffer.from(chunk));
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(answer.headers))
    headers[name] = Array.isArray(value) ? value.join(', ') : `${value}`;
  return { status: answer.statusCode ?? 0, headers, text: Buffer.concat(chunks).toString('utf8') };
}

/** The same handlers as functions of `Request` and `Response`, found the way the tree of route files finds them. */
export function webMount(switchyard: Switchyard): (outgoing: Outgoing) => Promise<HttpAnswer> {
  return async ({ method, url, headers, body }) => {
    const serve = toWebHandler(() => switchyard, routeFile(new URL(url).pathname));
    const answer = await serve(new Request(url, { method, headers, body: body === null ? null : new Uint8Array(body) }));
    return { status: answer.status, headers: Object.fromEntries(answer.headers), text: await answer.text() };
  };
}

function routeFile(path: string): PlainHandler {
  if (path === '/v1/openapi.json') return serveOpenApi;
  if (path.startsWith('/v1/')) return serveV1;
  if (path.startsWith('/compat/')) return serveCompat;
  if (path.startsWith('/webhooks/')) return serveGatewayWebhook;
  if (path.startsWith('/checkout/')) return serveCheckoutReturn;
  if (path === '/api/health') return serveHealth;
  throw new Error(`no route file serves ${path}`);
}
