import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { serveNodeRequest } from '@switchyard/api/node';
import { isReportingPath } from '@switchyard/api/reporting-paths';
import { createFirstAnswer, createHttpServer, limitUnreadBody, type ServerProcess } from '@switchyard/api/server-process';
import { createReportingForwarder } from './reporting.ts';
import { inZoneOf } from './request-zone.ts';

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
