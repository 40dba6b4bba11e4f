import { createServer } from 'node:http';
import { serveNodeRequest } from '@switchyard/api/node';
import { processSwitchyard, type Switchyard } from '@switchyard/api/process';
import { isReportingPath } from '@switchyard/api/reporting-paths';
import next from 'next';
import { createReportingForwarder } from './src/server/reporting.ts';

/*
 * The production entry: `/v1`, what gateways call and the customer's return go straight from Node's HTTP server to their handlers,
 * GraphQL and exports to the reporting process, everything else to Next. A route handler of Next costs about 1.2 ms of CPU a request; this way costs a tenth of it.
 */

const DRAIN_MS = 25_000;
/** No request takes longer than a whole initiate; only streams are left after it. */
const STREAMS_MS = 21_000;
/** Longer than load balancers keep idle connections, so that none of them sends into one that is just being closed. */
const KEEP_ALIVE_MS = 75_000;
const port = Number(process.env.PORT ?? 3000);
const hostname = process.env.HOST ?? '0.0.0.0';

const switchyard = open();
const app = next({ dev: false, dir: import.meta.dirname, hostname, port });
await app.prepare();
// Without the database there is nothing to route by yet: answers are 503 until there is.
await switchyard.resources.configuration
  .ready()
  .catch((error: unknown) => switchyard.log.warn({ error }, 'started without the database'));
const serveByNext = app.getRequestHandler();
const forwardToReporting = createReportingForwarder();

const server = createServer(
  { headersTimeout: 10_000, requestTimeout: 15_000, keepAliveTimeout: KEEP_ALIVE_MS, maxHeaderSize: 16_384 },
  (request, response) => {
    if (serveNodeRequest(switchyard, request, response)) return;
    if (isReportingPath((request.url ?? '/').split('?', 1)[0] ?? '/')) {
      forwardToReporting(request, response);
      return;
    }
    serveByNext(request, response).catch((error: unknown) => {
      switchyard.log.error({ error }, 'a page could not be served');
      response.destroy();
    });
  },
);

server.on('error', (error: NodeJS.ErrnoException) => {
  process.stderr.write(
    error.code === 'EADDRINUSE' ? `Port ${port} is taken; choose another with PORT=…\n` : `${error.message}\n`,
  );
  process.exit(1);
});
server.listen(port, hostname, () => switchyard.log.info({ port }, 'web is ready'));

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop);

/** Takes no more connections, lets those at work finish, then leaves. */
function stop(): void {
  server.close(() => {
    switchyard.close().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  });
  server.closeIdleConnections();
  // Streams to dashboards never end by themselves; whoever watches one connects again.
  setTimeout(() => server.closeAllConnections(), STREAMS_MS).unref();
  setTimeout(() => process.exit(0), DRAIN_MS).unref();
}

/** A process that was told wrong says what is wrong, and leaves. */
function open(): Switchyard {
  try {
    return processSwitchyard();
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : 'The environment cannot be read.'}\n`);
    process.exit(1);
  }
}
