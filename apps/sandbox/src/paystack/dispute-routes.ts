import { type Account, type Checkout, type Dispute, paidCharge } from '../ledger/records.ts';
import { type Inbound, json, type Reply } from '../server/router.ts';
import type { ApiContext, ApiRoute, Simulator } from '../simulator.ts';
import { domainOf, presentCustomer, presentTransaction } from './present.ts';
import { problem } from './wire.ts';

/** Paystack's call about a dispute, https://paystack.com/docs/api/dispute/#fetch. */
export const disputeRoutes: readonly ApiRoute[] = [{ method: 'GET', pattern: '/dispute/:id', handle: fetchById }];

function fetchById(request: Inbound, { simulator, account, note }: ApiContext): Reply {
  const own = simulator.ledger
    .checkouts()
    .filter((checkout) => checkout.accountId === account.id && !checkout.hidden)
    .flatMap((checkout) => checkout.disputes.map((dispute) => ({ checkout, dispute })))
    .find(({ dispute }) => String(dispute.id) === request.params.id);
  if (own === undefined) return problem(404, 'Dispute not found', 'not_found', 'Pass the id of one of your disputes');
  note(own.checkout.reference);
  const data = presentDispute(simulator, account, own.checkout, own.dispute);
  return json(200, { status: true, message: 'Dispute retrieved', data });
}

/** A dispute with its transaction, which is `success` while it is open and `reversed` once all of the money went back. */
export function presentDispute(simulator: Simulator, account: Account, checkout: Checkout, dispute: Dispute) {
  const card = paidCharge(checkout)?.card ?? null;
  const complaint = 'Customer complained about debit without value';
  return {
    id: dispute.id,
    refund_amount: dispute.amount,
    currency: checkout.currency,
    status: dispute.status,
    resolution: dispute.resolution,
    domain: domainOf(account),
    transaction: presentTransaction(simulator, account, checkout),
    transaction_reference: null,
    category: dispute.category,
    customer: presentCustomer(checkout),
    bin: card?.bin ?? null,
    last4: card?.last4 ?? null,
    dueAt: dispute.dueAt,
    resolvedAt: dispute.resolvedAt,
    evidence: null,
    attachments: null,
    note: null,
    history: [{ status: 'pending', by: checkout.email, createdAt: dispute.createdAt }],
    messages: [{ sender: checkout.email, body: complaint, createdAt: dispute.createdAt }],
    createdAt: dispute.createdAt,
    updatedAt: dispute.resolvedAt ?? dispute.createdAt,
  };
}
