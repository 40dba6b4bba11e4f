import { createHmac } from 'node:crypto';
import type { Account, Charge, Checkout, Dispute, Hook, Refund, Settlement } from '../ledger/records.ts';
import {
  type DisputeStep,
  type GatewaySpec,
  isoTime,
  type Simulator,
  type TransferMistake,
  type WebhookEvent,
} from '../simulator.ts';

/** How a gateway signs the body of a webhook. */
interface SigningRule {
  readonly algorithm: 'sha256' | 'sha512';
  readonly secret: (account: Account) => string | undefined;
  /** The signed text; the whole body unless given. */
  readonly over?: (body: string) => string;
  /** The signature as the header has it; its hexadecimal digits in lower case unless given. */
  readonly written?: (hex: string) => string;
}

/** The signature of webhooks by an HMAC under one header; none where the account has no secret. */
export function signedBy(
  header: string,
  { algorithm, secret, over, written = (hex) => hex }: SigningRule,
): Pick<GatewaySpec, 'sign' | 'signatures'> {
  return {
    signatures: [{ header, coversBody: over === undefined }],
    sign: (account, { forged, body }): Record<string, string> => {
      const key = forged ? 'not-the-secret-key' : secret(account);
      if (key === undefined) return {};
      return {
        [header]: written(
          createHmac(algorithm, key)
            .update(over?.(body) ?? body)
            .digest('hex'),
        ),
      };
    },
  };
}

/**
 * Sends the merchant the outcome of a charge. Resolves when the customer may be sent back: at once,
 * or after the webhook's first try under the fault `webhook_before_redirect`.
 */
export async function announceCharge(simulator: Simulator, checkout: Checkout, charge: Charge): Promise<void> {
  announceForgery(simulator, checkout);
  await announce(simulator, checkout, simulator.spec.chargeEvent(simulator, checkout, charge));
}

/** Sends the merchant that a transfer goes back to the customer, where the gateway announces that. */
export function announceReturnedTransfer(
  simulator: Simulator,
  checkout: Checkout,
  amount: number,
  mistake: TransferMistake,
): void {
  const id = simulator.ledger.nextId();
  void announce(
    simulator,
    checkout,
    simulator.spec.returnedTransferEvent?.(simulator, checkout, { id, amount, mistake }) ?? null,
  );
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
