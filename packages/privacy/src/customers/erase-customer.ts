import { appendAuditEntry } from '@switchyard/db/audit';
import type { Prisma } from '@switchyard/db/client';
import { eraseDisputeAnswers } from '@switchyard/disputes/customers';
import { eraseRequestsOf } from '@switchyard/merchants/request-log';
import {
  ERASED,
  type ErasedRows,
  eraseCustomerOfPayments,
  eraseGatewayWebhooks,
  readCustomerPayments,
} from '@switchyard/payments/customers';
import { eraseDiscrepancyTexts } from '@switchyard/reconciliation/discrepancy-list';
import { type FieldProblem, fieldProblems } from '@switchyard/runtime';
import { type ErasedReports, eraseReports } from '@switchyard/scheduled-reports/customers';
import { eraseSettlementTexts } from '@switchyard/settlements/customers';
import { removeViews } from '@switchyard/staff/saved-views';
import { eraseDeliveries } from '@switchyard/webhooks/customers';
import type { PrivacyContext } from '../context.ts';
import {
  describeBlockers,
  erasureBlockers,
  type FoundCustomer,
  findCustomer,
  givenIdentifiers,
  isBlocked,
  type SubjectInput,
  searchedTextsOf,
  subjectHash,
  subjectSchema,
} from './find-customer.ts';

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
  const texts = searchedTextsOf(found);
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
    deliveryAnswers: await eraseDeliveries(transaction, merchantId, paymentIds, ERASED),
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

/** Data that erasing would change, and the obstacles to it. */
export interface ErasurePreview {
  readonly payments: number;
  /** Times of the first and the last payment; null without any. */
  readonly firstAt: Date | null;
  readonly lastAt: Date | null;
  /** Sums by currency, which stay as they are. */
  readonly sums: readonly { readonly currency: string; readonly amount: number }[];
  readonly attempts: number;
  readonly gatewayWebhooks: number;
  readonly refunds: number;
  readonly notes: number;
  readonly savedViews: number;
  /** Identifiers on the payments, in part: `ad***@example.com`. */
  readonly identifiers: readonly string[];
  /** Sentences; empty when nothing stands against it. */
  readonly blockers: readonly string[];
  /** The text to type for confirmation. */
  readonly confirmation: string;
}

/** The preview, or why there is none. */
export type PreviewErasureOutcome =
  | { readonly kind: 'found'; readonly preview: ErasurePreview }
  | { readonly kind: 'invalid'; readonly problems: readonly FieldProblem[] }
  /** More payments than one request handles. */
  | { readonly kind: 'too_many' };

/** Says what erasing a customer would touch. Changes nothing. */
export async function previewErasure(context: PrivacyContext, input: SubjectInput): Promise<PreviewErasureOutcome> {
  const parsed = subjectSchema.safeParse(input);
  if (!parsed.success) return { kind: 'invalid', problems: fieldProblems(parsed.error) };
  const found = await findCustomer(context, parsed.data);
  if (found === null) return { kind: 'too_many' };
  return { kind: 'found', preview: await describe(context, found) };
}

async function describe({ resources }: PrivacyContext, found: FoundCustomer): Promise<ErasurePreview> {
  const { database, vault } = resources;
  const { merchantId } = found.subject;
  const data = await readCustomerPayments({ database, vault }, merchantId, found.paymentIds);
  const times = data.payments.map(({ createdAt }) => createdAt.getTime());
  const sums = new Map<string, bigint>();
  for (const { currency, amount } of data.payments) sums.set(currency, (sums.get(currency) ?? 0n) + amount);
  const blockers = await erasureBlockers(database.prisma, merchantId, found.paymentIds);
  const { emails, phones, customerIds } = found.identifiers;
  return {
    payments: data.payments.length,
    firstAt: times.length === 0 ? null : new Date(Math.min(...times)),
    lastAt: times.length === 0 ? null : new Date(Math.max(...times)),
    sums: [...sums].map(([currency, amount]) => ({ currency, amount: Number(amount) })),
    attempts: data.attempts.filter(({ call }) => call !== null).length,
    gatewayWebhooks: data.gatewayWebhooks.filter(({ body }) => body !== '').length,
    refunds: data.refunds.length,
    notes: data.notes.length,
    savedViews: found.viewIds.length,
    identifiers: [...emails, ...phones, ...customerIds].map(inPart),
    blockers: describeBlockers(blockers),
    confirmation: confirmationOf(data.payments.length),
  };
}

/** The text to type for erasing: it names the number, so that it is read before it is confirmed. */
function confirmationOf(payments: number): string {
  return `erase ${payments} ${payments === 1 ? 'payment' : 'payments'}`;
}

/** An identifier with its middle left out, enough to recognise one that is known. */
function inPart(text: string): string {
  const [name = '', host] = text.split('@');
  const shown = name.length <= 4 ? `${name.slice(0, 1)}***` : `${name.slice(0, 2)}***${name.slice(-2)}`;
  return host === undefined ? shown : `${name.slice(0, 2)}***@${host}`;
}
