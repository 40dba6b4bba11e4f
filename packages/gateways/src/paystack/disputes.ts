import { callWithKey, get } from '../access.ts';
import { minorToDecimal, readMinor } from '../amount.ts';
import { readLookup, toNotFound } from '../answers.ts';
import type { Gateway, ReportedDispute } from '../gateway.ts';
import { readTime } from '../list-answers.ts';
import { unknown } from '../states.ts';
import { api } from './api.ts';
import { settings } from './settings.ts';
import { otherModeOf } from './verdict.ts';
import { type Dispute, disputeSchema, disputeStateOf } from './wire.ts';

/**
 * `GET /dispute/{id}` (https://paystack.com/docs/api/dispute/#fetch). While a dispute is open its transaction stays `success`; once it is
 * accepted, by the merchant or after 16 hours of silence, the transaction is `reversed`, as the samples of
 * `charge.dispute.create` and `charge.dispute.resolve` show. `refund_amount` is a part where the merchant accepted a part.
 */
export const findDispute: NonNullable<Gateway['findDispute']> = async (account, query, options) => {
  const request = get(`/dispute/${encodeURIComponent(query.gatewayDisputeId)}`, options);
  return readLookup(await callWithKey(api, account, request), {
    schema: disputeSchema,
    read: ({ data }) => {
      if (data.id !== query.gatewayDisputeId) {
        return unknown('provider_fault', 'reference_mismatch', `${api.title} answered about another dispute.`);
      }
      const otherMode = otherModeOf(account, [data]);
      return otherMode === null ? { outcome: 'yes', value: toReported(data) } : { outcome: 'unknown', failure: otherMode };
    },
    refused: (reply) => toNotFound(api, reply, settings.notFound, 'dispute'),
  });
};

function toReported(dispute: Dispute): ReportedDispute {
  const minor = readMinor(dispute.refund_amount);
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
