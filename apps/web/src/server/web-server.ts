import { AsyncLocalStorage } from 'node:async_hooks';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { serveNodeRequest } from '@switchyard/api/node';
import { isReportingPath } from '@switchyard/api/reporting-paths';
import { createFirstAnswer, createHttpServer, limitUnreadBody, type ServerProcess } from '@switchyard/api/server-process';
import { isZone } from '../format/calendar.ts';
import { ZONE_COOKIE } from '../format/zone.ts';
import { createReportingForwarder } from './reporting.ts';

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

/** Renders a page in the zone that the request's cookie names; in the workspace's without one, or with one that is none. */
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
