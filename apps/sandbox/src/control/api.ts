import { z } from 'zod';
import { type Inbound, json, parseJson, type Reply, type Route } from '../server/router.ts';
import type { SimulatorServer, SimulatorServers } from '../simulator-server.ts';
import { isGatewayName } from '../simulators.ts';
import { alterRefund, alterTransaction, plantRefund, plantTransaction } from './amend.ts';
import {
  checkoutsUnder,
  clearFault,
  disputeTransaction,
  explainIssues,
  type Outcome,
  registerAccount,
  reverseTransaction,
  setFault,
  settleRefund,
  settleTransaction,
} from './commands.ts';
import { recordHistory } from './history.ts';
import { accountEntry, journalOf, refundEntry, singleEntry } from './journal.ts';
import { paySettlements, settlementEntry } from './settlements.ts';

type Handler = (server: SimulatorServer, request: Inbound) => Reply | Promise<Reply>;

/** The JSON control API: faults, accounts, settlements and journals of each gateway. */
export const apiRoutes: readonly Route<SimulatorServers>[] = [
  { method: 'GET', pattern: '/control/health', handle: (_request, servers) => health(servers) },
  route('GET', '/control/:gateway/fault', (server) => json(200, { fault: server.simulator.faults.active })),
  route('PUT', '/control/:gateway/fault', async (server, request) =>
    answer(await setFault(server, parseJson(request.body)), (fault) => ({ fault })),
  ),
  route('DELETE', '/control/:gateway/fault', async (server) => {
    await clearFault(server);
    return json(200, { fault: null });
  }),
  route('GET', '/control/:gateway/journal', journal),
  route('DELETE', '/control/:gateway/journal', (server) => {
    server.forget();
    return json(200, { gateway: server.simulator.spec.name, transactions: [], calls: [], webhooks: [], refunds: [] });
  }),
  route('GET', '/control/:gateway/keys', (server) =>
    json(200, { keys: server.simulator.ledger.accounts().map((account) => accountEntry(server.simulator.spec, account)) }),
  ),
  route('PUT', '/control/:gateway/keys', (server, request) =>
    answer(registerAccount(server, parseJson(request.body)), (account) => accountEntry(server.simulator.spec, account)),
  ),
  route('GET', '/control/:gateway/transactions/:reference', (server, request) => {
    const reference = request.params.reference ?? '';
    const checkout = checkoutsUnder(server, reference).at(-1);
    return checkout === undefined
      ? refuse(404, [`No transaction has the reference ${reference}`])
      : json(200, { transaction: singleEntry(server.simulator, checkout) });
  }),
  route('POST', '/control/:gateway/transactions/:reference/settle', async (server, request) =>
    answer(await settleTransaction(server, request.params.reference ?? '', parseJson(request.body)), (checkout) => ({
      transaction: singleEntry(server.simulator, checkout),
    })),
  ),
  route('POST', '/control/:gateway/transactions/:reference/reverse', (server, request) =>
    answer(reverseTransaction(server, request.params.reference ?? '', parseJson(request.body)), (checkout) => ({
      transaction: singleEntry(server.simulator, checkout),
    })),
  ),
  route('POST', '/control/:gateway/transactions/:reference/dispute', (server, request) =>
    answer(disputeTransaction(server, request.params.reference ?? '', parseJson(request.body)), (checkout) => ({
      transaction: singleEntry(server.simulator, checkout),
    })),
  ),
  route('POST', '/control/:gateway/transactions', (server, request) =>
    answer(plantTransaction(server, parseJson(request.body)), (checkout) => ({
      transaction: singleEntry(server.simulator, checkout),
    })),
  ),
  route('POST', '/control/:gateway/settlements', (server, request) =>
    answer(paySettlements(server, request.body.length === 0 ? {} : parseJson(request.body)), (settlements) => ({
      settlements: settlements.map(settlementEntry),
    })),
  ),
  route('PUT', '/control/:gateway/history', (server, request) =>
    answer(recordHistory(server, parseJson(request.body)), (recorded) => recorded),
  ),
  route('POST', '/control/:gateway/transactions/:reference/alter', (server, request) =>
    answer(alterTransaction(server, request.params.reference ?? '', parseJson(request.body)), (checkout) => ({
      transaction: singleEntry(server.simulator, checkout),
    })),
  ),
  route('POST', '/control/:gateway/refunds', (server, request) =>
    answer(plantRefund(server, parseJson(request.body)), (refund) => ({ refund: refundEntry(server.simulator, refund) })),
  ),
  route('POST', '/control/:gateway/refunds/:id/alter', (server, request) =>
    answer(alterRefund(server, request.params.id ?? '', parseJson(request.body)), (refund) => ({
      refund: refundEntry(server.simulator, refund),
    })),
  ),
  route('POST', '/control/:gateway/refunds/:id/settle', (server, request) =>
    answer(settleRefund(server, request.params.id ?? '', parseJson(request.body)), (refund) => ({
      refund: refundEntry(server.simulator, refund),
    })),
  ),
];

function route(method: Route<SimulatorServers>['method'], pattern: string, handler: Handler): Route<SimulatorServers> {
  return {
    method,
    pattern,
    handle: (request, servers) => {
      const name = request.params.gateway ?? '';
      if (!isGatewayName(name)) return refuse(404, [`There is no gateway ${name}; there are ${Object.keys(servers).join(', ')}`]);
      return handler(servers[name], request);
    },
  };
}

function answer<T>(outcome: Outcome<T>, present: (value: T) => unknown): Reply {
  switch (outcome.kind) {
    case 'done':
      return json(200, present(outcome.value));
    case 'invalid':
      return refuse(400, outcome.errors);
    case 'not_found':
      return refuse(404, [outcome.error]);
    case 'conflict':
      return refuse(409, [outcome.error]);
    default:
      return outcome satisfies never;
  }
}

function refuse(status: number, errors: string[]): Reply {
  return json(status, { error: errors.join('; '), errors });
}

const journalSchema = z.object({
  reference: z.string().optional(),
  limit: z.coerce
    .number({ error: 'must be a whole number' })
    .int({ error: 'must be a whole number' })
    .min(1, { error: 'must be 1 or more' })
    .max(200_000, { error: 'must be at most 200000' })
    .default(200_000),
});

function journal(server: SimulatorServer, request: Inbound): Reply {
  const parsed = journalSchema.safeParse(Object.fromEntries(request.query));
  if (!parsed.success) return refuse(400, explainIssues(parsed.error));
  return json(200, journalOf(server, { reference: parsed.data.reference ?? null, limit: parsed.data.limit }));
}

function health(servers: SimulatorServers): Reply {
  const gateways = Object.fromEntries(
    Object.entries(servers).map(([name, server]) => [
      name,
      {
        url: server.simulator.address(),
        listening: server.simulator.faults.active?.kind !== 'down',
        fault: server.simulator.faults.active,
      },
    ]),
  );
  return json(200, { status: 'ok', gateways });
}
