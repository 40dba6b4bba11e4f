import { NIL_ID } from '@switchyard/db';
import type { Prisma } from '@switchyard/db/client';
import type { Permission } from '../permissions/permissions.ts';
import { allowing } from './rule-approvers.ts';

/** Decisions of a merchant that a person is needed for: without them too few people may take them. */
export interface NeededDecision {
  readonly of: 'refunds' | 'rules' | 'months';
  readonly merchantId: string;
  readonly merchantName: string;
  /** Requests that wait and that no one else may decide. */
  readonly waiting: number;
}

/** A control of a merchant that needs a second person. */
interface Control {
  readonly of: NeededDecision['of'];
  readonly merchantId: string;
  readonly permission: Permission;
  /** People without whom nothing of the kind is decided. */
  readonly least: number;
  /** For each request that waits, the actors who may not decide it. */
  readonly waiting: readonly (readonly string[])[];
}

const MERCHANTS_MAX = 200;
const REQUESTS_MAX = 1_000;
const GRANTS_MAX = 10_000;

/**
 * Decisions that no one could take any more if this person left: approvals of refunds, publications of rules and reviews of months which
 * need a second person. The transaction holds `lockStaffGrants`.
 */
export async function listNeededDecisions(
  transaction: Prisma.TransactionClient,
  staffId: string,
  now: Date,
): Promise<NeededDecision[]> {
  const controls = [
    ...(await refundControls(transaction, now)),
    ...(await ruleControls(transaction)),
    ...(await monthControls(transaction)),
  ];
  const needed: Omit<NeededDecision, 'merchantName'>[] = [];
  for (const [permission, some] of Map.groupBy(controls, (control) => control.permission)) {
    const decidersOf = await readDeciders(transaction, permission);
    for (const { of, merchantId, least, waiting } of some) {
      const deciders = decidersOf(merchantId);
      if (!deciders.delete(staffId)) continue;
      const actors = [...deciders].map((id) => `staff:${id}`);
      const stuck = waiting.filter((barred) => actors.every((actor) => barred.includes(actor)));
      if (stuck.length > 0 || deciders.size < least) needed.push({ of, merchantId, waiting: stuck.length });
    }
  }
  const merchantIds = [...new Set(needed.map(({ merchantId }) => merchantId))];
  const merchants = await transaction.merchant.findMany({
    where: { id: { in: merchantIds } },
    select: { id: true, name: true },
    take: merchantIds.length,
  });
  const names = new Map(merchants.map(({ id, name }) => [id, name]));
  return needed.map((one) => ({ ...one, merchantName: names.get(one.merchantId) ?? one.merchantId }));
}

async function refundControls(transaction: Prisma.TransactionClient, now: Date): Promise<Control[]> {
  const rows = await transaction.refundControl.findMany({
    where: { secondPersonAbove: { not: null } },
    select: { merchantId: true },
    take: MERCHANTS_MAX,
  });
  const requests = await transaction.refundApproval.findMany({
    where: { merchantId: { in: rows.map(({ merchantId }) => merchantId) }, state: 'WAITING', expiresAt: { gt: now } },
    select: { merchantId: true, requestedBy: true },
    take: REQUESTS_MAX,
  });
  return rows.map(({ merchantId }) => ({
    of: 'refunds',
    merchantId,
    permission: 'refund:approve',
    least: 1,
    waiting: requests.filter((one) => one.merchantId === merchantId).map(({ requestedBy }) => [requestedBy]),
  }));
}

async function ruleControls(transaction: Prisma.TransactionClient): Promise<Control[]> {
  const rows = await transaction.merchant.findMany({
    where: { rulesNeedApproval: true },
    select: { id: true },
    take: MERCHANTS_MAX,
  });
  const drafts = await transaction.ruleSetVersion.findMany({
    where: {
      merchantId: { in: rows.map(({ id }) => id) },
      state: 'DRAFT',
      approvalRequestedBy: { not: null },
      approvedBy: null,
      rejectedBy: null,
    },
    select: { merchantId: true, createdBy: true, editors: true, approvalRequestedBy: true },
    take: REQUESTS_MAX,
  });
  return rows.map(({ id: merchantId }) => ({
    of: 'rules',
    merchantId,
    permission: 'routing:publish',
    least: 2,
    waiting: drafts
      .filter((draft) => draft.merchantId === merchantId)
      .map(({ createdBy, editors, approvalRequestedBy }) => [
        createdBy,
        ...editors,
        ...(approvalRequestedBy === null ? [] : [approvalRequestedBy]),
      ]),
  }));
}

async function monthControls(transaction: Prisma.TransactionClient): Promise<Control[]> {
  const rows = await transaction.accountingSetting.findMany({
    where: { needsReview: true },
    select: { merchantId: true, mode: true },
    take: MERCHANTS_MAX,
  });
  const months = await transaction.monthClose.findMany({
    where: { merchantId: { in: rows.map(({ merchantId }) => merchantId) }, signedAt: null },
    select: { merchantId: true, mode: true, reviewedBy: true },
    take: REQUESTS_MAX,
  });
  const merchantIds = [...new Set(rows.map(({ merchantId }) => merchantId))];
  const isReviewed = (month: { readonly merchantId: string; readonly mode: string }) =>
    rows.some(({ merchantId, mode }) => merchantId === month.merchantId && mode === month.mode);
  return merchantIds.map((merchantId) => ({
    of: 'months',
    merchantId,
    permission: 'month:close',
    least: 2,
    // One reviews, another one signs off.
    waiting: months
      .filter((month) => month.merchantId === merchantId && isReviewed(month))
      .map(({ reviewedBy }) => (reviewedBy === null ? [] : [reviewedBy])),
  }));
}

/** Enabled staff users with a permission, by merchant. */
async function readDeciders(
  transaction: Prisma.TransactionClient,
  permission: Permission,
): Promise<(merchantId: string) => Set<string>> {
  const grants = await transaction.staffGrant.findMany({
    where: { ...allowing(permission), staff: { disabledAt: null } },
    select: { staffId: true, merchantId: true },
    take: GRANTS_MAX,
  });
  return (merchantId) =>
    new Set(grants.filter((grant) => [NIL_ID, merchantId].includes(grant.merchantId)).map(({ staffId }) => staffId));
}
