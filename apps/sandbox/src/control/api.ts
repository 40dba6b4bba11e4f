import { z } from 'zod';
import { isGatewayName } from '../options.ts';
import { type Inbound, json, parseJson, type Reply, type Route } from '../server/router.ts';
import type { Station, Stations } from '../station.ts';
import { alterRefund, alterTransaction, plantRefund, plantTransaction } from './amend.ts';
import {
  checkoutsUnder,
  clearFault,
  explainIssues,
  type Outcome,
  registerKey,
  setFault,
  settleRefund,
  settleTransaction,
} from './commands.ts';
import { recordHistory } from './history.ts';
import { accountEntry, journalOf, refundEntry, singleEntry } from './journal.ts';

type Handler = (station: Station, request: Inbound) => Reply | Promise<Reply>;

export const apiRoutes: readonly Route<Stations>[] = [
  { method: 'GET', pattern: '/control/health', handle: (_request, stations) => health(stations) },
  route('GET', '/control/:gateway/fault', (station) => json(200, { fault: station.desk.faults.active })),
  route('PUT', '/control/:gateway/fault', async (station, request) =>
    answer(await setFault(station, parseJson(request.body)), (fault) => ({ fault })),
  ),
  route('DELETE', '/control/:gateway/fault', async (station) => {
    await clearFault(station);
    return json(200, { fault: null });
  }),
  route('GET', '/control/:gateway/journal', journal),
  route('DELETE', '/control/:gateway/journal', (station) => {
    station.forget();
    return json(200, { gateway: station.desk.spec.name, transactions: [], calls: [], webhooks: [], refunds: [] });
  }),
  route('GET', '/control/:gateway/keys', (station) => json(200, { keys: station.desk.books.accounts().map(accountEntry) })),
  route('PUT', '/control/:gateway/keys', (station, request) =>
    answer(registerKey(station, parseJson(request.body)), accountEntry),
  ),
  route('GET', '/control/:gateway/transactions/:reference', (station, request) => {
    const reference = request.params.reference ?? '';
    const checkout = checkoutsUnder(station, reference).at(-1);
    return checkout === undefined
      ? refuse(404, [`No transaction has the reference ${reference}`])
      : json(200, { transaction: singleEntry(station.desk, checkout) });
  }),
  route('POST', '/control/:gateway/transactions/:reference/settle', async (station, request) =>
    answer(await settleTransaction(station, request.params.reference ?? '', parseJson(request.body)), (checkout) => ({
      transaction: singleEntry(station.desk, checkout),
    })),
  ),
  route('POST', '/control/:gateway/transactions', (station, request) =>
    answer(plantTransaction(station, parseJson(request.body)), (checkout) => ({
      transaction: singleEntry(station.desk, checkout),
    })),
  ),
  route('PUT', '/control/:gateway/history', (station, request) =>
    answer(recordHistory(station, parseJson(request.body)), (recorded) => recorded),
  ),
  route('POST', '/control/:gateway/transactions/:reference/alter', (station, request) =>
    answer(alterTransaction(station, request.params.reference ?? '', parseJson(request.body)), (checkout) => ({
      transaction: singleEntry(station.desk, checkout),
    })),
  ),
  route('POST', '/control/:gateway/refunds', (station, request) =>
    answer(plantRefund(station, parseJson(request.body)), (refund) => ({ refund: refundEntry(station.desk, refund) })),
  ),
  route('POST', '/control/:gateway/refunds/:id/alter', (station, request) =>
    answer(alterRefund(station, request.params.id ?? '', parseJson(request.body)), (refund) => ({
      refund: refundEntry(station.desk, refund),
    })),
  ),
  route('POST', '/control/:gateway/refunds/:id/settle', (station, request) =>
    answer(settleRefund(station, request.params.id ?? '', parseJson(request.body)), (refund) => ({
      refund: refundEntry(station.desk, refund),
    })),
  ),
];

function route(method: Route<Stations>['method'], pattern: string, handler: Handler): Route<Stations> {
  return {
    method,
    pattern,
    handle: (request, stations) => {
      const name = request.params.gateway ?? '';
      if (!isGatewayName(name))
        return refuse(404, [`There is no gateway ${name}; there are ${Object.keys(stations).join(', ')}`]);
      return handler(stations[name], request);
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

function journal(station: Station, request: Inbound): Reply {
  const parsed = journalSchema.safeParse(Object.fromEntries(request.query));
  if (!parsed.success) return refuse(400, explainIssues(parsed.error));
  return json(200, journalOf(station, { reference: parsed.data.reference ?? null, limit: parsed.data.limit }));
}

function health(stations: Stations): Reply {
  const gateways = Object.fromEntries(
    Object.entries(stations).map(([name, station]) => [
      name,
      { url: station.listener.url, listening: station.listener.listening, fault: station.desk.faults.active },
    ]),
  );
  return json(200, { status: 'ok', gateways });
}
