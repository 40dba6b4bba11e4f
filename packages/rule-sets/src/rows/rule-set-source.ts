import type { Mode, Prisma, RuleSetVersion } from '@switchyard/db/client';
import { findRuleSetById } from './drafts.ts';
import { findPublishedRuleSet, findRuleSetVersionRow } from './versions.ts';

/** Selects one of a merchant's rule sets of one mode. */
export type RuleSetSource =
  | { readonly kind: 'published' }
  | { readonly kind: 'version'; readonly version: number }
  | { readonly kind: 'draft'; readonly draftId: string };

/** A merchant's rules in one mode. */
export interface RuleSetScope {
  readonly merchantId: string;
  readonly mode: Mode;
}

/** The stored row of a rule set, or null when it does not exist. */
export async function findRuleSet(
  client: Prisma.TransactionClient,
  scope: RuleSetScope,
  source: RuleSetSource,
): Promise<RuleSetVersion | null> {
  switch (source.kind) {
    case 'published':
      return findPublishedRuleSet(client, scope);
    case 'version':
      return findRuleSetVersionRow(client, { ...scope, version: source.version });
    case 'draft': {
      const row = await findRuleSetById(client, scope.merchantId, source.draftId);
      return row?.mode === scope.mode ? row : null;
    }
    default:
      return source satisfies never;
  }
}
