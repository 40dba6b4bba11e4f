import type { DisputeResponseState, DisputeState, Prisma } from '@switchyard/db/client';
import type { PaymentsContext } from '@switchyard/payments/context';
import { writeDisputeEvent } from '@switchyard/payments/reversals';

/** A dispute as its gateway reports it after an answer may have reached it. */
interface AskedDispute {
  readonly merchantId: string;
  readonly disputeId: string;
  readonly state: DisputeState;
}

/** The answer whose outcome is not known has arrived once the gateway waits for none any more. Repeating it changes nothing. */
export async function confirmResponse(context: PaymentsContext, { merchantId, disputeId, state }: AskedDispute): Promise<void> {
  if (state === 'NEEDS_RESPONSE') return;
  const { prisma } = context.resources.database;
  const open: DisputeResponseState[] = ['SENDING', 'UNKNOWN'];
  const where = { merchantId, disputeId, state: { in: open }, attemptedAt: { not: null } };
  if ((await prisma.disputeResponse.count({ where })) === 0) return;
  await prisma.$transaction(async (transaction) => {
    const data = { state: 'SENT', failure: null } as const;
    const { count } = await transaction.disputeResponse.updateMany({ where, data });
    if (count > 0) await writeResponseEvent(context, transaction, { merchantId, disputeId, state, type: 'sent', detail: {} });
  });
}

/** The outcome of an answer, for the history. */
interface ResponseEvent extends AskedDispute {
  readonly type: 'sent' | 'unknown' | 'refused';
  readonly detail: Readonly<Record<string, string | null>>;
}

/** Adds what became of an answer to the dispute's history. */
export async function writeResponseEvent(
  context: PaymentsContext,
  transaction: Prisma.TransactionClient,
  event: ResponseEvent,
): Promise<void> {
  await writeDisputeEvent(transaction, { ...event, id: context.newId(), actor: null }, context.now());
}
