import type { Mode } from '@switchyard/db/client';
import type { HealthContext } from '@switchyard/provider-health';
import type { RuleSet } from '@switchyard/routing';
import { parseRuleSet, type RuleSetProblem } from '@switchyard/routing/rule-set';
import { type RoutingSnapshot, routingSnapshot } from '../snapshot/routing-snapshot.ts';

/** A rule-set document that somebody is writing, and the merchant it is for. */
export interface DraftQuery {
  readonly merchantId: string;
  readonly mode: Mode;
  /** `{ rules, defaultOrder, expectations? }` as plain JSON; a `version` in it is ignored. Null stands for what is live. */
  readonly document: unknown;
}

export type DraftRefusal =
  | { readonly kind: 'invalid'; readonly problems: readonly RuleSetProblem[] }
  /** The merchant is not known. */
  | { readonly kind: 'not_found' };

export type ReadDraft = { readonly kind: 'draft'; readonly ruleSet: RuleSet; readonly picture: RoutingSnapshot } | DraftRefusal;

/** Reads a draft, with the rules and accounts that are live beside it. */
export async function readDraft(context: HealthContext, { merchantId, mode, document }: DraftQuery): Promise<ReadDraft> {
  const { configuration } = context.resources;
  await configuration.ready();
  const merchant = configuration.merchant(merchantId);
  if (merchant === undefined) return { kind: 'not_found' };
  const picture = routingSnapshot(context.resources, merchant, mode);
  if (document === null) return { kind: 'draft', ruleSet: picture.ruleSet.ruleSet, picture };
  const isObject = typeof document === 'object' && !Array.isArray(document);
  const parsed = parseRuleSet(isObject ? { ...document, version: 0 } : document);
  if (!parsed.ok) return { kind: 'invalid', problems: parsed.problems };
  return { kind: 'draft', ruleSet: parsed.ruleSet, picture };
}
