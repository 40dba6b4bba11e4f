import { paidCharge } from '../ledger/records.ts';
import { createRefund, refundable } from '../refunds.ts';
import { type Inbound, parseJson, type Reply } from '../server/router.ts';
import type { ApiContext, ApiRoute } from '../simulator.ts';
import { gatewayReference, presentRefund } from './present.ts';
import { ownTransaction } from './transaction-routes.ts';
import { invalidReference, problem, refundRequestSchema, success } from './wire.ts';

/** Refunds can be requested. There is no call that looks one up, and no list of them. */
export const refundRoutes: readonly ApiRoute[] = [
  { method: 'POST', pattern: '/transaction/refund', creates: true, handle: create },
];

function create(request: Inbound, { simulator, account, note }: ApiContext): Reply {
  const parsed = refundRequestSchema.safeParse(parseJson(request.body));
  if (!parsed.success) return problem(400, `${String(parsed.error.issues[0]?.path[0] ?? 'body')} is required`);
  const sent = parsed.data;
  const checkout = ownTransaction(simulator, account, sent.transaction_ref);
  if (checkout === null) return invalidReference();
  note(checkout.reference);
  const charge = paidCharge(checkout);
  if (charge === null) return problem(400, 'Only successful transactions can be refunded');
  if (sent.gateway_transaction_ref !== gatewayReference(checkout, charge))
    return problem(400, 'Invalid gateway transaction reference');
  const amount = sent.refund_type === 'Full' ? refundable(simulator, checkout, charge) : (sent.refund_amount ?? null);
  if (amount === null) return problem(400, 'refund_amount is required');
  const answer = createRefund(simulator, checkout, charge, {
    amount,
    customerNote: null,
    merchantNote: sent.reason_for_refund,
  });
  switch (answer.kind) {
    case 'not_paid':
      return problem(400, 'Only successful transactions can be refunded');
    case 'nothing_left':
      return problem(400, 'Transaction has been refunded');
    case 'too_much':
      return problem(400, 'Refund amount cannot be greater than the transaction amount');
    case 'accepted':
      return success(presentRefund(checkout, charge));
    default:
      return answer satisfies never;
  }
}
