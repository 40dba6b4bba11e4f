import { createHash } from 'node:crypto';
import type { Mode } from '@switchyard/db/client';
import { findGateway, gatewayTitle } from '@switchyard/gateways';
import type { PaymentsContext } from '@switchyard/payments/context';
import { isClosed, writeDisputeEvent } from '@switchyard/payments/reversals';
import { auditDispute } from '../audit.ts';
import { lockDispute } from './answer-dispute.ts';

export { type AnswerOutcome, answerDispute } from './answer-dispute.ts';
export {
  countDisputes,
  type DisputeCount,
  type DisputeDetail,
  type DisputeItem,
  findDispute,
  listDisputes,
} from './list-disputes.ts';
export { type OpenDisputeOutcome, openDispute, type RecordDisputeOutcome, recordDispute } from './record-dispute.ts';

/** How disputes of an account come, and when they were last read. */
interface DisputeSourceItem {
  readonly merchantId: string;
  readonly accountId: string;
  readonly accountLabel: string;
  readonly gateway: string;
  readonly gatewayTitle: string;
  /** `list`: read from the gateway. `hand`: opened by staff users, as the gateway documents no list. */
  readonly road: 'list' | 'hand';
  readonly readAt: Date | null;
  readonly failure: string | null;
}

/** The accounts of these merchants with how their disputes come. */
export async function listDisputeSources(
  { resources }: Pick<PaymentsContext, 'resources'>,
  { merchantIds, mode }: { readonly merchantIds: readonly string[]; readonly mode: Mode },
): Promise<DisputeSourceItem[]> {
  const { configuration, database } = resources;
  await configuration.ready();
  const rows = await database.prisma.disputeSource.findMany({ where: { merchantId: { in: [...merchantIds] } } });
  const sources = new Map(rows.map((row) => [row.accountId, row]));
  return configuration
    .merchants()
    .filter(({ merchant }) => merchantIds.includes(merchant.id))
    .flatMap(({ merchant, accounts }) =>
      accounts
        .filter((account) => account.mode === mode)
        .map(({ id, label, gateway }) => ({
          merchantId: merchant.id,
          accountId: id,
          accountLabel: label,
          gateway,
          gatewayTitle: gatewayTitle(gateway),
          road: findGateway(gateway)?.listDisputes === undefined ? ('hand' as const) : ('list' as const),
          readAt: sources.get(id)?.readTo ?? null,
          failure: sources.get(id)?.failure ?? null,
        })),
    );
}

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
      data: { state: arrived ? 'SENT' : 'REFUSED' },
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

/** Kinds of files that gateways take as evidence, with how a file of each begins. */
const KINDS: readonly { readonly mediaType: string; readonly extension: string; readonly begins: readonly number[] }[] = [
  { mediaType: 'application/pdf', extension: 'pdf', begins: [0x25, 0x50, 0x44, 0x46, 0x2d] },
  { mediaType: 'image/png', extension: 'png', begins: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a] },
  { mediaType: 'image/jpeg', extension: 'jpg', begins: [0xff, 0xd8, 0xff] },
];

/** Bounds of evidence. */
export const EVIDENCE_LIMITS = { bytesMax: 5 * 1_048_576, filesMax: 10, nameMax: 100 } as const;

/** A file that may be evidence, or why not. */
export type ReadEvidence =
  | { readonly kind: 'evidence'; readonly fileName: string; readonly mediaType: string }
  | { readonly kind: 'refused'; readonly why: string };

/**
 * Checks a file by its content: its name and what a browser calls it prove nothing. The name is kept without what addresses and headers
 * give a meaning.
 */
export function readEvidence(fileName: string, content: Uint8Array): ReadEvidence {
  if (content.length === 0) return { kind: 'refused', why: 'The file is empty.' };
  if (content.length > EVIDENCE_LIMITS.bytesMax) return { kind: 'refused', why: 'The file is larger than 5 MB.' };
  const kind = KINDS.find(({ begins }) => begins.every((byte, at) => content[at] === byte));
  if (kind === undefined) return { kind: 'refused', why: 'Choose a PDF, PNG or JPEG file.' };
  const stem = fileName
    .replace(/\.[A-Za-z]{1,5}$/, '')
    .normalize('NFC')
    .replace(/[^\p{L}\p{N} ._-]/gu, '_')
    .slice(0, EVIDENCE_LIMITS.nameMax);
  return { kind: 'evidence', fileName: `${stem === '' ? 'evidence' : stem}.${kind.extension}`, mediaType: kind.mediaType };
}
