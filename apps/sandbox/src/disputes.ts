import { type Checkout, type Dispute, paidCharge } from './ledger/records.ts';
import { refundable } from './refunds.ts';
import { isoTime, type Simulator } from './simulator.ts';
import { announceDispute } from './webhooks/announce.ts';

const hourMs = 3_600_000;

/** How a dispute is resolved: only `declined` leaves the money with the merchant. */
export type Resolution = NonNullable<Dispute['resolution']>;

/** Takes money of a paid transaction back; null for all that is left. False where nothing, or not as much, is left. */
export function reverse(simulator: Simulator, checkout: Checkout, amount: number | null): boolean {
  const charge = paidCharge(checkout);
  const left = charge === null ? 0 : refundable(simulator, checkout, charge);
  const taken = amount ?? left;
  if (left <= 0 || taken > left) return false;
  checkout.reversed += taken;
  simulator.ledger.put({ kind: 'checkout', record: checkout });
  return true;
}

/** Gives back what was taken of a transaction. */
export function reinstate(simulator: Simulator, checkout: Checkout): void {
  checkout.reversed = 0;
  simulator.ledger.put({ kind: 'checkout', record: checkout });
}

/** Opens a dispute of a paid transaction and sends the webhook about it. */
export function openDispute(
  simulator: Simulator,
  checkout: Checkout,
  { amount, category, dueAt }: { readonly amount: number; readonly category: string; readonly dueAt: string | null },
): Dispute {
  const createdAt = isoTime(simulator);
  const dispute: Dispute = {
    id: simulator.ledger.nextId(),
    amount,
    category,
    status: 'awaiting-merchant-feedback',
    resolution: null,
    dueAt: dueAt ?? new Date(Date.parse(createdAt) + (simulator.spec.answerHours ?? 0) * hourMs).toISOString(),
    createdAt,
    resolvedAt: null,
    files: [],
    evidenceId: null,
    message: null,
    proof: null,
  };
  checkout.disputes.push(dispute);
  simulator.ledger.put({ kind: 'checkout', record: checkout });
  announceDispute(simulator, checkout, dispute, 'create');
  return dispute;
}

/** Resolves a dispute and sends the webhook about it; an accepted one takes `amount` back, null for all that is disputed. */
export function resolveDispute(
  simulator: Simulator,
  checkout: Checkout,
  dispute: Dispute,
  { resolution, amount }: { readonly resolution: Resolution; readonly amount: number | null },
): void {
  dispute.status = 'resolved';
  dispute.resolution = resolution;
  dispute.resolvedAt = isoTime(simulator);
  if (resolution !== 'declined') {
    dispute.amount = amount ?? dispute.amount;
    checkout.reversed += dispute.amount;
  }
  simulator.ledger.put({ kind: 'checkout', record: checkout });
  announceDispute(simulator, checkout, dispute, 'resolve');
}

/** A dispute with its transaction. */
export interface OwnDispute {
  readonly checkout: Checkout;
  readonly dispute: Dispute;
}

/** The disputes of an account, newest first. Those without an answer in time are resolved in the customer's favour first. */
export function disputesOf(simulator: Simulator, accountId: string): OwnDispute[] {
  const own = simulator.ledger
    .checkouts()
    .filter((checkout) => checkout.accountId === accountId && !checkout.hidden)
    .flatMap((checkout) => checkout.disputes.map((dispute) => ({ checkout, dispute })));
  for (const { checkout, dispute } of own) {
    if (dispute.status !== 'awaiting-merchant-feedback' || Date.parse(dispute.dueAt) > simulator.now()) continue;
    resolveDispute(simulator, checkout, dispute, { resolution: 'auto-accepted', amount: null });
  }
  return own.sort((one, other) => other.dispute.id - one.dispute.id);
}

/** Takes a merchant's answer: an accepted dispute is resolved, a contested one goes to the bank. False where it takes none any more. */
export function answerDispute(
  simulator: Simulator,
  { checkout, dispute }: OwnDispute,
  answer: { readonly accepts: boolean; readonly amount: number | null; readonly message: string; readonly proof: string | null },
): boolean {
  if (dispute.status !== 'awaiting-merchant-feedback') return false;
  dispute.message = answer.message;
  dispute.proof = answer.proof;
  if (answer.accepts) resolveDispute(simulator, checkout, dispute, { resolution: 'merchant-accepted', amount: answer.amount });
  else {
    dispute.status = 'awaiting-bank-feedback';
    simulator.ledger.put({ kind: 'checkout', record: checkout });
  }
  return true;
}
