import { writeIndex } from '../docs/markdown/documents.ts';

/** `GET /llms.txt`: the documentation's table of contents for agents. Made at a request: the build does not know the public address. */
export function GET(): Response {
  return new Response(writeIndex(), { headers: { 'content-type': 'text/plain; charset=utf-8' } });
}

export const dynamic = 'force-dynamic';
