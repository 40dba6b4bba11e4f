import { findMerchantRow } from '@switchyard/merchants';
import { analyse, compareFindings, type FindingComparison } from '@switchyard/routing/analyse';
import type { RuleSetsContext } from '../context.ts';
import { ruleSetOf } from '../versions/publication.ts';
import { findPublishedRuleSet } from '../versions/queries.ts';
import { findRuleSet, type RuleSetScope, type RuleSetSource } from '../versions/rule-set-source.ts';
import { checkDocument, type DocumentCheck } from './check-document.ts';
import { readRoutableAccounts } from './routable-accounts.ts';

/** Selects the rules to check. */
export interface ValidateRulesQuery extends RuleSetScope {
  /** A stored rule set, or an unsaved document as plain JSON. */
  readonly rules: RuleSetSource | { readonly kind: 'document'; readonly document: unknown };
}

/** A check with what it finds that the active version has not, and the reverse. */
export interface ComparedCheck extends DocumentCheck {
  /** Null for the active version itself, and while none is. */
  readonly compared: ({ readonly version: number } & FindingComparison) | null;
}

/** Problems and findings of the rules; `not_found` when a stored rule set does not exist. */
export type ValidateRulesOutcome = ({ readonly kind: 'checked' } & ComparedCheck) | { readonly kind: 'not_found' };

/**
 * Checks a document: problems that block its publication, and findings to review, compared with those of the version in force. Changes
 * nothing.
 */
export async function validateRules(context: RuleSetsContext, query: ValidateRulesQuery): Promise<ValidateRulesOutcome> {
  const { prisma } = context.resources.database;
  const { rules } = query;
  if ((await findMerchantRow(prisma, query.merchantId)) === null) return { kind: 'not_found' };
  const stored = rules.kind === 'document' ? rules : await findRuleSet(prisma, query, rules);
  if (stored === null) return { kind: 'not_found' };
  const accounts = await readRoutableAccounts(prisma, query);
  const check = checkDocument(stored.document, accounts);
  const live = rules.kind === 'published' ? null : ruleSetOf(await findPublishedRuleSet(prisma, query));
  if (live === null) return { kind: 'checked', ...check, compared: null };
  const comparison = compareFindings(analyse(live, accounts).findings, check.findings);
  return { kind: 'checked', ...check, compared: { version: live.version, ...comparison } };
}
