import type { Charge, Checkout, Hook, Refund } from '../ledger/records.ts';
import { type Desk, isoTime, type WebhookEvent } from '../simulator.ts';

/**
 * Tells the merchant how a charge ended. Resolves when the customer may be sent back: at once,
 * or after the webhook's first try while that order is switched round.
 */
export async function announceCharge(desk: Desk, checkout: Checkout, charge: Charge): Promise<void> {
  announceForgery(desk, checkout);
  await announce(desk, checkout, desk.spec.chargeEvent(desk, checkout, charge));
}

/** Tells the merchant where a refund stands. */
export function announceRefund(desk: Desk, refund: Refund, checkout: Checkout): void {
  void announce(desk, checkout, desk.spec.refundEvent(desk, refund, checkout));
}

/** While forgeries are on, sends one that claims the checkout was paid in full. */
export function announceForgery(desk: Desk, checkout: Checkout): void {
  if (desk.faults.strike(['forged_webhook']) === null) return;
  const event = desk.spec.chargeEvent(desk, checkout, claimedCharge(desk, checkout));
  if (event === null) return;
  const hook = record(desk, checkout, event, true, false);
  void desk.courier.send(hook, 0);
}

async function announce(desk: Desk, checkout: Checkout, event: WebhookEvent | null): Promise<void> {
  if (event === null) return;
  const silent = desk.faults.strike(['no_webhook']) !== null;
  const twice = desk.faults.strike(['duplicate_webhook']) !== null;
  const first = desk.faults.strike(['webhook_before_redirect']) !== null;
  const sending: Promise<void>[] = [];
  for (let copy = 0; copy < (twice ? 2 : 1); copy += 1) {
    const hook = record(desk, checkout, event, false, silent);
    if (hook.state === 'pending') sending.push(desk.courier.send(hook, first ? 0 : desk.webhookDelayMs));
  }
  if (first) await Promise.all(sending);
}

function record(desk: Desk, checkout: Checkout, event: WebhookEvent, forged: boolean, silent: boolean): Hook {
  const account = desk.books.account(checkout.accountId);
  const url = account?.webhookUrl ?? null;
  const hook: Hook = {
    id: desk.books.nextId(),
    at: isoTime(desk),
    event: event.name,
    accountId: checkout.accountId,
    reference: checkout.reference,
    url,
    body: JSON.stringify(event.body),
    forged,
    state: silent ? 'suppressed' : url === null ? 'no_url' : 'pending',
    attempts: [],
  };
  desk.books.put({ kind: 'hook', record: hook });
  return hook;
}

function claimedCharge(desk: Desk, checkout: Checkout): Charge {
  const at = isoTime(desk);
  return {
    id: desk.books.nextId(),
    status: 'success',
    channel: 'bank_transfer',
    amount: checkout.amount,
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
