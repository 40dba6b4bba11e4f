import type { Database, JsonValue } from '@switchyard/db';
import { isUuid, toPrismaJson } from '@switchyard/db';
import type { Mode, Prisma, RuleSetVersion } from '@switchyard/db/client';

/** Whose rules, in which mode. */
export interface RuleSetKey {
  readonly merchantId: string;
  readonly mode: Mode;
}

/** A version without its document, as lists show it. */
export type RuleSetSummary = Omit<RuleSetVersion, 'document'>;

type Client = Prisma.TransactionClient | Database['prisma'];
const withoutDocument = { document: true } as const;

/** The version payments are routed by, or null while none was published. */
export async function findPublishedRuleSet(client: Client, key: RuleSetKey): Promise<RuleSetVersion | null> {
  return client.ruleSetVersion.findFirst({ where: { merchantId: key.merchantId, mode: key.mode, state: 'PUBLISHED' } });
}

/** A published version by its number, active or superseded, or null. Its document is as published. */
export async function findRuleSetVersionRow(
  client: Client,
  key: RuleSetKey & { readonly version: number },
): Promise<RuleSetVersion | null> {
  const { merchantId, mode, version } = key;
  if (!isUuid(merchantId)) return null;
  return client.ruleSetVersion.findUnique({ where: { merchantId_mode_version: { merchantId, mode, version } } });
}

/** Published versions, newest first, below `beforeVersion` where it is given. */
export async function listRuleSetVersionRows(
  client: Client,
  key: RuleSetKey,
  page: { readonly beforeVersion?: number; readonly limit: number },
): Promise<RuleSetSummary[]> {
  if (!isUuid(key.merchantId)) return [];
  const { beforeVersion } = page;
  return client.ruleSetVersion.findMany({
    where: {
      merchantId: key.merchantId,
      mode: key.mode,
      version: beforeVersion === undefined ? { not: null } : { lt: beforeVersion },
    },
    orderBy: { version: 'desc' },
    take: page.limit,
    omit: withoutDocument,
  });
}

const PUBLISHED_MAX = 100;

/** Versions of these merchants that were published in a period, in order; at most 100. */
export async function listVersionsPublishedWithin(
  client: Client,
  { merchantIds, mode }: { readonly merchantIds: readonly string[]; readonly mode: Mode },
  { from, to }: { readonly from: Date; readonly to: Date },
): Promise<RuleSetSummary[]> {
  return client.ruleSetVersion.findMany({
    where: { merchantId: { in: [...merchantIds] }, mode, publishedAt: { gte: from, lte: to } },
    orderBy: [{ publishedAt: 'asc' }, { id: 'asc' }],
    take: PUBLISHED_MAX,
    omit: withoutDocument,
  });
}

/** The active version at a moment, or null when none was yet. A version is active from its publication until the next one's. */
export async function findRuleSetActiveAt(client: Client, key: RuleSetKey, at: Date): Promise<RuleSetSummary | null> {
  if (!isUuid(key.merchantId)) return null;
  return client.ruleSetVersion.findFirst({
    where: {
      merchantId: key.merchantId,
      mode: key.mode,
      version: { not: null },
      publishedAt: { lte: at },
      OR: [{ endedAt: null }, { endedAt: { gt: at } }],
    },
    orderBy: { version: 'desc' },
    omit: withoutDocument,
  });
}

/** The highest version number given out so far; 0 when none was. */
export async function lastRuleSetVersion(transaction: Prisma.TransactionClient, key: RuleSetKey): Promise<number> {
  const { _max } = await transaction.ruleSetVersion.aggregate({
    where: { merchantId: key.merchantId, mode: key.mode },
    _max: { version: true },
  });
  return _max.version ?? 0;
}

/** Columns that publication writes. */
export interface RuleSetPublication {
  readonly version: number;
  readonly document: JsonValue;
  readonly reason: string | null;
  readonly publishedBy: string;
}

/** A published version to store. */
export interface NewPublishedRuleSet extends RuleSetKey, RuleSetPublication {
  readonly id: string;
  readonly baseVersion: number;
  /** The earlier version whose document this is, or null. */
  readonly restoredVersion?: number | null;
}

/** Writes a version as the published one and ends the one before. */
export async function insertPublishedRuleSet(
  transaction: Prisma.TransactionClient,
  ruleSet: NewPublishedRuleSet,
  now: Date,
): Promise<void> {
  const { document, publishedBy, ...rest } = ruleSet;
  await endPublished(transaction, ruleSet, now);
  await transaction.ruleSetVersion.create({
    data: {
      ...rest,
      state: 'PUBLISHED',
      document: toPrismaJson(document),
      createdBy: publishedBy,
      savedBy: publishedBy,
      editors: [publishedBy],
      createdAt: now,
      updatedAt: now,
      publishedBy,
      publishedAt: now,
    },
  });
}

/** Makes a draft, scheduled or not, the published version and ends the one before. Throws when it is no longer a draft. */
export async function publishRuleDraft(
  transaction: Prisma.TransactionClient,
  draft: RuleSetKey & { readonly id: string },
  publication: RuleSetPublication,
  now: Date,
): Promise<void> {
  const { document, ...rest } = publication;
  await endPublished(transaction, draft, now);
  await transaction.ruleSetVersion.update({
    where: { merchantId_id: { merchantId: draft.merchantId, id: draft.id }, state: { in: ['DRAFT', 'SCHEDULED'] } },
    data: { ...rest, document: toPrismaJson(document), state: 'PUBLISHED', publishedAt: now, updatedAt: now },
  });
}

async function endPublished(transaction: Prisma.TransactionClient, { merchantId, mode }: RuleSetKey, now: Date): Promise<void> {
  await transaction.ruleSetVersion.updateMany({
    where: { merchantId, mode, state: 'PUBLISHED' },
    data: { state: 'SUPERSEDED', endedAt: now, updatedAt: now },
  });
}
