import { findAttemptByReference } from '../attempts/queries.ts';
import type { PaymentsContext } from '../context.ts';
import { type DisputeReport, type SettledDispute, settleDispute } from './settle-dispute.ts';

/** A dispute's report for an account: its reference says which attempt's money is disputed. */
export interface AccountDisputeReport extends Omit<DisputeReport, 'attempt'> {
  readonly accountId: string;
}

/** Applies what a gateway's list says of a dispute, as {@link settleDispute} does; null where it is of a payment that is not ours. */
export async function settleReportedDispute(
  context: PaymentsContext,
  { accountId, ...report }: AccountDisputeReport,
): Promise<SettledDispute | null> {
  const { merchantId, reported } = report;
  const attempt = await findAttemptByReference(context.resources.database, merchantId, accountId, reported.reference);
  return attempt === null ? null : settleDispute(context, { ...report, attempt });
}
