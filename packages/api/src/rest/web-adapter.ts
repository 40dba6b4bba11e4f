import type { Switchyard } from '../process.ts';
import { readBody } from '../read-body.ts';
import { BODY_MAX_BYTES, type RestRequest } from './plain.ts';
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
  const bytes = await readBody(request.body, BODY_MAX_BYTES);
  return {
    method: request.method,
    path: pathname,
    query: search.slice(1),
    headers: Object.fromEntries(request.headers),
    body: bytes === null ? { kind: 'too_large' } : { kind: 'bytes', bytes },
  };
}
