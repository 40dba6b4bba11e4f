import type { Database } from './connect.ts';
import type { Mode, Prisma, RuleSetVersion } from './generated/client.ts';
import { toPrismaJson } from './payment-changes.ts';
import type { JsonValue } from './payment-record.ts';

interface RuleSetKey {
  readonly merchantId: string;
  readonly mode: Mode;
}

/** The version payments are routed by, or null while none was published. */
export async function findPublishedRuleSet(
  client: Prisma.TransactionClient | Database['prisma'],
  key: RuleSetKey,
): Promise<RuleSetVersion | null> {
  return client.ruleSetVersion.findFirst({ where: { merchantId: key.merchantId, mode: key.mode, state: 'PUBLISHED' } });
}

/** The highest version number given out so far; 0 when none was. */
export async function lastRuleSetVersion(transaction: Prisma.TransactionClient, key: RuleSetKey): Promise<number> {
  const { _max } = await transaction.ruleSetVersion.aggregate({
    where: { merchantId: key.merchantId, mode: key.mode },
    _max: { version: true },
  });
  return _max.version ?? 0;
}

export interface NewPublishedRuleSet extends RuleSetKey {
  readonly id: string;
  readonly version: number;
  readonly baseVersion: number;
  readonly document: JsonValue;
  readonly reason: string | null;
  readonly publishedBy: string;
}

/** Writes a version as the published one and ends the one before. */
export async function insertPublishedRuleSet(
  transaction: Prisma.TransactionClient,
  ruleSet: NewPublishedRuleSet,
  now: Date,
): Promise<void> {
  const { document, publishedBy, ...rest } = ruleSet;
  await transaction.ruleSetVersion.updateMany({
    where: { merchantId: ruleSet.merchantId, mode: ruleSet.mode, state: 'PUBLISHED' },
    data: { state: 'SUPERSEDED', endedAt: now, updatedAt: now },
  });
  await transaction.ruleSetVersion.create({
    data: {
      ...rest,
      state: 'PUBLISHED',
      document: toPrismaJson(document),
      createdBy: publishedBy,
      createdAt: now,
      updatedAt: now,
      publishedBy,
      publishedAt: now,
    },
  });
}
