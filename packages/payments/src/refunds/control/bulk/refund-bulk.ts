import { hintAfterCommit, transactWithHints } from '@switchyard/db';
import { appendAuditEntries } from '@switchyard/db/audit';
import type { Prisma } from '@switchyard/db/client';
import { startOfDay } from '@switchyard/runtime/calendar-days';
import { changePayments } from '../../../record/apply-change.ts';
import type { PaymentsContext } from '../../../record/context.ts';
import { resolveFailedRefunds } from '../../../record/refund-queries.ts';
import { newRefund, REQUESTED, requestedDetail, sendHint, staffOrNull } from '../../record-refund.ts';
import { type RefundingPerson, requestApproval } from '../hold-refund.ts';
import { LIMIT_ZONE, sumRequestedBy } from '../queries.ts';
import { type BulkDecision, type BulkLine, type BulkRefund, type BulkScope, decideBulk, readBulkState } from './decide-bulk.ts';
import { type BulkRow, isUnreadable, readBulkFile, type UnreadableCell } from './read-bulk-file.ts';

/** A file of refunds of one merchant and mode. */
export interface BulkFileOf extends BulkScope {
  /** CSV, as {@link readBulkFile} takes it. */
  readonly file: string;
}

/** The outcome that a file would have now, line by line. */
export interface BulkPreview {
  readonly kind: 'preview';
  readonly lines: readonly BulkLine[];
  /** Names exactly this preview; refunding the file is asked for with it. */
  readonly hash: string;
}

/** Why a file is no file of refunds. */
export interface UnreadableFile {
  readonly kind: 'unreadable';
  readonly problem: UnreadableCell;
}

/** The refunds and approvals made, or why there are none. */
export type RefundBulkOutcome =
  /** Every line became what its preview said. */
  | { readonly kind: 'done'; readonly refunds: number; readonly approvals: number }
  /** Another preview holds by now; nothing was done. */
  | { readonly kind: 'changed'; readonly preview: BulkPreview }
  | UnreadableFile;

/** One transaction records a whole file. */
const TRANSACTION_TIMEOUT_MS = 60_000;

/** Says what would become of each line of a file now. Changes nothing. */
export async function previewBulk(
  context: PaymentsContext,
  { file, ...scope }: BulkFileOf,
  person: RefundingPerson,
): Promise<BulkPreview | UnreadableFile> {
  const read = await readBulkFile(file);
  if (read.kind === 'unreadable') return read;
  return previewOf(await decide(context, context.resources.database.prisma, { scope, rows: read.rows, locks: false }, person));
}

/**
 * Refunds a file as its preview said, in one transaction: with payments and control locked it is decided again, and where anything differs
 * from the preview of this hash, nothing is done. The same line is refunded once, whenever and in whatever file it comes again.
 */
export async function refundBulk(
  context: PaymentsContext,
  { file, hash, ...scope }: BulkFileOf & { readonly hash: string },
  person: RefundingPerson,
): Promise<RefundBulkOutcome> {
  const read = await readBulkFile(file);
  if (read.kind === 'unreadable') return read;
  return transactWithHints(
    context.resources.database,
    async (transaction): Promise<RefundBulkOutcome> => {
      const decision = await decide(context, transaction, { scope, rows: read.rows, locks: true }, person);
      if (decision.hash !== hash) return { kind: 'changed', preview: previewOf(decision) };
      await recordBulk(context, transaction, decision, person);
      const refunds = decision.refunds.filter(({ kind }) => kind === 'refund').length;
      return { kind: 'done', refunds, approvals: decision.refunds.length - refunds };
    },
    { timeout: TRANSACTION_TIMEOUT_MS },
  );
}

interface Reading {
  readonly scope: BulkScope;
  readonly rows: readonly (BulkRow | UnreadableCell)[];
  readonly locks: boolean;
}

async function decide(
  context: PaymentsContext,
  client: Prisma.TransactionClient,
  { scope, rows, locks }: Reading,
  { actor, roles }: RefundingPerson,
): Promise<BulkDecision> {
  const now = context.now();
  const readable = rows.filter((row): row is BulkRow => !isUnreadable(row));
  const state = await readBulkState(client, scope, readable, locks);
  const requestedToday = new Map<string, bigint>();
  for (const currency of new Set([...state.payments.values()].map((payment) => payment.currency))) {
    const query = { ...scope, currency, actor, since: startOfDay(now, LIMIT_ZONE) };
    requestedToday.set(currency, await sumRequestedBy(client, query, now));
  }
  return decideBulk(scope, rows, state, { roles, requestedToday }, now);
}

function previewOf({ lines, hash }: BulkDecision): BulkPreview {
  return { kind: 'preview', lines, hash };
}

/**
 * Records what was decided of a file: what `recordRefund` writes for each refund, in one statement for all of a table, and the approvals
 * after them.
 */
async function recordBulk(
  context: PaymentsContext,
  transaction: Prisma.TransactionClient,
  { refunds }: BulkDecision,
  person: RefundingPerson,
): Promise<void> {
  const now = context.now();
  const requested = refunds.filter(({ kind }) => kind === 'refund');
  const rows = requested.map((each) => {
    const { refundId, ...refund } = newRefund(each.payment, requestOf(each), person, now);
    return { ...refund, id: refundId, state: 'REQUESTED' as const, createdAt: now, updatedAt: now };
  });
  await resolveFailed(transaction, requested, person, now);
  await transaction.refund.createMany({ data: rows });
  const changes = [...Map.groupBy(requested, ({ payment }) => payment)].map(([payment, own]) => ({
    merchantId: payment.merchantId,
    paymentId: payment.paymentId,
    version: payment.version,
    events: own.map((each) => ({
      eventId: context.newId(),
      type: REQUESTED,
      fromStatus: null,
      toStatus: null,
      cause: person.cause,
      actor: staffOrNull(person.actor),
      detail: requestedDetail(requestOf(each), person),
    })),
  }));
  const [first] = changes;
  const applied = first === undefined || (await changePayments(transaction, first.merchantId, changes, now));
  if (!applied) throw new Error('a payment changed while it was locked');
  const versions = new Map(changes.map(({ paymentId, version }) => [paymentId, version + 1]));
  const entries = requested.map((each) => ({
    tenantId: each.payment.merchantId,
    entryId: context.newId(),
    actor: person.actor,
    action: REQUESTED,
    objectType: 'refund',
    objectId: each.refundId,
    before: null,
    after: { paymentId: each.payment.paymentId, ...requestedDetail(requestOf(each), person) },
  }));
  await appendAuditEntries(transaction, context.resources.auditKeys, entries, now);
  hintAfterCommit(
    transaction,
    requested.map(({ payment, refundId }) => sendHint(payment.merchantId, refundId)),
  );
  for (const each of refunds) {
    if (each.kind === 'refund') continue;
    const { payment } = each;
    const version = versions.get(payment.paymentId) ?? payment.version;
    await requestApproval(context, transaction, { ...payment, version }, { refund: requestOf(each), subjectId: null }, person);
    versions.set(payment.paymentId, version + 1);
  }
}

/** Failed refunds of payments that have any are resolved as single requests resolve them; new ones are not among them yet. */
async function resolveFailed(
  transaction: Prisma.TransactionClient,
  requested: readonly BulkRefund[],
  { actor }: RefundingPerson,
  now: Date,
): Promise<void> {
  for (const { payment, amount, replacesFailed } of requested) {
    if (!replacesFailed) continue;
    const { merchantId, paymentId } = payment;
    await resolveFailedRefunds(transaction, { merchantId, paymentId, amount }, { resolvedBy: actor, resolvedAt: now });
  }
}

function requestOf({ refundId, money, amount, payment, reason, reasonCode }: BulkRefund) {
  return { refundId, money, amount, currency: payment.currency, reason, reasonCode, kind: 'own' } as const;
}
