import type { IncomingMessage, RequestListener } from 'node:http';
import { send } from '../server/gateway-server.ts';
import { json, match, parseTarget, type Reply, type Route, readBody } from '../server/router.ts';
import type { SimulatorServers } from '../simulator-server.ts';
import { apiRoutes } from './api.ts';
import { messageRoutes } from './messages.ts';
import { pageRoutes } from './pages.ts';
import { shopRoutes } from './shop.ts';

/** The control server: faults and the journal, as pages and as JSON. `now` dates what shops are sent. */
export function controlHandler(servers: SimulatorServers, now: () => number): RequestListener {
  const routes = [...shopRoutes(now), ...messageRoutes(now), ...pageRoutes, ...apiRoutes];
  return (request, response) => {
    answer(routes, servers, request).then(
      (reply) => send(response, reply),
      (error: unknown) => {
        const reason = error instanceof Error ? error.message : 'unknown reason';
        if (!response.destroyed) send(response, refusal(500, `The sandbox could not do this: ${reason}`));
      },
    );
  };
}

/** The error envelope of the control API. */
export function refusal(status: number, error: string, errors: string[] = [error]): Reply {
  return json(status, { error, errors });
}

async function answer(
  routes: readonly Route<SimulatorServers>[],
  servers: SimulatorServers,
  request: IncomingMessage,
): Promise<Reply> {
  const method = request.method === 'HEAD' ? 'GET' : (request.method ?? 'GET');
  const { path, query } = parseTarget(request.url ?? '/');
  const found = match(routes, method, path);
  if (found.kind === 'unknown') return refusal(404, `There is nothing at ${path}`);
  if (found.kind === 'wrong_method') {
    const allow = found.allow.join(', ');
    return {
      ...refusal(405, `${method} is not possible here; use ${allow}`),
      headers: { 'content-type': 'application/json', allow },
    };
  }
  // Another site's page in the developer's browser must not be able to flip a switch.
  const site = request.headers['sec-fetch-site'];
  if (method !== 'GET' && site !== undefined && site !== 'same-origin' && site !== 'none') {
    return refusal(403, 'Changes are taken from this page and from programs, not from other sites');
  }
  const body = await readBody(request);
  if (body === null) return refusal(413, 'The body is larger than 1 MiB');
  const ip = request.socket.remoteAddress ?? '127.0.0.1';
  return found.route.handle({ method, path, query, headers: request.headers, body, params: found.params, ip }, servers);
}
