import { type Checkout, type Dispute, paidCharge } from './ledger/records.ts';
import { refundable } from './refunds.ts';
import { isoTime, type Simulator } from './simulator.ts';
import { announceDispute } from './webhooks/announce.ts';

const hourMs = 3_600_000;
/** How long a merchant has to answer, https://support.paystack.com/en/articles/2125442. */
const answerHours = 16;

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
  { amount, category }: { readonly amount: number; readonly category: string },
): Dispute {
  const createdAt = isoTime(simulator);
  const dispute: Dispute = {
    id: simulator.ledger.nextId(),
    amount,
    category,
    status: 'awaiting-merchant-feedback',
    resolution: null,
    dueAt: new Date(Date.parse(createdAt) + answerHours * hourMs).toISOString(),
    createdAt,
    resolvedAt: null,
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
