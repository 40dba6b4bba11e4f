import type { Mode } from '@switchyard/db/client';
import type { RuleSet } from '@switchyard/routing';
import { diffRuleSets, type RuleSetDiff } from '@switchyard/routing/analyse';
import type { RuleSetsContext } from '../context.ts';
import { NO_RULES, ruleSetOf } from '../document/check-document.ts';
import { findRuleSet, type RuleSetScope, type RuleSetSource } from '../rows/rule-set-source.ts';
import {
  findRuleSetVersionRow as findRow,
  findRuleSetActiveAt,
  listRuleSetVersionRows,
  type RuleSetSummary,
} from '../rows/versions.ts';

/** One version in the history of a merchant's rules. */
export interface RuleSetInHistory {
  readonly ruleSetId: string;
  readonly merchantId: string;
  readonly mode: Mode;
  readonly version: number;
  /** `CANARY`: a share of customers is routed by it. `WITHDRAWN`: it was. */
  readonly state: RuleSetSummary['state'];
  /** The version it is based on; 0 for none. */
  readonly baseVersion: number;
  /** The earlier version whose rules it restored, or null. */
  readonly restoredVersion: number | null;
  readonly reason: string | null;
  readonly publishedBy: string;
  readonly publishedAt: Date;
  /** When the next version replaced it; null while it is active. */
  readonly endedAt: Date | null;
  readonly editors: readonly string[];
  readonly approvedBy: string | null;
  /** When it was to be published, where it was published by schedule. */
  readonly scheduledFor: Date | null;
}

/** A published version with its rules. */
export interface PublishedRuleSet extends RuleSetInHistory {
  /** As it was published: it never changes. */
  readonly ruleSet: RuleSet;
}

const PAGE_MAX = 100;

/** A page of a merchant's versions of one mode, newest first. */
export async function listRuleSetVersions(
  context: RuleSetsContext,
  query: RuleSetScope & {
    /** The last version of the page before. */
    readonly beforeVersion?: number;
    /** At most 100. */
    readonly limit: number;
  },
): Promise<RuleSetInHistory[]> {
  const { beforeVersion } = query;
  const limit = Math.min(Math.max(1, query.limit), PAGE_MAX);
  const page = { limit, ...(beforeVersion !== undefined && { beforeVersion }) };
  const rows = await listRuleSetVersionRows(context.resources.database.prisma, query, page);
  return rows.flatMap((row) => toHistory(row) ?? []);
}

/** A published version by its number, with its rules, or null. */
export async function findRuleSetVersion(
  context: RuleSetsContext,
  key: RuleSetScope & { readonly version: number },
): Promise<PublishedRuleSet | null> {
  const row = await findRow(context.resources.database.prisma, key);
  const history = row === null ? null : toHistory(row);
  const ruleSet = ruleSetOf(row);
  return history === null || ruleSet === null ? null : { ...history, ruleSet };
}

/** The version that was active at a moment, or null when none was yet. Processes apply a publication within a second or two. */
export async function versionActiveAt(
  context: RuleSetsContext,
  query: RuleSetScope & { readonly at: Date },
): Promise<RuleSetInHistory | null> {
  const row = await findRuleSetActiveAt(context.resources.database.prisma, query, query.at);
  return row === null ? null : toHistory(row);
}

/** The differences of two stored rule sets, or which of them could not be read. */
export type DiffRuleSetsOutcome =
  | { readonly kind: 'compared'; readonly diff: RuleSetDiff }
  /** A draft that does not parse yet cannot be compared. */
  | { readonly kind: 'invalid'; readonly which: 'from' | 'to' }
  | { readonly kind: 'not_found'; readonly which: 'from' | 'to' };

/** How any two of a merchant's rule sets of one mode differ; `from` null compares with no rules at all. */
export async function diffStoredRuleSets(
  context: RuleSetsContext,
  query: RuleSetScope & { readonly from: RuleSetSource | null; readonly to: RuleSetSource },
): Promise<DiffRuleSetsOutcome> {
  const { prisma } = context.resources.database;
  const sides: RuleSet[] = [];
  for (const which of ['from', 'to'] as const) {
    const source = query[which];
    const row = source === null ? null : await findRuleSet(prisma, query, source);
    if (source !== null && row === null) return { kind: 'not_found', which };
    const ruleSet = source === null ? NO_RULES : ruleSetOf(row);
    if (ruleSet === null) return { kind: 'invalid', which };
    sides.push(ruleSet);
  }
  const [from = NO_RULES, to = NO_RULES] = sides;
  return { kind: 'compared', diff: diffRuleSets(from, to) };
}

function toHistory(row: RuleSetSummary): RuleSetInHistory | null {
  const { version, publishedBy, publishedAt } = row;
  if (version === null || publishedAt === null) return null;
  return {
    ruleSetId: row.id,
    merchantId: row.merchantId,
    mode: row.mode,
    version,
    state: row.state,
    baseVersion: row.baseVersion,
    restoredVersion: row.restoredVersion,
    reason: row.reason,
    publishedBy: publishedBy ?? row.createdBy,
    publishedAt,
    endedAt: row.endedAt,
    editors: row.editors,
    approvedBy: row.approvedBy,
    scheduledFor: row.publishAt,
  };
}
