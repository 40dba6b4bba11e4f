import { minorToDecimal, readMinor } from '../amount.ts';
import type { AccountAccess, CallOptions, DisputeQuery, Outcome, ReportedDispute } from '../gateway.ts';
import { isOtherMode, readTime } from '../list-answers.ts';
import { failure, toLookupFailure } from '../outcomes.ts';
import { callPaystack, title } from './account.ts';
import { notFoundOr } from './answers.ts';
import { type Dispute, disputeSchema, disputeStateOf } from './wire.ts';

/**
 * `GET /dispute/{id}` (https://paystack.com/docs/api/dispute/#fetch). While a dispute is open its transaction stays `success`; once it is
 * accepted, by the merchant or after 16 hours of silence, the transaction is `reversed`, as the samples of
 * `charge.dispute.create` and `charge.dispute.resolve` show. `refund_amount` is a part where the merchant accepted a part.
 */
export async function findDispute(
  account: AccountAccess,
  query: DisputeQuery,
  options: CallOptions,
): Promise<Outcome<ReportedDispute>> {
  const path = `/dispute/${encodeURIComponent(query.gatewayDisputeId)}`;
  const reply = await callPaystack(account, { method: 'GET', path, body: null, repeatable: true, ...options });
  if (reply.kind === 'failed') return toLookupFailure(reply.failed, reply.call);
  const found = disputeSchema.safeParse(reply.json);
  if (!found.success || reply.status >= 400) return notFoundOr(reply, 'dispute');
  const dispute = found.data.data;
  if (dispute.id !== query.gatewayDisputeId) {
    const reason = failure('provider_fault', 'reference_mismatch', `${title} answered about another dispute.`);
    return { outcome: 'unknown', failure: reason, call: reply.call };
  }
  if (isOtherMode(dispute.domain, account)) {
    const message = `${title} answered from another mode, the account is ${account.mode}.`;
    return { outcome: 'unknown', failure: failure('our_configuration', 'invalid_credentials', message), call: reply.call };
  }
  return { outcome: 'yes', value: toReported(dispute), call: reply.call };
}

function toReported(dispute: Dispute): ReportedDispute {
  const { refund_amount: refunded } = dispute;
  const minor = refunded === null || refunded === undefined ? null : readMinor(refunded);
  return {
    gatewayDisputeId: dispute.id,
    reference: dispute.transaction.reference,
    transactionId: dispute.transaction.id,
    state: disputeStateOf(dispute),
    category: dispute.category ?? null,
    amount: minor === null || minor <= 0n ? null : minorToDecimal(minor),
    dueAt: readTime(dispute.dueAt),
    openedAt: readTime(dispute.createdAt ?? dispute.created_at),
    closedAt: readTime(dispute.resolvedAt),
  };
}
