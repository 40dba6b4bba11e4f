import type { IncomingMessage, RequestListener } from 'node:http';
import type { Checkout } from '../ledger/records.ts';
import { send } from '../server/gateway-server.ts';
import {
  type Inbound,
  json,
  match,
  parseForm,
  parseTarget,
  type Reply,
  type Route,
  readBody,
  redirect,
} from '../server/router.ts';
import { type GatewayName, gatewayNames, isGatewayName, type SimulatorServer, type SimulatorServers } from '../simulators.ts';
import { apiRoutes, paySettlements } from './api.ts';
import { clearFault, disputeTransaction, type Outcome, reverseTransaction, setFault, settleTransaction } from './commands.ts';
import { messageRoutes } from './messages.ts';
import { overview, type View, viewNames } from './overview.ts';
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

/** The page at the root, and the forms on it. */
const pageRoutes: readonly Route<SimulatorServers>[] = [
  { method: 'GET', pattern: '/', handle: (request, servers) => overview(servers, viewFrom(request.query), null) },
  { method: 'POST', pattern: '/switch/:gateway', handle: (request, servers) => withServer(request, servers, flip) },
  { method: 'POST', pattern: '/settlements/:gateway', handle: (request, servers) => withServer(request, servers, payOut) },
  { method: 'POST', pattern: '/act/:gateway', handle: (request, servers) => withServer(request, servers, act) },
];

type FormHandler = (gateway: GatewayName, form: Record<string, string>, servers: SimulatorServers) => Promise<Reply>;

function withServer(request: Inbound, servers: SimulatorServers, handler: FormHandler): Reply | Promise<Reply> {
  const name = request.params.gateway ?? '';
  if (!isGatewayName(name)) return json(404, { error: `There is no gateway ${name}` });
  return handler(name, parseForm(request.body), servers);
}

async function flip(gateway: GatewayName, form: Record<string, string>, servers: SimulatorServers): Promise<Reply> {
  const server = servers[gateway];
  if (form.action === 'off') {
    await clearFault(server);
    return redirect(backTo(form));
  }
  const outcome = await setFault(server, {
    kind: form.kind,
    ...numberField('latencyMs', form.latencyMs),
    ...numberField('probability', form.probability),
    ...numberField('seed', form.seed),
    ...(form.calls !== undefined && form.calls !== '' && { calls: form.calls }),
  });
  if (outcome.kind === 'done') return redirect(backTo(form));
  const errors = outcome.kind === 'invalid' ? outcome.errors : [outcome.error];
  return overview(servers, viewFrom(new URLSearchParams(form.back ?? '')), {
    gateway,
    errors,
    typed: form,
  });
}

async function payOut(gateway: GatewayName, form: Record<string, string>, servers: SimulatorServers): Promise<Reply> {
  const outcome = paySettlements(servers[gateway], {});
  if (outcome.kind === 'done') return redirect(backTo(form));
  const errors = outcome.kind === 'invalid' ? outcome.errors : [outcome.error];
  return overview(servers, viewFrom(new URLSearchParams(form.back ?? '')), { gateway, errors, typed: {} });
}

async function act(gateway: GatewayName, form: Record<string, string>, servers: SimulatorServers): Promise<Reply> {
  const outcome = await actOn(servers[gateway], form.reference ?? '', form.outcome ?? '');
  if (outcome.kind === 'done') return redirect(backTo(form));
  const errors = outcome.kind === 'invalid' ? outcome.errors : [outcome.error];
  return overview(servers, viewFrom(new URLSearchParams(form.back ?? '')), {
    gateway,
    errors,
    typed: {},
  });
}

/** Action of a button of a transaction: the customer pays or fails, or the money is taken back or disputed later. */
function actOn(server: SimulatorServer, reference: string, outcome: string): Outcome<Checkout> | Promise<Outcome<Checkout>> {
  switch (outcome) {
    case 'reversed':
      return reverseTransaction(server, reference, {});
    case 'disputed':
      return disputeTransaction(server, reference, {});
    case 'auto-accepted':
    case 'declined':
      return disputeTransaction(server, reference, { resolution: outcome });
    default:
      return settleTransaction(server, reference, { outcome });
  }
}

/** An empty field is left out; text that is not a number is passed on, so that validation names it. */
function numberField(name: string, text: string | undefined): Record<string, unknown> {
  const trimmed = (text ?? '').trim();
  if (trimmed === '') return {};
  const value = Number(trimmed);
  return { [name]: Number.isNaN(value) ? trimmed : value };
}

function backTo(form: Record<string, string>): string {
  const query = new URLSearchParams(form.back ?? '').toString();
  return query === '' ? '/' : `/?${query}`;
}

function viewFrom(query: URLSearchParams): View {
  const reference = query.get('reference');
  return {
    list: viewNames.find((name) => name === query.get('view')) ?? 'transactions',
    gateway: gatewayNames.find((name) => name === query.get('gateway')) ?? null,
    reference: reference === null || reference === '' ? null : reference,
  };
}
