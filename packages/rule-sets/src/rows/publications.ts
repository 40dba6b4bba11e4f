import { type JsonValue, toPrismaJson } from '@switchyard/db';
import type { Prisma, RuleCanary } from '@switchyard/db/client';
import { endCanary, findOpenCanary } from './canaries.ts';
import type { RuleSetKey } from './versions.ts';

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

/** Writes a version as the published one and ends the one before. Returns the version whose canary it ended, or null. */
export async function insertPublishedRuleSet(
  transaction: Prisma.TransactionClient,
  ruleSet: NewPublishedRuleSet,
  now: Date,
): Promise<number | null> {
  const { document, publishedBy, ...rest } = ruleSet;
  const canary = await endPublished(transaction, ruleSet, publishedBy, now);
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
  return canary;
}

/**
 * Makes a draft, scheduled or not, the published version and ends the one before. Throws when it is no longer a draft. Returns the version
 * whose canary it ended, or null.
 */
export async function publishRuleDraft(
  transaction: Prisma.TransactionClient,
  draft: RuleSetKey & { readonly id: string },
  publication: RuleSetPublication,
  now: Date,
): Promise<number | null> {
  const { document, ...rest } = publication;
  const canary = await endPublished(transaction, draft, publication.publishedBy, now);
  await transaction.ruleSetVersion.update({
    where: { merchantId_id: { merchantId: draft.merchantId, id: draft.id }, state: { in: ['DRAFT', 'SCHEDULED'] } },
    data: { ...rest, document: toPrismaJson(document), state: 'PUBLISHED', publishedAt: now, updatedAt: now },
  });
  return canary;
}

/** Makes the version of a canary that has ended the published one and ends the one before. */
export async function publishCanaryVersion(
  transaction: Prisma.TransactionClient,
  { merchantId, mode, ruleSetId: id, startedBy }: RuleCanary,
  at: Date,
): Promise<void> {
  await endPublished(transaction, { merchantId, mode }, startedBy, at);
  await transaction.ruleSetVersion.update({
    where: { merchantId_id: { merchantId, id }, state: 'CANARY' },
    data: { state: 'PUBLISHED', publishedAt: at, updatedAt: at },
  });
}

/** Ends the active version, and the one that was tried in its place. */
async function endPublished(
  transaction: Prisma.TransactionClient,
  { merchantId, mode }: RuleSetKey,
  publishedBy: string,
  now: Date,
): Promise<number | null> {
  const canary = await findOpenCanary(transaction, { merchantId, mode });
  if (canary !== null) await endCanary(transaction, canary, { ended: 'REPLACED', endedAt: now, endedBy: publishedBy });
  await transaction.ruleSetVersion.updateMany({
    where: { merchantId, mode, state: 'PUBLISHED' },
    data: { state: 'SUPERSEDED', endedAt: now, updatedAt: now },
  });
  return canary?.version ?? null;
}
