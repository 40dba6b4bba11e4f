import { createServerAdapter } from '@whatwg-node/server';
import { handleGraphql } from '../graphql/handle.ts';
import { MCP_PATH } from '../http/request-kinds.ts';
import { limitUnreadBody } from '../http/server-limits.ts';
import { type RequestWatchOptions, watchRequests } from '../http/watch-requests.ts';
import { handleMcp } from '../mcp/handle.ts';
import type { Switchyard } from '../process.ts';
import { reportingListener } from '../reporting/reporting.ts';
import { createHttpServer } from '../server/http-server.ts';
import { serveNodeRequest } from '../server/node-adapter.ts';

/**
 * Serves a Switchyard from an HTTP server on a free port, as the web and the reporting process do, with the route handler of MCP. `url`
 * has no path. `keep` is given requests with API keys.
 */
export async function serveOverHttp(
  switchyard: Switchyard,
  keep: RequestWatchOptions['keep'] = null,
): Promise<{ readonly url: string; close(): Promise<void> }> {
  const serveReporting = reportingListener(switchyard);
  // Reports are asked for over HTTP, from this server, as from the reporting process.
  const serveMcp = createServerAdapter((request: Request) => handleMcp(switchyard, request, fetch));
  const watch = watchRequests({ log: switchyard.log, answered: null, keep });
  const server = createHttpServer((request, response) => {
    watch.begin(request, response);
    if (serveNodeRequest(switchyard, request, response)) return;
    if (request.url !== MCP_PATH) {
      serveReporting(request, response);
      return;
    }
    limitUnreadBody(request, response);
    void serveMcp(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The number of running reporting queries in the database. */
export async function countActiveReportQueries({ resources }: Switchyard): Promise<number> {
  const { rows } = await resources.database.pool.query<{ n: number }>(
    `SELECT count(*)::int AS n FROM pg_stat_activity
    WHERE application_name = 'switchyard reports' AND datname = current_database() AND state = 'active'`,
  );
  return rows[0]?.n ?? 0;
}

/** Sends a request to `/api/graphql`. */
export function sendGraphql(switchyard: Switchyard, request: Request): Promise<Response> {
  return handleGraphql(switchyard, request);
}
