import type { Switchyard } from '../process.ts';
import { BODY_MAX_BYTES, NO_BODY, type RestBody, type RestRequest } from './plain.ts';
import type { SiteHandler } from './site.ts';

/** Mounts a handler as a function of web standards, as Next's route handlers are. */
export function toWebHandler(switchyard: () => Switchyard, handler: SiteHandler): (request: Request) => Promise<Response> {
  return async (request) => {
    const answer = await handler(switchyard(), await toRestRequest(request));
    const body = answer.body === '' || request.method === 'HEAD' ? null : answer.body;
    return new Response(body, { status: answer.status, headers: answer.headers });
  };
}

async function toRestRequest(request: Request): Promise<RestRequest> {
  const { pathname, search } = new URL(request.url);
  return {
    method: request.method,
    path: pathname,
    query: search.slice(1),
    headers: Object.fromEntries(request.headers),
    body: request.body === null ? NO_BODY : await readBody(request.body),
  };
}

async function readBody(stream: ReadableStream<Uint8Array>): Promise<RestBody> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of stream) {
    length += chunk.byteLength;
    if (length > BODY_MAX_BYTES) return { kind: 'too_large' };
    chunks.push(chunk);
  }
  return { kind: 'bytes', bytes: Buffer.concat(chunks) };
}
