import { findAttemptByReference } from '../attempts/queries.ts';
import type { PaymentsContext } from '../context.ts';
import { type DisputeReport, type SettledDispute, settleDispute } from './settle-dispute.ts';
import { settleUnknownDispute } from './settle-unknown-dispute.ts';

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
