import { existsSync } from 'node:fs';
import type { Server } from 'node:http';
import { join } from 'node:path';
import { addAbortSignal } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { listen, openServerProcess } from '@switchyard/api/server-process';
import { readSettings, SETTINGS } from '@switchyard/api/settings';
import { createWebServer, type PageHandler } from './web-server.ts';

/** Written last by `npm start` when it builds the pages. */
const BUILT = '.next/.made-from';
const BUILT_POLL_MS = 200;

/**
 * Starts the web process: payments are answered as soon as the server listens, pages when Next is prepared; with `awaitPages` once they
 * are built. Resolves then. Exits when it cannot start.
 */
export async function startWeb(directory: string, { awaitPages }: { readonly awaitPages: boolean }): Promise<void> {
  const environment = process.env;
  const serverProcess = await openServerProcess('web', environment);
  const { PORT: port, HOST: hostname } = readSettings(SETTINGS.pick({ PORT: true, HOST: true }), environment);
  const pages = Promise.withResolvers<PageHandler>();
  const server = createWebServer(serverProcess, pages.promise);
  await listen(server, serverProcess, { name: 'web', port, hostname, portVariable: 'PORT' });
  const dev = environment.NODE_ENV === 'development';
  if (dev) endUpgradesWithProcess(server);
  while (awaitPages && !existsSync(join(directory, BUILT))) await pause(BUILT_POLL_MS, undefined, { ref: false });
  pages.resolve(await preparePages({ dev, dir: directory, hostname, port }));
}

/** The development server of Next announces changes to browsers over web sockets, which would keep the server from closing. */
function endUpgradesWithProcess(server: Server): void {
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort());
  server.on('upgrade', (_request, socket) => addAbortSignal(stopping.signal, socket));
}

/** Loads Next after the server listens: it takes longer than everything else. */
async function preparePages(options: { dev: boolean; dir: string; hostname: string; port: number }): Promise<PageHandler> {
  const { default: next } = await import('next');
  const app = next(options);
  await app.prepare();
  return app.getRequestHandler();
}
