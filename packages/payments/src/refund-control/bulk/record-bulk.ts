import { hintAfterCommit } from '@switchyard/db';
import { appendAuditEntries } from '@switchyard/db/audit';
import type { Prisma } from '@switchyard/db/client';
import type { PaymentsContext } from '../../context.ts';
import { changePayments } from '../../life-cycle/apply-change.ts';
import { resolveFailedRefunds } from '../../refunds/queries.ts';
import { newRefund, REQUESTED, requestedDetail, sendHint, staffOrNull } from '../../refunds/record-refund.ts';
import { type RefundingPerson, requestApproval } from '../hold-refund.ts';
import type { BulkDecision, BulkRefund } from './decide-bulk.ts';

/**
 * Records what was decided of a file: what `recordRefund` writes for each refund, in one statement for all of a table, and the approvals
 * after them.
 */
export async function recordBulk(
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
