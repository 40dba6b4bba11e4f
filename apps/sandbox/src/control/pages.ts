import type { Checkout } from '../ledger/records.ts';
import { type Inbound, json, parseForm, type Reply, type Route, redirect } from '../server/router.ts';
import type { SimulatorServer, SimulatorServers } from '../simulator-server.ts';
import { type GatewayName, gatewayNames, isGatewayName } from '../simulators.ts';
import { clearFault, disputeTransaction, type Outcome, reverseTransaction, setFault, settleTransaction } from './commands.ts';
import { overview, type View, viewNames } from './overview.ts';
import { paySettlements } from './settlements.ts';

/** The page at the root, and the forms on it. */
export const pageRoutes: readonly Route<SimulatorServers>[] = [
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

/** An empty field is left out; text that is no number is passed on, so that validation names it. */
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
