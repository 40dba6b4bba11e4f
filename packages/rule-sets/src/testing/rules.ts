import type { Mode } from '@switchyard/db/client';
import type { Expectation, Rule, RuleSet } from '@switchyard/routing';
import type { RuleSetsContext } from '../context.ts';
import { createDraft, type DraftSource, type RuleDraft } from '../drafts/create-draft.ts';
import { saveDraft } from '../drafts/drafts.ts';
import { publishRules } from '../versions/publish.ts';

export type Document = Omit<RuleSet, 'version'>;

/** A rule for cards up to an amount, to one account. */
export function cardRule(account: string, to = 5_000, ruleId = `up-to-${to}`): Rule {
  return {
    ruleId,
    name: `Cards up to ${to}`,
    enabled: true,
    when: { currency: 'NGN', methods: ['CARD'], amount: { from: 0, to } },
    then: { strategy: 'priority', accounts: [account] },
  };
}

export function aDocument(account: string, ...rules: Rule[]): Document {
  return { rules, defaultOrder: [account] };
}

/** NGN 2,500 CARD goes to one of these. */
export function expectsCard(...goesTo: string[]): Expectation {
  return { name: 'Small cards', payment: { currency: 'NGN', amount: 2_500, method: 'CARD', customerCountry: null }, goesTo };
}

/** Operations on one merchant's rules for tests; each throws unless it succeeds. */
export function rulesOf(context: RuleSetsContext, merchantId: string, mode: Mode = 'test') {
  const scope = { merchantId, mode } as const;
  return {
    scope,
    async publish(document: Document, baseVersion: number, actor = 'staff:ada'): Promise<number> {
      const outcome = await publishRules(context, { ...scope, document, baseVersion, reason: null, actor });
      if (outcome.kind !== 'published') throw new Error(JSON.stringify(outcome));
      return outcome.ruleSet.version;
    },
    async begin(from: DraftSource = { kind: 'published' }, actor = 'staff:ada'): Promise<RuleDraft> {
      const outcome = await createDraft(context, { ...scope, from, name: null, actor });
      if (outcome.kind !== 'created') throw new Error(JSON.stringify(outcome));
      return outcome.draft;
    },
    async save(draft: RuleDraft, document: unknown, actor = 'staff:ada'): Promise<RuleDraft> {
      const { draftId, revision } = draft;
      const outcome = await saveDraft(context, { merchantId, draftId, revision, document, actor });
      if (outcome.kind !== 'saved') throw new Error(JSON.stringify(outcome));
      return outcome.draft;
    },
    /** A draft with this document. */
    async draft(document: unknown, actor = 'staff:ada'): Promise<RuleDraft> {
      return this.save(await this.begin({ kind: 'empty' }, actor), document, actor);
    },
  };
}
