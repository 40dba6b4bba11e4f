import { newId } from '@switchyard/db';
import type { Switchyard } from '../process.ts';
import { readBody } from './bodies.ts';
import { bodyMaxBytes, type PlainHandler, type PlainRequest } from './plain.ts';
import { requestIdOf } from './request-id.ts';

export type { PlainHandler } from './plain.ts';

/** Mounts a handler as a web-standard function, as Next's route handlers are. Every answer names its request, as those of our server do. */
export function toWebHandler(switchyard: () => Switchyard, handler: PlainHandler): (request: Request) => Promise<Response> {
  return async (request) => {
    const requestId = requestIdOf(request.headers.get('x-request-id') ?? undefined, newId);
    const answer = await handler(switchyard(), await toPlainRequest(request, requestId));
    const body = answer.stream === undefined ? answer.body : toReadableStream(answer.stream);
    const isEmpty = body === '' || request.method === 'HEAD';
    return new Response(isEmpty ? null : body, {
      status: answer.status,
      headers: { 'x-request-id': requestId, ...answer.headers },
    });
  };
}

async function toPlainRequest(request: Request, requestId: string): Promise<PlainRequest> {
  const { pathname, search } = new URL(request.url);
  const bytes = await readBody(request.body, bodyMaxBytes(pathname));
  return {
    method: request.method,
    path: pathname,
    query: search.slice(1),
    headers: { ...Object.fromEntries(request.headers), 'x-request-id': requestId },
    body: bytes === null ? { kind: 'too_large' } : { kind: 'bytes', bytes },
    signal: request.signal,
  };
}

function toReadableStream(pieces: AsyncIterable<string>): ReadableStream<Uint8Array<ArrayBuffer>> {
  const encoder = new TextEncoder();
  const iterator = pieces[Symbol.asyncIterator]();
  return new ReadableStream({
    async pull(controller) {
      const { value, done } = await iterator.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    async cancel() {
      await iterator.return?.();
    },
  });
}
