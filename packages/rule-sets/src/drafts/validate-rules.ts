import type { MerchantsContext } from '@switchyard/merchants';
import { findMerchantRow } from '@switchyard/merchants';
import { findRuleSet, type RuleSetScope, type RuleSetSource } from '../versions/rule-set-source.ts';
import { checkDocument, type DocumentCheck } from './check-document.ts';
import { readRoutableAccounts } from './routable-accounts.ts';

/** Selects the rules to check. */
export interface ValidateRulesQuery extends RuleSetScope {
  /** A stored rule set, or an unsaved document as plain JSON. */
  readonly rules: RuleSetSource | { readonly kind: 'document'; readonly document: unknown };
}

/** Problems and findings of the rules; `not_found` when a stored rule set does not exist. */
export type ValidateRulesOutcome = ({ readonly kind: 'checked' } & DocumentCheck) | { readonly kind: 'not_found' };

/** Checks a document: problems that block its publication, and findings to review. Changes nothing. */
export async function validateRules(context: MerchantsContext, query: ValidateRulesQuery): Promise<ValidateRulesOutcome> {
  const { prisma } = context.resources.database;
  const { rules } = query;
  if ((await findMerchantRow(prisma, query.merchantId)) === null) return { kind: 'not_found' };
  const stored = rules.kind === 'document' ? rules : await findRuleSet(prisma, query, rules);
  if (stored === null) return { kind: 'not_found' };
  return { kind: 'checked', ...checkDocument(stored.document, await readRoutableAccounts(prisma, query)) };
}
