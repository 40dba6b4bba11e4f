import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { withWorkSubject } from '@switchyard/db';
import type { Switchyard } from '../process.ts';
import { bodyMaxBytes } from './body-limit.ts';
import { compress } from './compress.ts';
import type { PlainBody } from './plain.ts';
import { findHandler } from './site.ts';
import { factsOf } from './watch-requests.ts';

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
    // Of a request over the rate limit nothing was read.
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
