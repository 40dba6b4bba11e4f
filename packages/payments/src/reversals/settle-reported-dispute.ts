import { findAttempt, findAttemptByReference } from '../record/attempt-queries.ts';
import type { PaymentsContext } from '../record/context.ts';
import { type DisputeKey, readDispute, writeDispute, writeDisputeEvent } from '../record/dispute-rows.ts';
import { fetchGatewayResult } from '../record/fetch-gateway-result.ts';
import { readPayment } from '../record/statements.ts';
import { applyDispute, publishedDue } from './apply-dispute.ts';
import { type DisputeReport, type SettledDispute, settleDispute } from './settle-dispute.ts';

/** A dispute's report for an account: its reference says which attempt's money is disputed. */
export interface AccountDisputeReport extends Omit<DisputeReport, 'attempt'> {
  readonly accountId: string;
}

/** Applies what a gateway says of a dispute, as {@link settleDispute} does, also where its payment is not in the ledger. */
export async function settleReportedDispute(
  context: PaymentsContext,
  { accountId, ...report }: AccountDisputeReport,
): Promise<SettledDispute> {
  const { merchantId, reported } = report;
  const attempt = await findAttemptByReference(context.resources.database, merchantId, accountId, reported.reference);
  return attempt === null
    ? settleUnknownDispute(context, { ...report, accountId })
    : settleDispute(context, { ...report, attempt });
}

/** A report of a dispute whose reference is of no attempt. */
export interface UnknownDisputeReport extends Omit<DisputeReport, 'attempt' | 'cause'> {
  readonly accountId: string;
}

const DEFAULT_CURRENCY = 'NGN';

/**
 * Applies what a gateway reports of a dispute of a payment that is not in the ledger, in one transaction: another software took it at the same
 * account, and the merchant has to answer in the same time. Nothing of a payment changes. Repeating it changes nothing.
 */
async function settleUnknownDispute(
  context: PaymentsContext,
  { merchantId, accountId, reported, due = null, fee = null, actor, also }: UnknownDisputeReport,
): Promise<SettledDispute> {
  const { configuration, database } = context.resources;
  await configuration.ready();
  const account = configuration.account(accountId)?.account;
  if (account === undefined) throw new Error(`account ${accountId} of a dispute is not known`);
  const { mode, gateway, currencies } = account;
  const { gatewayDisputeId, reference, transactionId, transaction: disputed } = reported;
  const ids = { merchantId, accountId, gatewayDisputeId };
  const key: DisputeKey = { ...ids, mode, gateway, reference, transactionId, paymentId: null, attemptId: null };
  // An account with several currencies may be of any of them.
  const currency = disputed?.currency ?? currencies[0] ?? DEFAULT_CURRENCY;
  return database.prisma.$transaction(async (transaction) => {
    // Two reports of a new dispute at once: the second one waits.
    await transaction.$queryRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`dispute ${accountId} ${gatewayDisputeId}`}, 0))::text`;
    const now = context.now();
    const known = await readDispute(transaction, ids);
    // It has turned out to be of a payment meanwhile.
    if (known !== null && known.paymentId !== null) return { disputeId: known.id, state: known.state };
    const openedAt = reported.openedAt ?? now;
    const isSeen = actor !== undefined;
    const paid = disputed?.amount ?? '0';
    const terms = { paid, now, due: due ?? publishedDue(gateway, openedAt), fee, isSeen };
    const change = applyDispute(known, reported, terms);
    const disputeId = known?.id ?? context.newId();
    if (change !== null) {
      await writeDispute(transaction, key, { id: disputeId, currency, manual: isSeen, openedAt }, change.fields, now);
      const { state, category, stage, amount, dueAt, dueSource, unrecognised } = change.fields;
      const detail = { amount, currency, category, stage, dueAt: dueAt?.toISOString() ?? null, dueSource };
      const heard = unrecognised !== null && unrecognised !== known?.unrecognised ? 'unrecognised' : 'reported';
      const entry = { merchantId, id: context.newId(), disputeId, actor: actor ?? null, state, detail } as const;
      await writeDisputeEvent(transaction, { ...entry, type: isSeen ? 'recorded' : heard }, now);
    }
    await also?.(transaction, disputeId);
    return { disputeId, state: change?.fields.state ?? known?.state ?? 'NEEDS_RESPONSE' };
  });
}

const LOOKUP_TIMEOUT_MS = 10_000;

/** A dispute as a webhook names it. */
interface NamedDispute {
  /** The attempt whose money is disputed; null of a payment that is not in the ledger. */
  readonly attemptId: string | null;
  readonly gatewayDisputeId: string;
}

/**
 * Looks up the dispute that a stored webhook names at its gateway, and once it is closed, or may be, the payment too: the webhook itself proves nothing.
 * Throws without an answer.
 */
export async function followUpDisputeWebhook(
  context: PaymentsContext,
  webhook: { readonly merchantId: string; readonly accountId: string },
  { attemptId, gatewayDisputeId }: NamedDispute,
): Promise<void> {
  const { merchantId } = webhook;
  const { configuration, database, openAccount } = context.resources;
  const attempt = attemptId === null ? null : await findAttempt(database, merchantId, attemptId);
  if (attemptId !== null && attempt === null) return;
  const accountId = attempt?.accountId ?? webhook.accountId;
  const known = configuration.account(accountId);
  const opened = known === undefined ? null : openAccount(known.account);
  if (opened?.gateway.findDispute === undefined) return;
  const gateway = opened.gateway.name;
  const found = await opened.gateway.findDispute(opened.access, { gatewayDisputeId }, { timeoutMs: LOOKUP_TIMEOUT_MS });
  if (found.outcome === 'unknown') throw new Error(`${gateway} gave no answer about a dispute: ${found.failure.code}`);
  if (found.outcome !== 'yes') return;
  const reported = found.value;
  if (attempt === null) {
    await settleReportedDispute(context, { merchantId, accountId, reported, cause: 'gateway_webhook' });
    return;
  }
  if (reported.reference !== attempt.reference) throw new Error(`${gateway} answered about the dispute of another payment`);
  const isOpen =
    reported.unrecognised === undefined && (reported.state === 'needs_response' || reported.state === 'under_review');
  await settleDispute(context, { merchantId, attempt, reported, cause: 'gateway_webhook' });
  if (!isOpen) await verifyDisputed(context, merchantId, attempt.id);
}

/** The transaction of a closed dispute says whether its money went back, whatever the dispute was closed with. */
async function verifyDisputed(context: PaymentsContext, merchantId: string, attemptId: string): Promise<void> {
  const { database } = context.resources;
  const attempt = await findAttempt(database, merchantId, attemptId);
  const payment = attempt === null ? undefined : await readPayment(database, merchantId, attempt.paymentId);
  if (attempt === null || payment === undefined) return;
  const lookup = { payment, attempt, transactionId: null, cause: 'gateway_webhook', timeoutMs: LOOKUP_TIMEOUT_MS } as const;
  const { answered } = await fetchGatewayResult(context, lookup, { add: () => {} });
  if (!answered) throw new Error(`${attempt.gateway} gave no answer about attempt ${attempt.id}`);
}
