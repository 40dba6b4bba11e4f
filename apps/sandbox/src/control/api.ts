import { z } from 'zod';
import { settlementFaults } from '../faults/faults.ts';
import {
  type Account,
  type Call,
  type Checkout,
  type Hook,
  paidCharge,
  type Refund,
  type Settlement,
} from '../ledger/records.ts';
import { type Inbound, json, parseJson, type Reply, type Route } from '../server/router.ts';
import { settleDue, settleNow } from '../settlements.ts';
import { checkoutUrl, type GatewaySpec, type Simulator } from '../simulator.ts';
import { isGatewayName, type SimulatorServer, type SimulatorServers } from '../simulators.ts';
import {
  checkoutsUnder,
  clearFault,
  defaultMessages,
  disputeTransaction,
  explainIssues,
  type Outcome,
  registerAccount,
  reverseTransaction,
  setFault,
  settleRefund,
  settleTransaction,
  transferTo,
} from './commands.ts';
import { alterRefund, alterTransaction, plantRefund, plantTransaction, recordHistory } from './history.ts';

/** The part of the journal that is requested. */
export interface JournalQuery {
  /** Only what belongs to this reference. */
  readonly reference: string | null;
  /** The newest so many of each list. */
  readonly limit: number;
}

/** A gateway's records. No secret is in it: accounts go by their id. */
function journalOf(server: SimulatorServer, query: JournalQuery): Record<string, unknown> {
  const { simulator } = server;
  const wanted = <T extends { reference: string | null }>(items: T[]): T[] =>
    (query.reference === null ? items : items.filter((item) => item.reference === query.reference)).slice(-query.limit);
  const checkouts = wanted(simulator.ledger.checkouts());
  const calls = wanted(simulator.ledger.calls());
  const hooks = wanted(simulator.ledger.hooks());
  const callsByReference = groupByReference(calls);
  const hooksByReference = groupByReference(hooks);
  return {
    gateway: simulator.spec.name,
    unit: simulator.spec.unit,
    fault: simulator.faults.active,
    transactions: checkouts.map((checkout) =>
      transactionEntry(
        simulator,
        checkout,
        callsByReference.get(checkout.reference) ?? [],
        hooksByReference.get(checkout.reference) ?? [],
      ),
    ),
    calls,
    webhooks: hooks.map(webhookEntry),
    refunds: simulator.ledger
      .refunds()
      .filter((refund) => query.reference === null || simulator.ledger.checkout(refund.checkoutId)?.reference === query.reference)
      .slice(-query.limit)
      .map((refund) => refundEntry(simulator, refund)),
  };
}

/** One transaction, with the calls and webhooks that concern it. Amounts are in the gateway's own unit. */
export function transactionEntry(
  simulator: Simulator,
  checkout: Checkout,
  calls: readonly Call[],
  hooks: readonly Hook[],
): Record<string, unknown> {
  const paid = paidCharge(checkout);
  return {
    reference: checkout.reference,
    account: checkout.accountId,
    amount: checkout.amount,
    currency: checkout.currency,
    unit: simulator.spec.unit,
    status: simulator.spec.statusOf(simulator, checkout),
    paid: paid !== null,
    amountPaid: paid?.amount ?? null,
    fee: paid === null ? null : (paid.fee ?? (simulator.spec.settlementFee ?? simulator.spec.lookupFee)?.(paid.amount) ?? null),
    transactionId: simulator.spec.transactionId(checkout),
    email: checkout.email,
    checkoutUrl: checkoutUrl(simulator, checkout),
    redirectUrl: checkout.returnUrl,
    createdAt: checkout.createdAt,
    paidAt: paid?.finishedAt ?? null,
    attempts: checkout.charges.map((charge) => ({
      id: charge.id,
      status: charge.status,
      channel: charge.channel,
      amount: charge.amount,
      message: charge.message,
      createdAt: charge.createdAt,
      finishedAt: charge.finishedAt,
    })),
    reversed: checkout.reversed,
    disputes: checkout.disputes,
    refunds: simulator.ledger.refundsOf(checkout.id).map((refund) => refundEntry(simulator, refund)),
    calls: calls.filter((call) => call.account === null || call.account === checkout.accountId),
    webhooks: hooks.filter((hook) => hook.accountId === checkout.accountId).map(webhookEntry),
  };
}

/** The entry of one checkout by itself. */
function singleEntry(simulator: Simulator, checkout: Checkout): Record<string, unknown> {
  const calls = simulator.ledger.calls().filter((call) => call.reference === checkout.reference);
  const hooks = simulator.ledger.hooks().filter((hook) => hook.reference === checkout.reference);
  return transactionEntry(simulator, checkout, calls, hooks);
}

/** A refund in the journal, with the reference of its payment, which is null when that one was dropped, and the merchant's own of the refund. */
function refundEntry(simulator: Simulator, refund: Refund): Record<string, unknown> {
  const { reference: merchantReference, ...rest } = refund;
  return { ...rest, merchantReference, reference: simulator.ledger.checkout(refund.checkoutId)?.reference ?? null };
}

/** A webhook in the journal: its size in bytes in place of its body. */
export function webhookEntry(hook: Hook): Record<string, unknown> {
  const { body, ...rest } = hook;
  return { ...rest, bytes: Buffer.byteLength(body) };
}

/** An account as it may be shown: the key only by its ends, other secrets only by whether there is one. */
function accountEntry({ accountFields, keyField }: GatewaySpec, account: Account): Record<string, unknown> {
  const shown = Object.entries(accountFields).map(([name, field]) => {
    const value = account.credentials[name];
    if (value === undefined) return [name, null] as const;
    if (field.shown) return [name, value] as const;
    return [name, name === keyField ? maskKey(value) : '…'] as const;
  });
  return {
    account: account.id,
    ...Object.fromEntries(shown),
    webhookUrl: account.webhookUrl,
    refundWebhooks: account.refundWebhooks,
  };
}

/** A key of which only the first eight and the last four characters are shown. */
export function maskKey(key: string): string {
  return `${key.slice(0, 8)}…${key.slice(-4)}`;
}

function groupByReference<T extends { reference: string | null }>(items: readonly T[]): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    if (item.reference === null) continue;
    const group = groups.get(item.reference);
    if (group === undefined) groups.set(item.reference, [item]);
    else group.push(item);
  }
  return groups;
}

const bodySchema = z.object({
  /** The account with this key; every account when left out. */
  key: z.string().optional(),
  /** True to leave what is not due yet. */
  dueOnly: z.boolean({ error: 'must be true or false' }).default(false),
  faults: z
    .array(
      z.object({
        kind: z.enum(settlementFaults, { error: `must be one of ${settlementFaults.join(', ')}` }),
        reference: z.string(),
      }),
    )
    .max(1_000, { error: 'must be at most 1000' })
    .default([]),
});

/** Pays out now what was paid, with faults in the payments that are named, in place of waiting for the next working day. */
export function paySettlements({ simulator }: SimulatorServer, body: unknown): Outcome<readonly Settlement[]> {
  const parsed = bodySchema.safeParse(body ?? {}, { error: defaultMessages });
  if (!parsed.success) return { kind: 'invalid', errors: explainIssues(parsed.error) };
  const { key, dueOnly, faults } = parsed.data;
  if (simulator.spec.settlementFee === undefined) {
    return { kind: 'conflict', error: `${simulator.spec.title} documents no settlements` };
  }
  const accounts = simulator.ledger.accounts().filter((account) => key === undefined || account.key === key);
  if (accounts.length === 0) return { kind: 'not_found', error: 'No account has this key' };
  const planted = new Map(faults.map(({ kind, reference }) => [reference, kind]));
  const settle = dueOnly ? settleDue : settleNow;
  return { kind: 'done', value: accounts.flatMap((account) => settle(simulator, account, planted)) };
}

/** A settlement in the control API. */
function settlementEntry({ id, accountId, currency, payments, gross, fees, deducted, net, day, createdAt }: Settlement) {
  return { id, account: accountId, currency, payments: payments.length, gross, fees, deducted, net, day, createdAt };
}

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
  route('POST', '/control/:gateway/transactions/:reference/transfer', async (server, request) =>
    answer(await transferTo(server, request.params.reference ?? '', parseJson(request.body)), ({ checkout, returned }) => ({
      transaction: singleEntry(server.simulator, checkout),
      returned,
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
