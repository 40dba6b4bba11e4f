import type { JsonValue } from '@switchyard/db';
import type { Mode, Prisma, RuleSetVersion } from '@switchyard/db/client';
import { findMerchantRow } from '@switchyard/merchants';
import type { RuleSet } from '@switchyard/routing';
import {
  checkExpectations,
  combinationProblems,
  diffRuleSets,
  type ExpectationResult,
  type RuleSetDiff,
} from '@switchyard/routing/analyse';
import type { Change, FieldProblem } from '@switchyard/runtime';
import {
  declaredKeys,
  declareKeysOf,
  documentOf,
  keyConflicts,
  NO_RULES,
  ruleSetOf,
  UNKNOWN_ACCOUNT,
} from '../document/check-document.ts';
import { readRoutableAccounts, unknownAccounts } from '../document/named-accounts.ts';
import type { RuleSetPublication } from '../rows/publications.ts';
import { findPublishedRuleSet, findRuleSetVersionRow, lastRuleSetVersion } from '../rows/versions.ts';

/** Another version was published meanwhile; nothing was overwritten. */
export interface StaleBase {
  readonly kind: 'stale_base';
  /** The active version; 0 when there is none. */
  readonly currentVersion: number;
  readonly publishedBy: string | null;
  readonly publishedAt: Date | null;
  readonly reason: string | null;
  /** Changes from the refused document's base to the active version. Null when the base is not stored. */
  readonly theirs: RuleSetDiff | null;
  /** How the refused document differs from the active version. */
  readonly diff: RuleSetDiff;
}

/** Why a document was not published. Nothing was changed. */
export type PublicationRefusal =
  | { readonly kind: 'invalid'; readonly problems: readonly FieldProblem[] }
  | StaleBase
  /** Expectations of the document that do not hold under it. */
  | { readonly kind: 'broken_expectations'; readonly broken: readonly ExpectationResult[] }
  /** The merchant's rules need a second person's approval before publication. */
  | { readonly kind: 'needs_approval' };

/** A document to publish over its base version. */
export interface Candidate {
  readonly merchantId: string;
  readonly mode: Mode;
  readonly baseVersion: number;
  readonly ruleSet: RuleSet;
  /** True if a second person approved exactly this document. */
  readonly approved: boolean;
}

/** Readiness of rules for publication; `current` is the active version, null for the first. */
export type Readiness = { readonly kind: 'ready'; readonly current: RuleSetVersion | null } | PublicationRefusal;

/** Checks whether a document may be published now. Call it under the merchant's configuration lock. */
export async function checkReadiness(transaction: Prisma.TransactionClient, candidate: Candidate): Promise<Readiness> {
  const { merchantId, baseVersion, ruleSet, approved } = candidate;
  const current = await findPublishedRuleSet(transaction, candidate);
  if ((current?.version ?? 0) !== baseVersion) return staleBase(transaction, candidate, current);
  const accounts = await readRoutableAccounts(transaction, candidate);
  const known = new Set(accounts.map(({ accountId }) => accountId));
  const merchant = await findMerchantRow(transaction, merchantId);
  const problems = [
    ...combinationProblems(ruleSet),
    ...unknownAccounts(ruleSet, (account) => known.has(account), UNKNOWN_ACCOUNT),
    ...(merchant === null ? [] : keyConflicts(ruleSet, declaredKeys(merchant))),
  ];
  if (problems.length > 0) return { kind: 'invalid', problems };
  const broken = checkExpectations(ruleSet, accounts).filter(({ holds }) => !holds);
  if (broken.length > 0) return { kind: 'broken_expectations', broken };
  if (merchant?.rulesNeedApproval === true && !approved) return { kind: 'needs_approval' };
  return { kind: 'ready', current };
}

async function staleBase(
  transaction: Prisma.TransactionClient,
  { merchantId, mode, baseVersion, ruleSet }: Candidate,
  current: RuleSetVersion | null,
): Promise<StaleBase> {
  const base =
    baseVersion === 0
      ? NO_RULES
      : ruleSetOf(await findRuleSetVersionRow(transaction, { merchantId, mode, version: baseVersion }));
  const inForce = ruleSetOf(current) ?? NO_RULES;
  return {
    kind: 'stale_base',
    currentVersion: current?.version ?? 0,
    publishedBy: current?.publishedBy ?? null,
    publishedAt: current?.publishedAt ?? null,
    reason: current?.reason ?? null,
    theirs: base === null ? null : diffRuleSets(base, inForce),
    diff: diffRuleSets(inForce, ruleSet),
  };
}

/** A publication to write. */
export interface Publication extends RuleSetPublication {
  readonly ruleSet: RuleSet;
  /** Later than the previous version's, even when machines' clocks differ, so that history has one order. */
  readonly at: Date;
  /** Names of metadata keys that this publication declares. */
  readonly keysDeclared: readonly string[];
}

/** Assigns the next version number to a document that passed {@link checkReadiness}, and declares the keys that are new to the merchant. */
export async function numberPublication(
  transaction: Prisma.TransactionClient,
  { merchantId, mode, ruleSet }: Candidate,
  current: RuleSetVersion | null,
  { reason, publishedBy, now }: { readonly reason: string | null; readonly publishedBy: string; readonly now: Date },
): Promise<Publication> {
  const version = (await lastRuleSetVersion(transaction, { merchantId, mode })) + 1;
  const numbered = { ...ruleSet, version };
  const earliest = (current?.publishedAt?.getTime() ?? 0) + 1;
  const at = new Date(Math.max(now.getTime(), earliest));
  const merchant = ruleSet.keys === undefined ? null : await findMerchantRow(transaction, merchantId);
  const keysDeclared = merchant === null ? [] : await declareKeysOf(transaction, merchant, ruleSet, now);
  return { version, document: documentOf(numbered), reason, publishedBy, ruleSet: numbered, at, keysDeclared };
}

/** The audit entry of a publication. `more` is added to its `after`. */
export function publicationAudit(
  action: string,
  row: { readonly id: string; readonly mode: Mode },
  current: RuleSetVersion | null,
  publication: Publication,
  more: { readonly [name: string]: JsonValue } = {},
): NonNullable<Change<unknown>['audit']> {
  const { added, removed, moved, changed } = diffRuleSets(ruleSetOf(current) ?? NO_RULES, publication.ruleSet);
  const rules = { added: added.length, removed: removed.length, moved: moved.length, changed: changed.length };
  const { version, reason, keysDeclared } = publication;
  const declared = keysDeclared.length > 0 && { keysDeclared: [...keysDeclared] };
  return {
    action,
    objectType: 'rule_set_version',
    objectId: row.id,
    before: { mode: row.mode, version: current?.version ?? 0 },
    after: { mode: row.mode, version, reason, rules, ...declared, ...more },
  };
}

/** One sentence that explains why rules were not published. */
export function describeRefusal(refusal: PublicationRefusal): string {
  switch (refusal.kind) {
    case 'stale_base': {
      const { currentVersion, publishedBy, publishedAt } = refusal;
      const when = publishedAt === null ? '' : ` at ${publishedAt.toISOString()}`;
      return `Version ${currentVersion} was published by ${publishedBy ?? 'another person'}${when}, and these rules were written from an earlier one.`;
    }
    case 'invalid': {
      const [first] = refusal.problems;
      const more = refusal.problems.length - 1;
      return `${first?.field ?? 'The document'} ${first?.message ?? 'is not in order'}${andMore(more, 'problem')}.`;
    }
    case 'broken_expectations': {
      const [first] = refusal.broken;
      const more = refusal.broken.length - 1;
      const sentence = first === undefined ? 'An expectation does not hold' : first.message.replace(/\.$/, '');
      return `${sentence}${andMore(more, 'broken expectation')}.`;
    }
    case 'needs_approval':
      return 'A second person has to approve these rules first.';
    default:
      return refusal satisfies never;
  }
}

function andMore(number: number, noun: string): string {
  if (number <= 0) return '';
  return `, and ${number} more ${noun}${number === 1 ? '' : 's'}`;
}
