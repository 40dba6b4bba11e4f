import type { IncomingMessage, ServerResponse } from 'node:http';
import { createProxyServer, type ProxyServer, proxyFetch } from 'httpxy';

const DEFAULT_URL = 'http://127.0.0.1:3001';
/** Answers take ten seconds at most; a file pauses no longer than that between two pieces. */
const TIMEOUT_MS = 30_000;

/** The address of the reporting process. Read on each use: `next build` must not inline it. */
export function reportingUrl(): string {
  return process.env.SWITCHYARD_REPORTING_URL ?? DEFAULT_URL;
}

/** The response while the reporting process cannot be reached, in the format of GraphQL and of exports. */
const UNAVAILABLE = {
  message: 'Reports cannot be reached at the moment. Trying again helps.',
  errors: [{ message: 'Reports cannot be reached at the moment. Trying again helps.', extensions: { code: 'UNAVAILABLE' } }],
};
const UNAVAILABLE_HEADERS = { 'content-type': 'application/json', 'cache-control': 'no-store', 'retry-after': '2' };

/** Forwards requests of Node's HTTP server to the reporting process, and its answers back as they come. */
export function createReportingForwarder(): (request: IncomingMessage, response: ServerResponse) => void {
  const proxy: ProxyServer = createProxyServer({ proxyTimeout: TIMEOUT_MS });
  return (request, response) => {
    proxy.web(request, response, { target: reportingUrl() }).catch(() => {
      if (response.headersSent) {
        response.destroy();
        return;
      }
      response.writeHead(503, UNAVAILABLE_HEADERS).end(JSON.stringify(UNAVAILABLE));
    });
  };
}

/** The same for Next's route handlers, where Next runs without our own server. */
export async function forwardToReporting(request: Request): Promise<Response> {
  try {
    return await proxyFetch(reportingUrl(), request, { signal: request.signal });
  } catch {
    return Response.json(UNAVAILABLE, { status: 503, headers: UNAVAILABLE_HEADERS });
  }
}
