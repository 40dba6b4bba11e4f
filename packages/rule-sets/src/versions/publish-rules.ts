import type { Mode } from '@switchyard/db/client';
import type { RuleSet } from '@switchyard/routing';
import { parseRuleDocument } from '@switchyard/routing/rule-set';
import { changeConfiguration } from '@switchyard/runtime';
import type { RuleSetsContext } from '../context.ts';
import { reasonProblems } from '../drafts/rule-fields.ts';
import { checkReadiness, numberPublication, type PublicationRefusal, publicationAudit } from './publication.ts';
import { insertPublishedRuleSet } from './queries.ts';

/** Asks to publish a document that no draft holds. */
export interface PublishRulesCommand {
  readonly merchantId: string;
  readonly mode: Mode;
  /** `{ rules, defaultOrder, expectations? }` as plain JSON; a `version` in it is ignored. */
  readonly document: unknown;
  /** The published version the document was written from; 0 when there was none. */
  readonly baseVersion: number;
  /** Why, in the publisher's words, up to 500 characters. */
  readonly reason: string | null;
  readonly actor: string;
}

/** The published rules, or why they were refused. */
export type PublishRulesOutcome =
  | { readonly kind: 'published'; readonly ruleSetId: string; readonly ruleSet: RuleSet }
  | PublicationRefusal
  | { readonly kind: 'not_found' };

/**
 * Publishes a merchant's routing rules as the next version and ends the one before, at once for new payments. Accounts the
 * document names must be the merchant's own, of that mode, and its expectations must hold. Where a merchant's rules need
 * approval they are published from an approved draft only.
 */
export async function publishRules(context: RuleSetsContext, command: PublishRulesCommand): Promise<PublishRulesOutcome> {
  const { merchantId, mode, baseVersion, reason, actor } = command;
  const read = parseRuleDocument(command.document);
  const problems = [...(read.ok ? [] : read.problems), ...reasonProblems(reason)];
  if (!read.ok || problems.length > 0) return { kind: 'invalid', problems };
  const candidate = { merchantId, mode, baseVersion, ruleSet: read.ruleSet, approved: false };
  return changeConfiguration<PublishRulesOutcome>(context, command, async (transaction, now) => {
    const readiness = await checkReadiness(transaction, candidate);
    if (readiness.kind !== 'ready') return { outcome: readiness, audit: null };
    const { current } = readiness;
    const publication = await numberPublication(transaction, candidate, current, { reason, publishedBy: actor, now });
    const row = { merchantId, id: context.newId(), mode, baseVersion };
    const { ruleSet, at, ...written } = publication;
    await insertPublishedRuleSet(transaction, { ...row, ...written }, at);
    return {
      outcome: { kind: 'published', ruleSetId: row.id, ruleSet },
      audit: publicationAudit('rule_set.published', row, current, publication),
    };
  });
}
