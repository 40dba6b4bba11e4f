import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { withWorkSubject } from '@switchyard/db';
import { RULE_SET_FILE_SCHEMA_PATH } from '@switchyard/rule-sets/files';
import { serveCompat } from '../compat/serve-compat.ts';
import { compress } from '../http/bodies.ts';
import { bodyMaxBytes, type PlainBody, type PlainHandler } from '../http/plain.ts';
import { SCIM_PATH } from '../http/request-kinds.ts';
import { factsOf } from '../http/watch-requests.ts';
import type { Switchyard } from '../process.ts';
import { serveOpenApi } from '../rest/openapi.ts';
import { serveCheckoutReturn, serveGatewayWebhook, serveHealth, serveRuleSetSchema } from '../rest/public-paths.ts';
import { serveV1 } from '../rest/v1.ts';
import { serveScim } from '../scim/serve-scim.ts';

/**
 * Serves a request from Node's HTTP server when its path is ours; returns false and leaves it untouched otherwise.
 */
export function serveNodeRequest(switchyard: Switchyard, request: IncomingMessage, response: ServerResponse): boolean {
  const url = request.url ?? '/';
  const questionMark = url.indexOf('?');
  const path = questionMark === -1 ? url : url.slice(0, questionMark);
  const handler = findHandler(path);
  if (handler === null) return false;
  const query = questionMark === -1 ? '' : url.slice(questionMark + 1);
  const gone = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) gone.abort();
  });
  withWorkSubject(factsOf(request) ?? {}, serve).catch((error: unknown) => {
    switchyard.log.error({ error }, 'a request failed');
    response.destroy();
  });
  return true;

  async function serve(): Promise<void> {
    const body = await readBody(request, bodyMaxBytes(path));
    const method = request.method ?? 'GET';
    const { signal } = gone;
    const facts = factsOf(request);
    const answer = await handler?.(switchyard, {
      method,
      path,
      query,
      headers: flatten(request),
      body,
      signal,
      ...(facts && { facts }),
    });
    if (answer === undefined) return;
    // Nothing of a request over the rate limit was read.
    if (facts?.key !== undefined && answer.status >= 400 && answer.status !== 429) {
      facts.refused = { request: body.kind === 'bytes' ? body.bytes : new Uint8Array(), response: answer.body };
    }
    if (answer.stream !== undefined) {
      // A server that drains ends the response; then nothing aborts the request but this.
      response.once('close', () => gone.abort());
      response.writeHead(answer.status, answer.headers);
      // A client that leaves is the usual end.
      await pipeline(Readable.from(answer.stream), response).catch(() => undefined);
      return;
    }
    const sent = await compress(answer, request.headers['accept-encoding']?.toString());
    if (response.destroyed) return;
    // The rest of an oversized body is not read, so the connection cannot be reused.
    const close = body.kind === 'too_large' ? { connection: 'close' } : undefined;
    response.writeHead(answer.status, { ...sent.headers, 'content-length': Buffer.byteLength(sent.body), ...close });
    response.end(method === 'HEAD' ? undefined : sent.body);
  }
}

function readBody(request: IncomingMessage, maxBytes: number): Promise<PlainBody> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    request.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length > maxBytes) {
        request.pause();
        resolve({ kind: 'too_large' });
        return;
      }
      chunks.push(chunk);
    });
    request.on('end', () =>
      resolve({ kind: 'bytes', bytes: chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks) }),
    );
    request.on('error', reject);
    request.on('close', () => {
      if (!request.readableEnded) reject(new Error('the client went away'));
    });
  });
}

function flatten(request: IncomingMessage): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(request.headers)) {
    if (value !== undefined) headers[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  return headers;
}

/** The handler of a path served from Node's HTTP server; null for paths of Next. */
function findHandler(path: string): PlainHandler | null {
  if (path === '/v1/openapi.json') return serveOpenApi;
  if (path === '/v1' || path.startsWith('/v1/')) return serveV1;
  // The dashboard's page of one endpoint shares the prefix of gateway webhooks; no gateway has that name.
  if (path.startsWith('/webhooks/') && !path.startsWith('/webhooks/endpoints/')) return serveGatewayWebhook;
  if (path.startsWith('/compat/')) return serveCompat;
  if (path === SCIM_PATH || path.startsWith(`${SCIM_PATH}/`)) return serveScim;
  if (path === '/api/health') return serveHealth;
  if (path === RULE_SET_FILE_SCHEMA_PATH) return serveRuleSetSchema;
  if (path.startsWith('/checkout/') && path.endsWith('/return')) return serveCheckoutReturn;
  return null;
}
