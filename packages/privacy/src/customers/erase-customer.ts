import { appendAuditEntry } from '@switchyard/db/audit';
import type { Prisma } from '@switchyard/db/client';
import { eraseDisputeAnswers } from '@switchyard/disputes/customers';
import { eraseRequestsOf } from '@switchyard/merchants/request-log';
import { ERASED, type ErasedRows, eraseCustomerOfPayments, eraseGatewayWebhooks } from '@switchyard/payments/customers';
import { eraseDiscrepancyTexts } from '@switchyard/reconciliation/customers';
import { type FieldProblem, fieldProblems } from '@switchyard/runtime';
import { type ErasedReports, eraseReports } from '@switchyard/scheduled-reports/customers';
import { eraseSettlementTexts } from '@switchyard/settlements/customers';
import { removeViews } from '@switchyard/staff/saved-views';
import { eraseDeliveryAnswers } from '@switchyard/webhooks/customers';
import type { PrivacyContext } from '../context.ts';
import { describeBlockers, erasureBlockers, type FoundCustomer, findCustomer, isBlocked, textsOf } from './find-customer.ts';
import { confirmationOf } from './preview-erasure.ts';
import { givenIdentifiers, type SubjectInput, subjectHash, subjectSchema } from './subject.ts';

/** Payments of one transaction. */
const BATCH = 100;
const TRANSACTION = { timeout: 10_000 };

/** Asks to erase a customer. `confirmation` is what the preview showed. */
export interface EraseCustomerCommand {
  readonly subject: SubjectInput;
  readonly confirmation: string;
  readonly actor: string;
}

/** Rows from which something was removed. */
export interface ErasedCounts extends ErasedRows, ErasedReports {
  readonly deliveryAnswers: number;
  readonly apiRequests: number;
  readonly discrepancies: number;
  readonly disputeAnswers: number;
  readonly savedViews: number;
}

/** Result of erasing a customer, or the reason why it was refused. */
export type EraseCustomerOutcome =
  | { readonly kind: 'erased'; readonly counts: ErasedCounts }
  | { readonly kind: 'invalid'; readonly problems: readonly FieldProblem[] }
  | { readonly kind: 'nothing_found' }
  | { readonly kind: 'too_many' }
  /** The confirmation is not that of what is there now; nothing was changed. */
  | { readonly kind: 'not_confirmed'; readonly confirmation: string }
  /** Something is unfinished. `erasedPayments` were done before it turned up; asking again later does the rest. */
  | { readonly kind: 'blocked'; readonly blockers: readonly string[]; readonly erasedPayments: number };

/**
 * Removes a customer's personal data for good: payments stay with amount, status, references and times, so that sums, ledger and roll-ups
 * are as before. Batches of payments in transactions of their own, each with an entry in the audit log that names the person by a keyed
 * hash only; after a failure, asking again does the rest.
 */
export async function eraseCustomer(context: PrivacyContext, command: EraseCustomerCommand): Promise<EraseCustomerOutcome> {
  const parsed = subjectSchema.safeParse(command.subject);
  if (!parsed.success) return { kind: 'invalid', problems: fieldProblems(parsed.error) };
  const found = await findCustomer(context, parsed.data);
  if (found === null) return { kind: 'too_many' };
  const { paymentIds, viewIds, subject } = found;
  if (paymentIds.length === 0 && viewIds.length === 0) return { kind: 'nothing_found' };
  const confirmation = confirmationOf(paymentIds.length);
  if (command.confirmation.trim().toLowerCase() !== confirmation) return { kind: 'not_confirmed', confirmation };
  const { database } = context.resources;
  const blockers = await erasureBlockers(database.prisma, subject.merchantId, paymentIds);
  if (isBlocked(blockers)) return { kind: 'blocked', blockers: describeBlockers(blockers), erasedPayments: 0 };
  return eraseBatches(context, found, command.actor);
}

async function eraseBatches(context: PrivacyContext, found: FoundCustomer, actor: string): Promise<EraseCustomerOutcome> {
  const { prisma } = context.resources.database;
  const { paymentIds, viewIds, subject } = found;
  const texts = textsOf(subject, found.identifiers).filter((text) => text.length >= SEARCHED_MIN);
  // Before the payments, by which asking again after a failure finds the person, and without their locks.
  const apiRequests = await eraseRequestsOf(context.resources.database, { merchantId: subject.merchantId, paymentIds, texts });
  let counts = NOTHING;
  // Without payments there is still one batch, for the saved views.
  for (let from = 0; from === 0 || from < paymentIds.length; from += BATCH) {
    const ofFirst = from === 0 ? { viewIds, apiRequests } : { viewIds: [], apiRequests: 0 };
    const batch = { subject, texts, paymentIds: paymentIds.slice(from, from + BATCH), ...ofFirst };
    const outcome = await prisma.$transaction((transaction) => eraseBatch(context, transaction, batch, actor), TRANSACTION);
    if (outcome.kind === 'blocked') return { ...outcome, erasedPayments: counts.payments };
    counts = sumOf(counts, outcome.counts);
  }
  // Webhooks that were being stored meanwhile did not see the erasure.
  await eraseGatewayWebhooks(prisma, subject.merchantId, paymentIds);
  return { kind: 'erased', counts };
}

type BatchOutcome =
  | { readonly kind: 'erased'; readonly counts: ErasedCounts }
  | { readonly kind: 'blocked'; readonly blockers: readonly string[] };

interface Batch extends Pick<FoundCustomer, 'subject' | 'paymentIds' | 'viewIds'> {
  /** Texts that identify the person. */
  readonly texts: readonly string[];
  /** Requests that were erased before, to be counted with it. */
  readonly apiRequests: number;
}

async function eraseBatch(
  context: PrivacyContext,
  transaction: Prisma.TransactionClient,
  { subject, paymentIds, viewIds, texts, apiRequests }: Batch,
  actor: string,
): Promise<BatchOutcome> {
  const now = context.now();
  const { merchantId } = subject;
  // Locked before they are looked at again: what starts now, such as a refund, waits and sees the erased payment.
  await transaction.$queryRaw`
    SELECT id FROM payment WHERE merchant_id = ${merchantId}::uuid AND id = ANY (${[...paymentIds]}::uuid[]) ORDER BY id FOR UPDATE`;
  const blockers = await erasureBlockers(transaction, merchantId, paymentIds);
  if (isBlocked(blockers)) return { kind: 'blocked', blockers: describeBlockers(blockers) };
  const counts = {
    ...(await eraseCustomerOfPayments(transaction, { merchantId, paymentIds, identifiers: texts }, now)),
    deliveryAnswers: await eraseDeliveryAnswers(transaction, merchantId, paymentIds),
    apiRequests,
    discrepancies:
      (await eraseDiscrepancyTexts(transaction, merchantId, paymentIds, ERASED)) +
      (await eraseSettlementTexts(transaction, merchantId, paymentIds, ERASED)),
    disputeAnswers: await eraseDisputeAnswers(transaction, merchantId, paymentIds, ERASED),
    savedViews: await removeViews(transaction, viewIds),
    ...(await eraseReports(transaction, { ...subject, texts }, now)),
  };
  const after = { mode: subject.mode, identifiedBy: givenIdentifiers(subject), ...counts };
  const object = { objectType: 'customer', objectId: subjectHash(context, subject), before: null, after };
  const entry = { tenantId: merchantId, entryId: context.newId(), actor, action: 'customer.erased', ...object };
  await appendAuditEntry(transaction, context.resources.auditKeys, entry, now);
  return { kind: 'erased', counts };
}

/** Shorter identifiers would be found in messages that are about something else. */
const SEARCHED_MIN = 5;

const NOTHING: ErasedCounts = {
  payments: 0,
  attempts: 0,
  gatewayWebhooks: 0,
  notes: 0,
  timelineEvents: 0,
  refunds: 0,
  duplicateCharges: 0,
  idempotencyRecords: 0,
  deliveryAnswers: 0,
  apiRequests: 0,
  discrepancies: 0,
  disputeAnswers: 0,
  savedViews: 0,
  reportFiles: 0,
  reportSchedules: 0,
};

function sumOf(one: ErasedCounts, other: ErasedCounts): ErasedCounts {
  return {
    payments: one.payments + other.payments,
    attempts: one.attempts + other.attempts,
    gatewayWebhooks: one.gatewayWebhooks + other.gatewayWebhooks,
    notes: one.notes + other.notes,
    timelineEvents: one.timelineEvents + other.timelineEvents,
    refunds: one.refunds + other.refunds,
    duplicateCharges: one.duplicateCharges + other.duplicateCharges,
    idempotencyRecords: one.idempotencyRecords + other.idempotencyRecords,
    deliveryAnswers: one.deliveryAnswers + other.deliveryAnswers,
    apiRequests: one.apiRequests + other.apiRequests,
    discrepancies: one.discrepancies + other.discrepancies,
    disputeAnswers: one.disputeAnswers + other.disputeAnswers,
    savedViews: one.savedViews + other.savedViews,
    reportFiles: one.reportFiles + other.reportFiles,
    reportSchedules: one.reportSchedules + other.reportSchedules,
  };
}
