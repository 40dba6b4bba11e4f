import { type Database, isUuid } from '@switchyard/db';
import type { Mode, Prisma, RuleSetVersion } from '@switchyard/db/client';

/** The merchant and mode of the rules. */
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

/** Numbered versions, newest first, below `beforeVersion` where it is given. */
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

/** Versions that all customers were routed by, and not a share of them. */
const WAS_ACTIVE = ['PUBLISHED', 'SUPERSEDED'] satisfies RuleSetVersion['state'][];

/** Versions of these merchants that were published in a period, in order; at most 100. */
export async function listVersionsPublishedWithin(
  client: Client,
  { merchantIds, mode }: { readonly merchantIds: readonly string[]; readonly mode: Mode },
  { from, to }: { readonly from: Date; readonly to: Date },
): Promise<RuleSetSummary[]> {
  return client.ruleSetVersion.findMany({
    where: { merchantId: { in: [...merchantIds] }, mode, state: { in: WAS_ACTIVE }, publishedAt: { gte: from, lte: to } },
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
      state: { in: WAS_ACTIVE },
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
