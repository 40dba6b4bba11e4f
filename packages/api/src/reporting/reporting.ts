import type { RequestListener } from 'node:http';
import { createServerAdapter } from '@whatwg-node/server';
import { handleExport } from '../export/handle.ts';
import { handleGraphql } from '../graphql/handle.ts';
import { compressPieces } from '../http/bodies.ts';
import { EXPORT_PATH, GRAPHQL_PATH, isFilePath } from '../http/reporting-paths.ts';
import { limitUnreadBody } from '../http/server-limits.ts';
import type { Switchyard } from '../process.ts';

/** Answers GraphQL and file exports on Node's HTTP server, what reads files by `readFile`, and `/health` for liveness. */
export function reportingListener(
  switchyard: Switchyard,
  readFile: (request: Request) => Promise<Response> = nowhere,
): RequestListener {
  const answer = createServerAdapter(async (request: Request) => {
    // Progress is not held back until there is enough to compress.
    if (isFilePath(new URL(request.url).pathname)) return readFile(request);
    return compressPieces(await route(switchyard, request), request.headers.get('accept-encoding'));
  });
  return (request, response) => {
    limitUnreadBody(request, response);
    void answer(request, response);
  };
}

/** Answers for a program that reads no files. */
async function nowhere(): Promise<Response> {
  return new Response(null, { status: 404 });
}

async function route(switchyard: Switchyard, request: Request): Promise<Response> {
  const { pathname } = new URL(request.url);
  if (pathname === GRAPHQL_PATH) return handleGraphql(switchyard, request);
  if (pathname.startsWith(EXPORT_PATH)) return handleExport(switchyard, pathname.slice(EXPORT_PATH.length), request);
  if (pathname === '/health') return new Response('ok', { headers: { 'cache-control': 'no-store' } });
  return new Response(null, { status: 404 });
}
