import { findDraft, findRuleSetVersion, type RuleSetSource } from '@switchyard/rule-sets';
import { TRPCError } from '@trpc/server';
import { z } from 'zod';
import type { TrpcContext } from './procedure.ts';
import { merchantsInQuestion } from './procedure.ts';

/** One merchant's routing, in one mode. */
export const scope = z.object({ merchantId: z.uuid(), mode: z.enum(['test', 'live']) });

const published = z.object({ kind: z.literal('published') });
const version = z.object({ kind: z.literal('version'), version: z.int().min(1).max(2_147_483_647) });
const draft = z.object({ kind: z.literal('draft'), draftId: z.uuid() });
const document = z.object({
  kind: z.literal('document'),
  /** `{ rules, defaultOrder, expectations? }` as plain JSON, right or not. */
  document: z.unknown().refine((value) => value !== null && value !== undefined, 'must be given'),
});

/** A rule set that is stored. */
export const storedRules = z.discriminatedUnion('kind', [published, version, draft]) satisfies z.ZodType<RuleSetSource>;
/** A rule set that is stored, or one that nobody has saved yet. */
export const anyRules = z.discriminatedUnion('kind', [published, version, draft, document]);

/** The merchant a call names. Throws FORBIDDEN for one that the caller has no such access to. */
export function oneMerchant(ctx: { readonly merchantIds: readonly string[] }, merchantId: string): string {
  merchantsInQuestion(ctx, merchantId);
  return merchantId;
}

/** The document of a rule set; null stands for what is live. Throws NOT_FOUND where there is none such. */
export async function documentOf(
  { switchyard }: TrpcContext,
  { merchantId, mode }: z.output<typeof scope>,
  rules: z.output<typeof anyRules>,
): Promise<unknown> {
  switch (rules.kind) {
    case 'published':
      return null;
    case 'document':
      return rules.document;
    case 'version': {
      const found = await findRuleSetVersion(switchyard.merchants, { merchantId, mode, version: rules.version });
      return (found ?? missing('There is no such version.')).ruleSet;
    }
    case 'draft': {
      const found = await findDraft(switchyard.merchants, { merchantId, draftId: rules.draftId });
      return found?.mode === mode ? found.document : missing('There is no such draft.');
    }
    default:
      return rules satisfies never;
  }
}

/** Ends a call whose object does not exist, or is not the caller's to see. */
export function missing(message: string): never {
  throw new TRPCError({ code: 'NOT_FOUND', message });
}

/** What is found, unless it is null. */
export function orMissing<T>(found: T | null, message: string): T {
  return found ?? missing(message);
}
