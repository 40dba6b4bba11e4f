import { findAttemptByReference } from '../record/attempt-queries.ts';
import type { PaymentsContext } from '../record/context.ts';
import { type DisputeKey, readDispute, writeDispute, writeDisputeEvent } from '../record/dispute-rows.ts';
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
