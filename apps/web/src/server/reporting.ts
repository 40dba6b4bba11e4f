import type { IncomingMessage, ServerResponse } from 'node:http';
import { isFilePath } from '@switchyard/api/reporting-paths';
import { createProxyServer, type ProxyServer, proxyFetch } from 'httpxy';

const DEFAULT_URL = 'http://127.0.0.1:3001';
/** Answers take ten seconds at most; an export pauses no longer than that between two pieces. */
const TIMEOUT_MS = 30_000;
/** As long as the dashboard waits for what becomes of a file that was sent. */
const FILE_TIMEOUT_MS = 180_000;

/** The address of the reporting process. Read on each use: `next build` must not inline it. */
export function reportingUrl(): string {
  return process.env.SWITCHYARD_REPORTING_URL ?? DEFAULT_URL;
}

/** The response while the reporting process cannot be reached, or has ended over what it was to read; in the format of GraphQL and of exports. */
function unavailable(path: string): object {
  const message = `${isFilePath(path) ? 'Files cannot be read' : 'Reports cannot be reached'} at the moment. Trying again helps.`;
  return { message, errors: [{ message, extensions: { code: 'UNAVAILABLE' } }] };
}
const UNAVAILABLE_HEADERS = { 'content-type': 'application/json', 'cache-control': 'no-store', 'retry-after': '2' };

/** Forwards requests of Node's HTTP server to the reporting process, and its answers back as they come. */
export function createReportingForwarder(): (request: IncomingMessage, response: ServerResponse) => void {
  const proxy: ProxyServer = createProxyServer({});
  return (request, response) => {
    const path = (request.url ?? '/').split('?', 1)[0] ?? '/';
    const proxyTimeout = isFilePath(path) ? FILE_TIMEOUT_MS : TIMEOUT_MS;
    proxy.web(request, response, { target: reportingUrl(), proxyTimeout }).catch(() => {
      if (response.headersSent) {
        response.destroy();
        return;
      }
      response.writeHead(503, UNAVAILABLE_HEADERS).end(JSON.stringify(unavailable(path)));
    });
  };
}

/** The same for Next's route handlers, where Next runs without our own server. */
export async function forwardToReporting(request: Request): Promise<Response> {
  try {
    return await proxyFetch(reportingUrl(), request, { signal: request.signal });
  } catch {
    return Response.json(unavailable(new URL(request.url).pathname), { status: 503, headers: UNAVAILABLE_HEADERS });
  }
}
