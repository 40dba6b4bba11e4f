/// <reference path="./compression.d.ts" />
import type { RequestListener } from 'node:http';
import { constants } from 'node:zlib';
import { createServerAdapter } from '@whatwg-node/server';
import compression from 'compression';
import { handleExport } from '../export/handle.ts';
import { handleGraphql } from '../graphql/handle.ts';
import { limitUnreadBody } from '../http/server-limits.ts';
import type { Switchyard } from '../process.ts';
import { EXPORT_PATH, GRAPHQL_PATH } from './paths.ts';

/** Skip compression below this size: it costs more than it saves. */
const COMPRESSED_MIN_BYTES = 8 * 1024;

/** Answers GraphQL and file exports on Node's HTTP server, and `/health` for liveness. */
export function reportingListener(switchyard: Switchyard): RequestListener {
  const answer = createServerAdapter((request: Request) => route(switchyard, request));
  const compress = compression({
    threshold: COMPRESSED_MIN_BYTES,
    // A file goes through the web process: a tenth of the bytes there is worth more than the fastest level costs here.
    level: constants.Z_BEST_SPEED,
    // The library does not know JSON lines as compressible.
    filter: (request, response) => request.url?.startsWith(EXPORT_PATH) === true || compression.filter(request, response),
  });
  return (request, response) => {
    limitUnreadBody(request, response);
    compress(request, response, () => void answer(request, response));
  };
}

async function route(switchyard: Switchyard, request: Request): Promise<Response> {
  const { pathname } = new URL(request.url);
  if (pathname === GRAPHQL_PATH) return handleGraphql(switchyard, request);
  if (pathname.startsWith(EXPORT_PATH)) return handleExport(switchyard, pathname.slice(EXPORT_PATH.length), request);
  if (pathname === '/health') return new Response('ok', { headers: { 'cache-control': 'no-store' } });
  return new Response(null, { status: 404 });
}
