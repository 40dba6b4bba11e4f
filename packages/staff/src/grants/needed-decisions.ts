import { NIL_ID } from '@switchyard/db';
import type { Prisma } from '@switchyard/db/client';
import { z } from 'zod';
import type { StaffContext } from '../context.ts';
import type { Permission } from '../permissions/permissions.ts';
import { readDeciders } from './rule-approvers.ts';

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

/**
 * Decisions that no one could take any more if this person left: approvals of refunds, publications of rules and reviews of months which
 * need a second person. The transaction holds `lockStaffGrants`.
 */
export async function listNeededDecisions(
  transaction: Prisma.TransactionClient,
  staffId: string,
  now: Date,
): Promise<NeededDecision[]> {
  const needed = await listUndecidable(transaction, staffId, now);
  const merchantIds = [...new Set(needed.map(({ merchantId }) => merchantId))];
  const merchants = await transaction.merchant.findMany({
    where: { id: { in: merchantIds } },
    select: { id: true, name: true },
    take: merchantIds.length,
  });
  const names = new Map(merchants.map(({ id, name }) => [id, name]));
  return needed.map((one) => ({ ...one, merchantName: names.get(one.merchantId) ?? one.merchantId }));
}

type Undecidable = Omit<NeededDecision, 'merchantName'>;

/** Decisions that no one can take, or with an id those that no one could take without this person, who can now. */
async function listUndecidable(client: Prisma.TransactionClient, without: string | null, now: Date): Promise<Undecidable[]> {
  const controls = [...(await refundControls(client, now)), ...(await ruleControls(client)), ...(await monthControls(client))];
  const found: Undecidable[] = [];
  for (const [permission, some] of Map.groupBy(controls, (control) => control.permission)) {
    const decidersOf = await readDeciders(client, permission);
    for (const { of, merchantId, least, waiting } of some) {
      const deciders = decidersOf(merchantId);
      if (without !== null && !deciders.delete(without)) continue;
      const actors = [...deciders].map((id) => `staff:${id}`);
      const stuck = waiting.filter((barred) => actors.every((actor) => barred.includes(actor)));
      if (stuck.length > 0 || deciders.size < least) found.push({ of, merchantId, waiting: stuck.length });
    }
  }
  return found;
}

/** A decision that no one can take since a person left who was needed for it. */
export interface ApproverWhoLeft extends Undecidable {
  readonly name: string;
  readonly leftAt: Date;
}

const leaver = z.object({
  merchantId: z.string(),
  of: z.enum(['refunds', 'rules', 'months']),
  name: z.string(),
  leftAt: z.date(),
});
const LEAVERS_MAX = 200;

/**
 * Decisions of these merchants that no one can take since a person left, with the last who did: until another one gets a role that may, or the
 * person comes back.
 */
export async function listApproversWhoLeft(
  { resources, now }: StaffContext,
  merchantIds: readonly string[],
): Promise<ApproverWhoLeft[]> {
  const { prisma } = resources.database;
  const undecidable = await listUndecidable(prisma, null, now());
  if (!undecidable.some(({ merchantId }) => merchantIds.includes(merchantId))) return [];
  const rows = await prisma.$queryRaw`
    SELECT DISTINCT ON (1, 2) needed->>'merchantId' AS "merchantId", needed->>'of' AS of, staff_user.name, entry.created_at AS "leftAt"
    FROM staff_user JOIN audit_entry AS entry ON entry.tenant_id = ${NIL_ID}::uuid AND entry.object_id = staff_user.id::text
    CROSS JOIN LATERAL json_array_elements(
      CASE json_typeof(entry.after->'neededFor') WHEN 'array' THEN entry.after->'neededFor' ELSE '[]' END) AS needed
    WHERE staff_user.disabled_at IS NOT NULL AND entry.action IN ('staff.disabled', 'staff.deprovisioned')
    ORDER BY 1, 2, entry.created_at DESC LIMIT ${LEAVERS_MAX}`;
  const leavers = z.array(leaver).parse(rows);
  return undecidable
    .filter(({ merchantId }) => merchantIds.includes(merchantId))
    .flatMap((decision) => {
      const last = leavers.find(({ merchantId, of }) => merchantId === decision.merchantId && of === decision.of);
      return last === undefined ? [] : [{ ...decision, name: last.name, leftAt: last.leftAt }];
    });
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
