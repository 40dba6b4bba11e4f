import type { Mode } from '@switchyard/db/client';
import type { HealthContext } from '@switchyard/provider-health';
import type { RuleSet } from '@switchyard/routing';
import { completeRulesOf } from '@switchyard/routing/complete-rules';
import { parseRuleDocument, type RuleSetProblem } from '@switchyard/routing/rule-set';
import { type RoutingSnapshot, routingSnapshot } from '../snapshot/routing-snapshot.ts';

/** A rule document in progress, and the merchant and mode it is for. */
export interface DraftQuery {
  readonly merchantId: string;
  readonly mode: Mode;
  /** `{ rules, defaultOrder, expectations? }` as plain JSON; a `version` in it is ignored. Null for the live rules. */
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
export type ReadDraft = { readonly kind: 'draft'; readonly ruleSet: RuleSet; readonly live: RoutingSnapshot } | DraftRefusal;

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
  if (document === null) return { kind: 'draft', ruleSet: live.ruleSet.ruleSet, live };
  const parsed = parseRuleDocument(document);
  if (parsed.ok) return { kind: 'draft', ruleSet: parsed.ruleSet, live };
  const complete = incompleteRules === 'left_out' ? completeRulesOf(document) : null;
  if (complete === null) return { kind: 'invalid', problems: parsed.problems };
  return { kind: 'draft', ruleSet: complete.ruleSet, live };
}
