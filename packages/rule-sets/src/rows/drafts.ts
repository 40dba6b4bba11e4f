import type { Database, JsonValue } from '@switchyard/db';
import { isUuid, toPrismaJson } from '@switchyard/db';
import { Prisma, type RuleSetVersion } from '@switchyard/db/client';
import type { RuleSetKey, RuleSetSummary } from './versions.ts';

const OPEN = ['DRAFT', 'SCHEDULED'] satisfies RuleSetVersion['state'][];

/** A draft to store; `baseVersion` 0 when nothing was published. */
export interface NewRuleDraft extends RuleSetKey {
  readonly id: string;
  readonly name: string | null;
  readonly document: JsonValue;
  readonly baseVersion: number;
  readonly restoredVersion: number | null;
  readonly reason: string | null;
  readonly createdBy: string;
}

/** Inserts a draft at revision 1 in the caller's transaction. */
export async function insertRuleDraft(
  transaction: Prisma.TransactionClient,
  draft: NewRuleDraft,
  now: Date,
): Promise<RuleSetVersion> {
  const { document, createdBy, ...rest } = draft;
  return transaction.ruleSetVersion.create({
    data: {
      ...rest,
      state: 'DRAFT',
      document: toPrismaJson(document),
      createdBy,
      savedBy: createdBy,
      editors: [createdBy],
      createdAt: now,
      updatedAt: now,
    },
  });
}

/** The columns of a draft that can change. Omitted ones stay unchanged. */
export interface RuleDraftChanges
  extends Partial<
    Pick<
      RuleSetVersion,
      | 'name'
      | 'revision'
      | 'baseVersion'
      | 'savedBy'
      | 'editors'
      | 'approvalRequestedBy'
      | 'approvalRequestedAt'
      | 'approvedBy'
      | 'approvedAt'
      | 'rejectedBy'
      | 'rejectedAt'
      | 'rejectionReason'
      | 'reason'
      | 'publishAt'
      | 'scheduledBy'
    >
  > {
  readonly state?: 'DRAFT' | 'SCHEDULED' | 'DISCARDED';
  readonly document?: JsonValue;
  readonly scheduleRefusal?: JsonValue;
}

/** Changes a draft, scheduled or not. Throws when it is no longer a draft: published versions never change. */
export async function updateRuleDraft(
  transaction: Prisma.TransactionClient,
  draft: { readonly merchantId: string; readonly id: string },
  changes: RuleDraftChanges,
  now: Date,
): Promise<RuleSetVersion> {
  const { document, scheduleRefusal, ...rest } = changes;
  return transaction.ruleSetVersion.update({
    where: { merchantId_id: { merchantId: draft.merchantId, id: draft.id }, state: { in: OPEN } },
    data: {
      ...rest,
      ...(document !== undefined && { document: toPrismaJson(document) }),
      ...(scheduleRefusal !== undefined && {
        scheduleRefusal: scheduleRefusal === null ? Prisma.DbNull : toPrismaJson(scheduleRefusal),
      }),
      updatedAt: now,
    },
  });
}

/** A rule set by its id, draft or published, or null. */
export async function findRuleSetById(
  client: Prisma.TransactionClient | Database['prisma'],
  merchantId: string,
  id: string,
): Promise<RuleSetVersion | null> {
  if (!isUuid(merchantId) || !isUuid(id)) return null;
  return client.ruleSetVersion.findUnique({ where: { merchantId_id: { merchantId, id } } });
}

/** Drafts of these merchants that are open or scheduled, last changed first. */
export async function listRuleDraftRows(
  database: Database,
  {
    merchantIds,
    mode,
    limit,
  }: { readonly merchantIds: readonly string[]; readonly mode: RuleSetKey['mode']; readonly limit: number },
): Promise<RuleSetSummary[]> {
  return database.prisma.ruleSetVersion.findMany({
    where: { merchantId: { in: merchantIds.filter(isUuid) }, mode, state: { in: OPEN } },
    orderBy: [{ updatedAt: 'desc' }, { id: 'desc' }],
    take: limit,
    omit: { document: true },
  });
}

/** A draft whose approval was requested and not answered. */
export interface ApprovalRequestRow {
  readonly id: string;
  readonly merchantId: string;
  readonly name: string | null;
  readonly requestedBy: string;
  readonly requestedAt: Date;
}

/** Drafts of these merchants that await approval, the oldest request first, without those the actor edited or requested approval for. */
export async function listApprovalRequestRows(
  database: Database,
  query: {
    readonly merchantIds: readonly string[];
    readonly mode: RuleSetKey['mode'];
    readonly exceptOwnWorkOf: string;
    readonly limit: number;
  },
): Promise<ApprovalRequestRow[]> {
  const { merchantIds, mode, exceptOwnWorkOf: actor, limit } = query;
  const rows = await database.prisma.ruleSetVersion.findMany({
    where: {
      merchantId: { in: merchantIds.filter(isUuid) },
      mode,
      state: 'DRAFT',
      approvalRequestedBy: { not: null },
      approvedBy: null,
      rejectedBy: null,
      NOT: [{ createdBy: actor }, { editors: { has: actor } }, { approvalRequestedBy: actor }],
    },
    orderBy: [{ approvalRequestedAt: 'asc' }, { id: 'asc' }],
    take: limit,
    select: { id: true, merchantId: true, name: true, approvalRequestedBy: true, approvalRequestedAt: true },
  });
  return rows.flatMap(({ approvalRequestedBy, approvalRequestedAt, ...row }) =>
    approvalRequestedBy === null || approvalRequestedAt === null
      ? []
      : [{ ...row, requestedBy: approvalRequestedBy, requestedAt: approvalRequestedAt }],
  );
}

/** The number of drafts that are neither published nor discarded. */
export async function countRuleDrafts(transaction: Prisma.TransactionClient, { merchantId, mode }: RuleSetKey): Promise<number> {
  return transaction.ruleSetVersion.count({ where: { merchantId, mode, state: { in: OPEN } } });
}

/** Scheduled drafts whose time has come, the longest due first. */
export async function listDueRuleDrafts(
  database: Database,
  now: Date,
  limit: number,
): Promise<{ readonly merchantId: string; readonly id: string }[]> {
  return database.prisma.ruleSetVersion.findMany({
    where: { state: 'SCHEDULED', publishAt: { lte: now } },
    orderBy: [{ publishAt: 'asc' }, { id: 'asc' }],
    take: limit,
    select: { merchantId: true, id: true },
  });
}
