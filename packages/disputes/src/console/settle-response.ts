import type { PaymentsContext } from '@switchyard/payments/context';
import { writeDisputeEvent } from '@switchyard/payments/reversals';
import { auditDispute } from '../audit.ts';
import { lockDispute } from './lock-dispute.ts';

/** The outcome that a staff user saw at the gateway, of an answer whose outcome is not known here. */
interface SeenResponse {
  readonly merchantId: string;
  readonly disputeId: string;
  readonly responseId: string;
  /** False if the gateway does not have it: then the dispute may be answered again. */
  readonly arrived: boolean;
  /** `staff:<id>`. */
  readonly actor: string;
}

/** Result, or why it was refused. */
export type SettleResponseOutcome =
  | { readonly kind: 'settled' }
  | { readonly kind: 'not_found' }
  | { readonly kind: 'refused'; readonly why: string };

/** Records what became of an answer whose outcome is not known, as a person saw it at the gateway. Nothing is sent. */
export async function settleResponse(
  context: PaymentsContext,
  { merchantId, disputeId, responseId, arrived, actor }: SeenResponse,
): Promise<SettleResponseOutcome> {
  return context.resources.database.prisma.$transaction(async (transaction) => {
    const dispute = await lockDispute(transaction, { merchantId, disputeId });
    if (dispute === null) return { kind: 'not_found' };
    const now = context.now();
    const { count } = await transaction.disputeResponse.updateMany({
      where: { merchantId, disputeId, id: responseId, state: 'UNKNOWN' },
      data: { state: arrived ? 'SENT' : 'REFUSED', updatedAt: now },
    });
    if (count === 0) return { kind: 'refused', why: 'The result of this answer is already known.' };
    const detail = { responseId, by: 'hand' };
    const event = { merchantId, id: context.newId(), disputeId, actor, state: dispute.state, detail };
    await writeDisputeEvent(transaction, { ...event, type: arrived ? 'sent' : 'refused' }, now);
    const after = { ...detail, arrived };
    await auditDispute(context, transaction, { merchantId, disputeId, actor, action: 'disputes.response_settled', after }, now);
    return { kind: 'settled' };
  });
}
