import { enqueueJob } from '@switchyard/db';
import type { Dispute, DisputeResponseAction, Prisma } from '@switchyard/db/client';
import { compareDecimals, sameDecimal } from '@switchyard/db/decimals';
import { type DisputeAction, type DisputeSupport, findGateway } from '@switchyard/gateways';
import type { PaymentsContext } from '@switchyard/payments/context';
import { writeDisputeEvent } from '@switchyard/payments/reversals';
import { auditDispute } from '../audit.ts';

/** An answer to a dispute. */
export interface NewAnswer {
  readonly merchantId: string;
  readonly disputeId: string;
  readonly action: DisputeResponseAction;
  /** Exact decimal of the main unit that goes back; null for all of it, and for a contested dispute. */
  readonly amount: string | null;
  readonly message: string;
  /** Whom it is about, and what was bought, where the gateway asks for it. */
  readonly customerName: string | null;
  readonly service: string | null;
  readonly evidenceId: string | null;
  /** True if a call sends it; false if it was given on the gateway's dashboard, and is recorded. */
  readonly send: boolean;
  /** The dispute as the person saw it when they confirmed: another amount or stage by now is not what they agreed to. */
  readonly seen: { readonly amount: string; readonly stage: string | null };
  /** `staff:<id>`. */
  readonly actor: string;
}

/** Result of answering, or why it was refused. */
export type AnswerOutcome =
  | { readonly kind: 'answered'; readonly responseId: string }
  | { readonly kind: 'not_found' }
  | {
      readonly kind: 'refused';
      readonly field: 'amount' | 'evidenceId' | 'customerName' | 'service' | null;
      readonly why: string;
    };

/** Fields of an answer that a refusal may be about. */
type Refused = Extract<AnswerOutcome, { kind: 'refused' }>;

/**
 * Records an answer and has it sent, or records one that was given at the gateway. A dispute is answered once in each of its stages: two
 * people at once are one answer, as the row is locked.
 */
export async function answerDispute(context: PaymentsContext, answer: NewAnswer): Promise<AnswerOutcome> {
  const { merchantId, disputeId, action, actor, send } = answer;
  return context.resources.database.prisma.$transaction(async (transaction) => {
    const dispute = await lockDispute(transaction, answer);
    if (dispute === null) return { kind: 'not_found' };
    const support = findGateway(dispute.gateway)?.disputes;
    const refusal = support === undefined ? refused(null, 'Its gateway is not known.') : refusalOf(dispute, answer, support);
    const other = refusal ?? (await refusalByOthers(transaction, dispute, answer));
    if (other !== null) return other;
    const now = context.now();
    const responseId = context.newId();
    const amount = action === 'ACCEPT' ? (answer.amount ?? dispute.amount.toFixed()) : null;
    const { message, customerName, service, evidenceId } = answer;
    await transaction.disputeResponse.create({
      data: {
        merchantId,
        id: responseId,
        disputeId,
        stage: dispute.stage ?? '',
        action,
        amount,
        message,
        evidenceId,
        customerName,
        service,
        state: send ? 'SENDING' : 'RECORDED',
        requestedBy: actor,
        createdAt: now,
      },
    });
    const detail = { responseId, action, amount, evidenceId, by: send ? 'call' : 'hand' };
    const event = { merchantId, id: context.newId(), disputeId, type: 'answered', actor, state: dispute.state, detail } as const;
    await writeDisputeEvent(transaction, event, now);
    const audited = { merchantId, disputeId, actor, action: 'disputes.answered', after: detail };
    await auditDispute(context, transaction, audited, now);
    if (send)
      await enqueueJob(transaction, 'answer-dispute', { merchantId, responseId }, { key: `answer-dispute:${responseId}` });
    return { kind: 'answered', responseId };
  });
}

function refused(field: Refused['field'], why: string): Refused {
  return { kind: 'refused', field, why };
}

/** True if an answer is sent from here: the gateway takes it by a call, and what it asks for is known. */
function isSentFrom(
  { paymentId }: Pick<Dispute, 'paymentId'>,
  { responses, customerFor }: DisputeSupport,
  kind: DisputeAction,
): boolean {
  return responses.includes(kind) && (paymentId !== null || !customerFor.includes(kind));
}

function refusalOf(dispute: Dispute, answer: NewAnswer, support: DisputeSupport): Refused | null {
  const { action, amount, seen, send } = answer;
  const isSame = sameDecimal(seen.amount, dispute.amount.toFixed()) && seen.stage === dispute.stage;
  if (!isSame) return refused(null, 'The dispute has changed since you opened it. Look at it again.');
  if (dispute.state !== 'NEEDS_RESPONSE') return refused(null, 'The dispute needs no answer any more.');
  const kind = action === 'ACCEPT' ? 'accept' : 'contest';
  const isSendable = isSentFrom(dispute, support, kind);
  if (send && !isSendable)
    return refused(
      null,
      support.responses.includes(kind)
        ? 'The gateway asks for the customer, who is not known here: answer on its dashboard, and record it here afterwards.'
        : 'The gateway takes this response on its own dashboard alone. Record it here afterwards.',
    );
  if (!send && isSendable) return refused(null, 'The gateway takes this answer from here.');
  if (action === 'ACCEPT' && amount !== null) {
    const isPart = compareDecimals(amount, dispute.amount.toFixed()) < 0;
    if (isPart && !support.partial) return refused('amount', 'The gateway takes no part of the amount.');
    if (compareDecimals(amount, '0') <= 0 || compareDecimals(amount, dispute.amount.toFixed()) > 0)
      return refused('amount', 'Enter an amount up to the disputed one.');
  }
  if (!send) return null;
  if (answer.evidenceId === null && support.evidenceFor.includes(kind))
    return refused('evidenceId', 'Choose the evidence to send.');
  if (!support.customerFor.includes(kind)) return null;
  if (answer.customerName === null) return refused('customerName', 'Enter the name of the customer.');
  return answer.service === null ? refused('service', 'Enter what the customer bought.') : null;
}

async function refusalByOthers(
  transaction: Prisma.TransactionClient,
  dispute: Dispute,
  { merchantId, disputeId, evidenceId }: NewAnswer,
): Promise<Refused | null> {
  const where = { merchantId, disputeId, stage: dispute.stage ?? '', state: { not: 'REFUSED' } } as const;
  if ((await transaction.disputeResponse.count({ where })) > 0) return refused(null, 'It has a response already.');
  if (evidenceId === null) return null;
  const isOwn = (await transaction.disputeEvidence.count({ where: { merchantId, disputeId, id: evidenceId } })) > 0;
  return isOwn ? null : refused('evidenceId', 'Choose a file of this dispute.');
}

/** Locks a dispute until the transaction ends, so that it is answered once; null when the merchant has no such dispute. */
export async function lockDispute(
  transaction: Prisma.TransactionClient,
  { merchantId, disputeId }: { readonly merchantId: string; readonly disputeId: string },
): Promise<Dispute | null> {
  await transaction.$queryRaw`
    SELECT id FROM dispute WHERE merchant_id = ${merchantId}::uuid AND id = ${disputeId}::uuid FOR UPDATE`;
  return transaction.dispute.findUnique({ where: { merchantId_id: { merchantId, id: disputeId } } });
}
