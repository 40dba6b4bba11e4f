import { createHash } from 'node:crypto';
import type { PaymentsContext } from '@switchyard/payments/context';
import { isClosed, writeDisputeEvent } from '@switchyard/payments/reversals';
import { auditDispute } from '../audit.ts';
import { EVIDENCE_LIMITS, readEvidence } from '../evidence-file.ts';
import { lockDispute } from './lock-dispute.ts';

/** A file to keep with a dispute. */
interface NewEvidence {
  readonly merchantId: string;
  readonly disputeId: string;
  readonly fileName: string;
  readonly content: Uint8Array<ArrayBuffer>;
  /** `staff:<id>`. */
  readonly actor: string;
}

/** Result of adding evidence, or why it was refused. */
export type AddEvidenceOutcome =
  | { readonly kind: 'added'; readonly evidenceId: string }
  | { readonly kind: 'not_found' }
  | { readonly kind: 'refused'; readonly why: string };

/** Keeps a file with an open dispute. Nothing is sent before the dispute is answered. */
export async function addEvidence(
  context: PaymentsContext,
  { merchantId, disputeId, fileName: given, content, actor }: NewEvidence,
): Promise<AddEvidenceOutcome> {
  const read = readEvidence(given, content);
  if (read.kind === 'refused') return read;
  const { fileName, mediaType } = read;
  return context.resources.database.prisma.$transaction(async (transaction) => {
    const dispute = await lockDispute(transaction, { merchantId, disputeId });
    if (dispute === null) return { kind: 'not_found' };
    if (isClosed(dispute.state)) return { kind: 'refused', why: 'The dispute is closed.' };
    const count = await transaction.disputeEvidence.count({ where: { merchantId, disputeId } });
    if (count >= EVIDENCE_LIMITS.filesMax)
      return { kind: 'refused', why: `A dispute has ${EVIDENCE_LIMITS.filesMax} files at most.` };
    const now = context.now();
    const evidenceId = context.newId();
    const digest = createHash('sha256').update(content).digest('hex');
    await transaction.disputeEvidence.create({
      data: {
        merchantId,
        id: evidenceId,
        disputeId,
        fileName,
        mediaType,
        content,
        digest,
        sizeBytes: content.length,
        uploadedBy: actor,
        createdAt: now,
      },
    });
    const detail = { evidenceId, mediaType, digest };
    const event = { merchantId, id: context.newId(), disputeId, actor, state: dispute.state, detail };
    await writeDisputeEvent(transaction, { ...event, type: 'evidence_added' }, now);
    await auditDispute(
      context,
      transaction,
      { merchantId, disputeId, actor, action: 'disputes.evidence_added', after: detail },
      now,
    );
    return { kind: 'added', evidenceId };
  });
}

/** A file of a dispute of these merchants; null where there is none. */
export function readEvidenceContent(
  context: Pick<PaymentsContext, 'resources'>,
  { merchantIds, evidenceId }: { readonly merchantIds: readonly string[]; readonly evidenceId: string },
) {
  return context.resources.database.prisma.disputeEvidence.findFirst({
    where: { merchantId: { in: [...merchantIds] }, id: evidenceId },
    select: { fileName: true, mediaType: true, content: true },
  });
}
