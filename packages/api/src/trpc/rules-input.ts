import { findDraft } from '@switchyard/rule-sets/drafts';
import { findRuleSetVersion, type RuleSetSource } from '@switchyard/rule-sets/versions';
import { z } from 'zod';
import { missing, type scope } from './inputs.ts';
import type { TrpcContext } from './procedure.ts';

const published = z.object({ kind: z.literal('published') });
const version = z.object({ kind: z.literal('version'), version: z.int().min(1).max(2_147_483_647) });
const draft = z.object({ kind: z.literal('draft'), draftId: z.uuid().toLowerCase() });
const document = z.object({
  kind: z.literal('document'),
  /** `{ keys?, rules, defaultOrder, expectations? }` as plain JSON, valid or not. */
  document: z.unknown().refine((value) => value !== null && value !== undefined, 'must be given'),
});

/** A stored rule set. */
export const storedRules = z.discriminatedUnion('kind', [published, version, draft]) satisfies z.ZodType<RuleSetSource>;
/** A stored rule set, or an unsaved one. */
export const storedOrUnsavedRules = z.discriminatedUnion('kind', [published, version, draft, document]);

/**
 * The document of a rule set, null for the live one, and what becomes of its incomplete rules: a stored draft may be under work, a
 * document that is sent has to be complete. Throws NOT_FOUND when it does not exist.
 */
export async function draftOf(
  context: TrpcContext,
  query: z.output<typeof scope>,
  rules: z.output<typeof storedOrUnsavedRules>,
): Promise<{ readonly document: unknown; readonly incompleteRules: 'refused' | 'left_out' }> {
  return { document: await documentOf(context, query, rules), incompleteRules: rules.kind === 'draft' ? 'left_out' : 'refused' };
}

async function documentOf(
  { switchyard }: TrpcContext,
  { merchantId, mode }: z.output<typeof scope>,
  rules: z.output<typeof storedOrUnsavedRules>,
): Promise<unknown> {
  switch (rules.kind) {
    case 'published':
      return null;
    case 'document':
      return rules.document;
    case 'version': {
      const found = await findRuleSetVersion(switchyard, { merchantId, mode, version: rules.version });
      return (found ?? missing('There is no such version.')).ruleSet;
    }
    case 'draft': {
      const found = await findDraft(switchyard, { merchantId, draftId: rules.draftId });
      return found?.mode === mode ? found.document : missing('There is no such draft.');
    }
    default:
      return rules satisfies never;
  }
}
