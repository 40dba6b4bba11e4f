import type { Mode } from '@switchyard/db/client';
import type { HealthContext } from '@switchyard/provider-health';
import type { RuleSet } from '@switchyard/routing';
import { combinationProblems } from '@switchyard/routing/analyse';
import { completeRulesOf } from '@switchyard/routing/complete-rules';
import { parseRuleDocument, type RuleSetProblem } from '@switchyard/routing/rule-set';
import { type RoutingSnapshot, routingSnapshot } from '../snapshot/routing-snapshot.ts';

/** A rule document in progress, and the merchant and mode it is for. */
export interface DraftQuery {
  readonly merchantId: string;
  readonly mode: Mode;
  /** `{ keys?, rules, defaultOrder, expectations? }` as plain JSON; a `version` in it is ignored. Null for the live rules. */
  readonly document: unknown;
  /** Treatment of rules that are not complete yet: left out, or refused with the whole document, which is the default. */
  readonly incompleteRules?: 'refused' | 'left_out';
}

/** Why a draft cannot be evaluated. */
export type DraftRefusal =
  | { readonly kind: 'invalid'; readonly problems: readonly RuleSetProblem[] }
  /** The merchant is not known. */
  | { readonly kind: 'not_found' };

/** A parsed draft beside the live routing configuration. */
export type ReadDraft =
  | {
      readonly kind: 'draft';
      readonly ruleSet: RuleSet;
      readonly live: RoutingSnapshot;
      /** The merchant's. */
      readonly timeZone: string;
    }
  | DraftRefusal;

/** Parses a draft, and reads the live rules, accounts and overrides to compare it with. */
export async function readDraft(
  context: HealthContext,
  { merchantId, mode, document, incompleteRules = 'refused' }: DraftQuery,
): Promise<ReadDraft> {
  const { configuration } = context.resources;
  await configuration.ready();
  const merchant = configuration.merchant(merchantId);
  if (merchant === undefined) return { kind: 'not_found' };
  const live = routingSnapshot(context.resources, merchant, mode, context.now());
  const { timeZone } = merchant.merchant;
  if (document === null) return { kind: 'draft', ruleSet: live.ruleSet.ruleSet, live, timeZone };
  const parsed = parseRuleDocument(document);
  if (parsed.ok) return checked(parsed.ruleSet);
  const complete = incompleteRules === 'left_out' ? completeRulesOf(document) : null;
  if (complete === null) return { kind: 'invalid', problems: parsed.problems };
  return checked(complete.ruleSet);

  function checked(ruleSet: RuleSet): ReadDraft {
    const problems = combinationProblems(ruleSet);
    return problems.length > 0 ? { kind: 'invalid', problems } : { kind: 'draft', ruleSet, live, timeZone };
  }
}
