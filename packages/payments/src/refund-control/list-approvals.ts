import type { Mode } from '@switchyard/db/client';
import type { RuntimeContext } from '@switchyard/runtime';
import type { PaymentsContext } from '../context.ts';
import { type MoneyPagePart, nextMoneyKey } from '../lists/money-page.ts';
import type { MoneyPage } from '../refunds/list-refunds.ts';
import {
  type ApprovalFilter,
  type ApprovalListItem,
  readApprovalPage,
  sumWaiting,
  type WaitingRefunds,
} from './approval-queries.ts';

/** Refunds of several merchants that need a second person, newest first unless another order is wanted. */
export async function listApprovals(
  context: PaymentsContext,
  { after, limit, sort, ...filter }: ApprovalFilter & MoneyPagePart,
): Promise<MoneyPage<ApprovalListItem>> {
  const page = { after, limit: limit + 1, sort };
  const rows = await readApprovalPage(context.resources.database, filter, page, context.now());
  const next = nextMoneyKey(rows, limit, ({ createdAt, approvalId: id, amount }) => ({ createdAt, id, amount }));
  return { items: rows.slice(0, limit), next };
}

/** Refunds of these merchants that wait for this staff user's approval: those they requested are left out. */
export function sumRefundsToApprove(
  context: RuntimeContext<'database'>,
  query: { readonly merchantIds: readonly string[]; readonly mode: Mode; readonly staffId: string },
): Promise<WaitingRefunds[]> {
  const { merchantIds, mode, staffId } = query;
  return sumWaiting(context.resources.database, { merchantIds, mode, exceptOf: `staff:${staffId}` }, context.now());
}
