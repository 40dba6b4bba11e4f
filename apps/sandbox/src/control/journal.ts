import type { Account, Call, Checkout, Hook, Refund } from '../ledger/records.ts';
import { paidCharge } from '../ledger/records.ts';
import { checkoutUrl, type GatewaySpec, type Simulator } from '../simulator.ts';
import type { SimulatorServer } from '../simulator-server.ts';

/** The part of the journal that is requested. */
export interface JournalQuery {
  /** Only what belongs to this reference. */
  readonly reference: string | null;
  /** The newest so many of each list. */
  readonly limit: number;
}

/** A gateway's records. No secret is in it: accounts go by their id. */
export function journalOf(server: SimulatorServer, query: JournalQuery): Record<string, unknown> {
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
export function singleEntry(simulator: Simulator, checkout: Checkout): Record<string, unknown> {
  const calls = simulator.ledger.calls().filter((call) => call.reference === checkout.reference);
  const hooks = simulator.ledger.hooks().filter((hook) => hook.reference === checkout.reference);
  return transactionEntry(simulator, checkout, calls, hooks);
}

/** A refund in the journal, with the reference of its payment, which is null when that one was dropped, and the merchant's own of the refund. */
export function refundEntry(simulator: Simulator, refund: Refund): Record<string, unknown> {
  const { reference: merchantReference, ...rest } = refund;
  return { ...rest, merchantReference, reference: simulator.ledger.checkout(refund.checkoutId)?.reference ?? null };
}

/** A webhook in the journal: its size in bytes in place of its body. */
export function webhookEntry(hook: Hook): Record<string, unknown> {
  const { body, ...rest } = hook;
  return { ...rest, bytes: Buffer.byteLength(body) };
}

/** An account as it may be shown: the key only by its ends, other secrets only by whether there is one. */
export function accountEntry({ accountFields, keyField }: GatewaySpec, account: Account): Record<string, unknown> {
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
