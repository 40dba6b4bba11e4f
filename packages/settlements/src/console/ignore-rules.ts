import type { JsonValue } from '@switchyard/db';
import type { Prisma, SettlementDiscrepancyKind, SettlementLineKind } from '@switchyard/db/client';
import { readStaffNames } from '@switchyard/staff/staff-names';
import { appendEntry } from '../audit.ts';
import type { SettlementContext } from '../context.ts';
import { staffIdOf } from './names.ts';

/** A kind of discrepancy that is resolved as soon as it is found. */
export interface IgnoreRuleItem {
  readonly ruleId: string;
  readonly merchantId: string;
  readonly merchantName: string;
  /** Null for every account. */
  readonly accountId: string | null;
  readonly accountLabel: string | null;
  readonly kind: SettlementDiscrepancyKind;
  /** The kind of an unmatched line; null for every kind. */
  readonly lineKind: SettlementLineKind | null;
  /** The largest amount in question that it covers, an exact decimal of the main unit. */
  readonly amountMax: string;
  readonly reason: string;
  readonly createdBy: string;
  readonly createdByName: string | null;
  readonly createdAt: Date;
  /** Null while it applies. */
  readonly endedAt: Date | null;
  readonly endedByName: string | null;
  /** Discrepancies resolved under it. */
  readonly resolved: number;
}

/** The rules of these merchants, the newest first; at most 500. */
export async function listIgnoreRules(
  context: SettlementContext,
  { merchantIds, ended }: { readonly merchantIds: readonly string[]; readonly ended: boolean },
): Promise<IgnoreRuleItem[]> {
  const { database, configuration } = context.resources;
  const merchantId = { in: [...merchantIds] };
  const rows = await database.prisma.settlementIgnoreRule.findMany({
    where: { merchantId, ...(!ended && { endedAt: null }) },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    take: RULES_MAX,
  });
  const [names, resolved] = await Promise.all([
    readStaffNames(
      database,
      rows.flatMap(({ createdBy, endedBy }) => [staffIdOf(createdBy), staffIdOf(endedBy)].filter((id) => id !== null)),
    ),
    database.prisma.settlementDiscrepancy.groupBy({
      by: ['resolvedBy'],
      where: { merchantId, resolvedBy: { in: rows.map(({ id }) => `rule:${id}`) } },
      _count: true,
    }),
  ]);
  const resolvedBy = new Map(resolved.map((each) => [each.resolvedBy, each._count]));
  return rows.map((row): IgnoreRuleItem => {
    const account = row.accountId === null ? undefined : configuration.account(row.accountId);
    return {
      ruleId: row.id,
      merchantId: row.merchantId,
      merchantName: configuration.merchant(row.merchantId)?.merchant.name ?? '',
      accountId: row.accountId,
      accountLabel: account?.account.label ?? row.accountId,
      kind: row.kind,
      lineKind: row.lineKind,
      amountMax: row.amountMax.toFixed(),
      reason: row.reason,
      createdBy: row.createdBy,
      createdByName: names.get(staffIdOf(row.createdBy) ?? '') ?? null,
      createdAt: row.createdAt,
      endedAt: row.endedAt,
      endedByName: names.get(staffIdOf(row.endedBy) ?? '') ?? null,
      resolved: resolvedBy.get(`rule:${row.id}`) ?? 0,
    };
  });
}

/** A rule to create. */
export interface NewIgnoreRule {
  readonly merchantId: string;
  readonly accountId: string | null;
  readonly kind: SettlementDiscrepancyKind;
  readonly lineKind: SettlementLineKind | null;
  readonly amountMax: string;
  readonly reason: string;
  readonly actor: string;
}

/** Result of creating a rule, or the reason why it was refused. */
export type IgnoreRuleOutcome =
  | { readonly kind: 'created'; readonly ruleId: string }
  | { readonly kind: 'not_found' }
  | { readonly kind: 'refused'; readonly field: 'lineKind' | 'amountMax' | 'reason'; readonly why: string };

/** Creates a rule. Open discrepancies that it covers are resolved when the account is next matched, within minutes. */
export async function createIgnoreRule(context: SettlementContext, rule: NewIgnoreRule): Promise<IgnoreRuleOutcome> {
  const { database, configuration } = context.resources;
  const { merchantId, accountId, kind, lineKind, amountMax, actor } = rule;
  const merchant = configuration.merchant(merchantId);
  if (merchant === undefined) return { kind: 'not_found' };
  if (accountId !== null && !merchant.accounts.some(({ id }) => id === accountId)) return { kind: 'not_found' };
  const reason = rule.reason.trim();
  if (reason === '') return { kind: 'refused', field: 'reason', why: 'Enter a reason.' };
  if (!AMOUNT.test(amountMax)) return { kind: 'refused', field: 'amountMax', why: 'Enter an amount, with six decimals at most.' };
  if (lineKind !== null && kind !== 'UNMATCHED') {
    return { kind: 'refused', field: 'lineKind', why: 'Only unmatched lines have a kind.' };
  }
  return database.prisma.$transaction(async (transaction) => {
    const now = context.now();
    const ruleId = context.newId();
    const facts = { accountId, kind, lineKind, amountMax, reason };
    await transaction.settlementIgnoreRule.create({
      data: { ...facts, merchantId, id: ruleId, createdBy: actor, createdAt: now },
    });
    // Makes the accounts due to be matched.
    const where = { merchantId, ...(accountId !== null && { accountId }) };
    await transaction.settlementSource.updateMany({ where, data: { matchedAt: null } });
    const change = { actor, action: 'settlements.rule_created', before: null, after: facts };
    await auditRule(context, transaction, { merchantId, ruleId }, change, now);
    return { kind: 'created', ruleId };
  });
}

/** Ends a rule. What was resolved under it stays resolved. */
export async function endIgnoreRule(
  context: SettlementContext,
  { merchantId, ruleId, actor }: { readonly merchantId: string; readonly ruleId: string; readonly actor: string },
): Promise<{ readonly kind: 'changed' | 'unchanged' | 'not_found' }> {
  return context.resources.database.prisma.$transaction(async (transaction) => {
    const now = context.now();
    const ended = await transaction.settlementIgnoreRule.updateMany({
      where: { merchantId, id: ruleId, endedAt: null },
      data: { endedBy: actor, endedAt: now },
    });
    if (ended.count === 0) {
      const known = await transaction.settlementIgnoreRule.count({ where: { merchantId, id: ruleId } });
      return { kind: known === 0 ? 'not_found' : 'unchanged' };
    }
    const change = { actor, action: 'settlements.rule_ended', before: { ended: false }, after: { ended: true } };
    await auditRule(context, transaction, { merchantId, ruleId }, change, now);
    return { kind: 'changed' };
  });
}

const RULES_MAX = 500;
const AMOUNT = /^\d{1,24}(?:\.\d{1,6})?$/;

async function auditRule(
  context: SettlementContext,
  transaction: Prisma.TransactionClient,
  { merchantId, ruleId }: { readonly merchantId: string; readonly ruleId: string },
  change: { readonly actor: string; readonly action: string; readonly before: JsonValue; readonly after: JsonValue },
  now: Date,
): Promise<void> {
  const object = { objectType: 'settlement_ignore_rule', objectId: ruleId };
  const entry = { ...change, ...object, tenantId: merchantId, entryId: context.newId() };
  await appendEntry(context, transaction, entry, now);
}
