import { createServer } from 'node:http';
import { serveNodeRequest } from '../http/node-adapter.ts';
import { SERVER_LIMITS } from '../http/server-limits.ts';
import type { Switchyard } from '../process.ts';
import { reportingListener } from '../reporting/index.ts';

/** Serves a Switchyard from an HTTP server on a free port, as the web and the reporting process do. `url` has no path. */
export async function serveOverHttp(switchyard: Switchyard): Promise<{ readonly url: string; close(): Promise<void> }> {
  const serveReporting = reportingListener(switchyard);
  const server = createServer(SERVER_LIMITS, (request, response) => {
    if (!serveNodeRequest(switchyard, request, response)) serveReporting(request, response);
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
