import { createServer } from 'node:http';
import { constants, setPriority } from 'node:os';
import { processSwitchyard, type Switchyard } from '@switchyard/api/process';
import { reportingListener } from '@switchyard/api/reporting';

/*
 * GraphQL and file exports in a process of their own, so that reports never take CPU that a payment waits for. The web process
 * forwards their paths to it. Any number of these processes may run, on the database or on a replica of it.
 */

// Threads that Node starts later inherit it.
setPriority(constants.priority.PRIORITY_BELOW_NORMAL);

const DRAIN_MS = 25_000;
/** Files take longer than this only for slow readers, who ask again. */
const STREAMS_MS = 21_000;
/** Longer than the web process keeps idle connections. */
const KEEP_ALIVE_MS = 75_000;
const port = Number(process.env.REPORTING_PORT ?? 3001);
const hostname = process.env.REPORTING_HOST ?? '127.0.0.1';

const switchyard = open();
// Without the database there is nothing to report yet: answers are 503 until there is.
await switchyard.resources.configuration
  .ready()
  .catch((error: unknown) => switchyard.log.warn({ error }, 'started without the database'));

const server = createServer(
  { headersTimeout: 10_000, requestTimeout: 15_000, keepAliveTimeout: KEEP_ALIVE_MS, maxHeaderSize: 16_384 },
  reportingListener(switchyard),
);
server.on('error', (error: NodeJS.ErrnoException) => {
  process.stderr.write(
    error.code === 'EADDRINUSE' ? `Port ${port} is taken; choose another with REPORTING_PORT=…\n` : `${error.message}\n`,
  );
  process.exit(1);
});
server.listen(port, hostname, () => switchyard.log.info({ port }, 'reporting is ready'));

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop);

/** Takes no more connections, lets answers under way finish, then leaves. */
function stop(): void {
  server.close(() => {
    switchyard.close().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  });
  server.closeIdleConnections();
  setTimeout(() => server.closeAllConnections(), STREAMS_MS).unref();
  setTimeout(() => process.exit(0), DRAIN_MS).unref();
}

/** A process with a wrong environment says what is wrong, and exits. */
function open(): Switchyard {
  try {
    return processSwitchyard();
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : 'The environment cannot be read.'}\n`);
    process.exit(1);
  }
}
