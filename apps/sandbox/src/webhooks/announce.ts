import type { Charge, Checkout, Dispute, Hook, Refund, Settlement } from '../ledger/records.ts';
import { type DisputeStep, isoTime, type Simulator, type WebhookEvent } from '../simulator.ts';

/**
 * Sends the merchant the outcome of a charge. Resolves when the customer may be sent back: at once,
 * or after the webhook's first try under the fault `webhook_before_redirect`.
 */
export async function announceCharge(simulator: Simulator, checkout: Checkout, charge: Charge): Promise<void> {
  announceForgery(simulator, checkout);
  await announce(simulator, checkout, simulator.spec.chargeEvent(simulator, checkout, charge));
}

/** Sends the merchant the status of a refund. */
export function announceRefund(simulator: Simulator, refund: Refund, checkout: Checkout): void {
  void announce(simulator, checkout, simulator.spec.refundEvent(simulator, refund, checkout));
}

/** Sends the merchant what happened to a dispute. */
export function announceDispute(simulator: Simulator, checkout: Checkout, dispute: Dispute, step: DisputeStep): void {
  void announce(simulator, checkout, simulator.spec.disputeEvent?.(simulator, checkout, dispute, step) ?? null);
}

/** Sends the merchant that a payout was made, where the gateway announces them. */
export function announceSettlement(simulator: Simulator, settlement: Settlement): void {
  const event = simulator.spec.settlementEvent?.(simulator, settlement) ?? null;
  void announce(simulator, { accountId: settlement.accountId, reference: String(settlement.id) }, event);
}

/** Under the fault `forged_webhook`, sends a forged webhook that claims the checkout was paid in full. */
export function announceForgery(simulator: Simulator, checkout: Checkout): void {
  if (simulator.faults.strike(['forged_webhook']) === null) return;
  const event = simulator.spec.chargeEvent(simulator, checkout, claimedCharge(simulator, checkout));
  if (event === null) return;
  const hook = record(simulator, checkout, event, true, false);
  void simulator.dispatcher.send(hook, 0);
}

/** The subject of a webhook: a checkout, or a payout. */
type Subject = Pick<Hook, 'accountId' | 'reference'>;

async function announce(simulator: Simulator, subject: Subject, event: WebhookEvent | null): Promise<void> {
  if (event === null) return;
  const silent = simulator.faults.strike(['no_webhook']) !== null;
  const twice = simulator.faults.strike(['duplicate_webhook']) !== null;
  const first = simulator.faults.strike(['webhook_before_redirect']) !== null;
  const sending: Promise<void>[] = [];
  for (let copy = 0; copy < (twice ? 2 : 1); copy += 1) {
    const hook = record(simulator, subject, event, false, silent);
    if (hook.state === 'pending') sending.push(simulator.dispatcher.send(hook, first ? 0 : simulator.webhookDelayMs));
  }
  if (first) await Promise.all(sending);
}

function record(
  simulator: Simulator,
  { accountId, reference }: Subject,
  event: WebhookEvent,
  forged: boolean,
  silent: boolean,
): Hook {
  const account = simulator.ledger.account(accountId);
  const url = account?.webhookUrl ?? null;
  const hook: Hook = {
    id: simulator.ledger.nextId(),
    at: isoTime(simulator),
    event: event.name,
    accountId,
    reference,
    url,
    body: JSON.stringify(event.body),
    forged,
    state: silent ? 'suppressed' : url === null ? 'no_url' : 'pending',
    attempts: [],
  };
  simulator.ledger.put({ kind: 'hook', record: hook });
  return hook;
}

function claimedCharge(simulator: Simulator, checkout: Checkout): Charge {
  const at = isoTime(simulator);
  return {
    id: simulator.ledger.nextId(),
    status: 'success',
    channel: 'bank_transfer',
    amount: checkout.amount,
    fee: null,
    card: null,
    testCard: null,
    awaiting: [],
    wrongAnswers: 0,
    message: 'Approved',
    ip: '127.0.0.1',
    createdAt: at,
    finishedAt: at,
  };
}
