import { processSwitchyard, type Switchyard } from '@switchyard/api/process';
import { createWebServer, type PageHandler } from './web-server.ts';

const DRAIN_MS = 25_000;
/** No request takes longer than a whole initiate; only streams are left after it. */
const STREAMS_MS = 21_000;

/**
 * Starts the web process: payments are answered as soon as there is something to route by, pages when Next is prepared. Resolves
 * then. Ends the process when it cannot start.
 */
export async function startWeb(directory: string): Promise<void> {
  const port = Number(process.env.PORT ?? 3000);
  const hostname = process.env.HOST ?? '0.0.0.0';
  const switchyard = open();
  // Without the database there is nothing to route by yet: answers are 503 until there is.
  await switchyard.resources.configuration
    .ready()
    .catch((error: unknown) => switchyard.log.warn({ error }, 'started without the database'));

  const pages = Promise.withResolvers<PageHandler>();
  const server = createWebServer(switchyard, pages.promise);
  server.on('error', (error: NodeJS.ErrnoException) => {
    leave(error.code === 'EADDRINUSE' ? `Port ${port} is taken; choose another with PORT=…` : error.message);
  });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop);
  await new Promise<void>((listening) => server.listen(port, hostname, listening));
  switchyard.log.info({ port }, 'web is ready');
  pages.resolve(await preparePages({ directory, hostname, port }));

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
}

/** Loads Next, which takes longer than all else together. */
async function preparePages(at: { directory: string; hostname: string; port: number }): Promise<PageHandler> {
  const { default: next } = await import('next');
  const app = next({ dev: false, dir: at.directory, hostname: at.hostname, port: at.port });
  await app.prepare();
  return app.getRequestHandler();
}

/** A process that was told wrong says what is wrong, and leaves. */
function open(): Switchyard {
  try {
    return processSwitchyard();
  } catch (error) {
    return leave(error instanceof Error ? error.message : 'The environment cannot be read.');
  }
}

function leave(why: string): never {
  process.stderr.write(`${why}\n`);
  process.exit(1);
}
