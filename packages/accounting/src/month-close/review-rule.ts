import type { JsonValue } from '@switchyard/db';
import { appendAuditEntry } from '@switchyard/db/audit';
import type { Prisma } from '@switchyard/db/client';
import { listActiveStaffWhoMay, type RuleApprover } from '@switchyard/staff/grants';
import {
  changeSecondPersonRule,
  type OpenWaiver,
  openWaiver,
  type SecondPersonOutcome,
  type SecondPersonRule,
} from '@switchyard/staff/second-person';
import { readStaffNames } from '@switchyard/staff/staff-names';
import { type AccountingContext, type Books, DEFAULT_ZONE, staffIdOf } from '../context.ts';
import { NO_MAPPING } from '../journal/mapping.ts';

/** The rule that months need another person's review before they are signed off. */
export interface ReviewRule {
  readonly required: boolean;
  /** Names of the active people who can review and sign off months now, at most 100. */
  readonly people: readonly RuleApprover[];
  /** An open request to let one person sign off. */
  readonly waiver: NamedWaiver | null;
}

/** A request with who made it; null for a deleted user. */
export interface NamedWaiver extends OpenWaiver {
  readonly requesterName: string | null;
}

/** Result of switching the rule, or the reason why it did not change. */
export type RequireReviewOutcome = SecondPersonOutcome | { readonly kind: 'not_found' };

type Reading = Pick<AccountingContext, 'now'> & { readonly resources: Pick<AccountingContext['resources'], 'database'> };

/** The rule of a merchant's books, and who can be the second person. */
export async function readReviewRule({ resources, now }: Reading, { merchantId, mode }: Books): Promise<ReviewRule> {
  const { prisma } = resources.database;
  const [row, people] = await Promise.all([
    prisma.accountingSetting.findUnique({ where: { merchantId_mode: { merchantId, mode } } }),
    listActiveStaffWhoMay(prisma, merchantId, 'month:close'),
  ]);
  const waiver = row?.needsReview === true ? openWaiver(ruleOf(row), now()) : null;
  const nameOf = await namesOf(resources, waiver === null ? [] : [waiver.requestedBy]);
  return {
    required: row?.needsReview ?? false,
    people,
    waiver: waiver && { ...waiver, requesterName: nameOf(waiver.requestedBy) },
  };
}

/** An open request to let one person sign months off. */
export interface ReviewWaiver extends NamedWaiver {
  readonly merchantId: string;
}

/** Other users' open requests to let one person sign months off, of these merchants. */
export async function listReviewWaivers(
  { resources, now }: Reading,
  {
    merchantIds,
    mode,
    staffId,
  }: { readonly merchantIds: readonly string[] } & Pick<Books, 'mode'> & { readonly staffId: string },
): Promise<ReviewWaiver[]> {
  const rows = await resources.database.prisma.accountingSetting.findMany({
    where: { merchantId: { in: [...merchantIds] }, mode, needsReview: true, reviewWaiverBy: { not: null } },
    orderBy: { merchantId: 'asc' },
    take: WAIVERS_MAX,
  });
  const found = rows.flatMap((row) => {
    const waiver = openWaiver(ruleOf(row), now());
    return waiver === null || waiver.requestedBy === `staff:${staffId}` ? [] : [{ merchantId: row.merchantId, ...waiver }];
  });
  const nameOf = await namesOf(
    resources,
    found.map(({ requestedBy }) => requestedBy),
  );
  return found.map((waiver) => ({ ...waiver, requesterName: nameOf(waiver.requestedBy) }));
}

const WAIVERS_MAX = 200;

/** Sets whether months need another person's review, audited, as every rule that needs one: two people switch it off. */
export async function requireReview(
  context: AccountingContext,
  books: Books,
  required: boolean,
  actor: string,
): Promise<RequireReviewOutcome> {
  const { merchantId, mode } = books;
  const { configuration, database, auditKeys } = context.resources;
  if (configuration.merchant(merchantId) === undefined) return { kind: 'not_found' };
  return database.prisma.$transaction(async (transaction): Promise<RequireReviewOutcome> => {
    const now = context.now();
    const before = await lockRule(transaction, books);
    const command = { merchantId, required, actor, permission: 'month:close' } as const;
    const { outcome, change } = await changeSecondPersonRule(transaction, command, before, now);
    if (change === null) return outcome;
    await writeRule(transaction, books, change.rule);
    const entry = {
      tenantId: merchantId,
      entryId: context.newId(),
      actor,
      action: change.isSwitched ? 'month_close.review_rule_changed' : 'month_close.review_waiver_requested',
      objectType: 'accounting_setting',
      objectId: merchantId,
      before: forAudit(mode, before),
      after: { ...forAudit(mode, change.rule), ...(change.withoutSecondPerson && { withoutSecondPerson: true }) },
    };
    await appendAuditEntry(transaction, auditKeys, entry, now);
    return outcome;
  });
}

interface StoredRule {
  readonly needsReview: boolean;
  readonly reviewWaiverBy: string | null;
  readonly reviewWaiverAt: Date | null;
}

function ruleOf({ needsReview, reviewWaiverBy, reviewWaiverAt }: StoredRule): SecondPersonRule {
  return { required: needsReview, waiverBy: reviewWaiverBy, waiverAt: reviewWaiverAt };
}

async function lockRule(transaction: Prisma.TransactionClient, { merchantId, mode }: Books): Promise<SecondPersonRule> {
  const [row] = await transaction.$queryRaw<StoredRule[]>`
    SELECT needs_review AS "needsReview", review_waiver_by AS "reviewWaiverBy", review_waiver_at AS "reviewWaiverAt"
    FROM accounting_setting WHERE merchant_id = ${merchantId}::uuid AND mode = ${mode}::mode FOR UPDATE`;
  return row === undefined ? { required: false, waiverBy: null, waiverAt: null } : ruleOf(row);
}

async function writeRule(
  transaction: Prisma.TransactionClient,
  { merchantId, mode }: Books,
  { required, waiverBy, waiverAt }: SecondPersonRule,
): Promise<void> {
  await transaction.$executeRaw`
    INSERT INTO accounting_setting (merchant_id, mode, time_zone, mapping, needs_review, review_waiver_by, review_waiver_at)
    VALUES (${merchantId}::uuid, ${mode}::mode, ${DEFAULT_ZONE}, ${JSON.stringify(NO_MAPPING)}::jsonb, ${required}, ${waiverBy}, ${waiverAt})
    ON CONFLICT (merchant_id, mode) DO UPDATE SET needs_review = excluded.needs_review, review_waiver_by = excluded.review_waiver_by,
      review_waiver_at = excluded.review_waiver_at`;
}

function forAudit(mode: Books['mode'], { required, waiverBy }: SecondPersonRule): { [key: string]: JsonValue } {
  return { mode, needsReview: required, waiverRequestedBy: waiverBy };
}

async function namesOf({ database }: Reading['resources'], actors: readonly string[]): Promise<(actor: string) => string | null> {
  const names = await readStaffNames(
    database,
    actors.flatMap((actor) => staffIdOf(actor) ?? []),
  );
  return (actor) => names.get(staffIdOf(actor) ?? '') ?? null;
}
