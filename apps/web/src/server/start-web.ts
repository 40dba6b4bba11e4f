import { AsyncLocalStorage } from 'node:async_hooks';
import { existsSync } from 'node:fs';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { addAbortSignal } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { serveNodeRequest } from '@switchyard/api/node';
import { isReportingPath } from '@switchyard/api/reporting-paths';
import {
  createFirstAnswer,
  createHttpServer,
  limitUnreadBody,
  listen,
  openServerProcess,
  readSettings,
  SETTINGS,
  type ServerProcess,
} from '@switchyard/api/server-process';
import { isZone } from '../format/calendar.ts';
import { ZONE_COOKIE } from '../format/zone.ts';
import { createReportingForwarder } from './reporting.ts';

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

/** Answers a request with a page of Next. */
export type PageHandler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/**
 * A server that answers `/v1`, what gateways call and the customer's return straight from their handlers, GraphQL and exports from
 * the reporting process, everything else by pages. A route handler of Next costs about 1.2 ms of CPU a request; this way costs a
 * tenth of it. Requests for pages wait until these can be served, all others do not.
 */
export function createWebServer(serverProcess: ServerProcess, pages: Promise<PageHandler>): Server {
  const { switchyard } = serverProcess;
  const answerFirst = createFirstAnswer(serverProcess);
  const forwardToReporting = createReportingForwarder();

  async function servePage(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const serve = await pages;
    await inZoneOf(request, () => serve(request, response));
  }
  function serve(request: IncomingMessage, response: ServerResponse): void {
    if (serveNodeRequest(switchyard, request, response)) return;
    if (isReportingPath((request.url ?? '/').split('?', 1)[0] ?? '/')) {
      forwardToReporting(request, response);
      return;
    }
    servePage(request, response).catch((error: unknown) => {
      switchyard.log.error({ error }, 'a page could not be served');
      response.destroy();
    });
  }

  return createHttpServer((request, response) => {
    limitUnreadBody(request, response);
    answerFirst(request, response, () => serve(request, response));
  });
}

const zones = new AsyncLocalStorage<string>();
// Pages are bundled and have modules of their own: the process's global object is what both sides see.
globalThis.requestZone = () => zones.getStore();

/** Renders a page in the zone that the request's cookie names; in the workspace's zone if the cookie names no zone. */
export function inZoneOf<T>(request: Pick<IncomingMessage, 'headers'>, render: () => T): T {
  const zone = zoneInCookie(request.headers.cookie ?? '');
  return zone === null ? render() : zones.run(zone, render);
}

/** The zone that a Cookie header names, or null. */
export function zoneInCookie(header: string): string | null {
  for (const pair of header.split(';')) {
    const [name, value = ''] = pair.trim().split('=');
    if (name !== ZONE_COOKIE) continue;
    try {
      const zone = decodeURIComponent(value);
      return zone !== '' && isZone(zone) ? zone : null;
    } catch {
      return null;
    }
  }
  return null;
}
