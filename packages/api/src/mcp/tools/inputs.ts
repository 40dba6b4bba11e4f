import { MOMENT_RULE, parseMoment } from '@switchyard/db/moments';
import { z } from 'zod';

/*
 * Inputs and outputs that tools have in common. What is left out is described by its default.
 */

export const merchantId = z.uuid().toLowerCase().describe('Id of the merchant; list_merchants finds it.');
export const mode = z.enum(['test', 'live']).describe('Test or live payments and rules.');
export const paymentId = z.uuid().toLowerCase().describe('Id of the payment.');
export const draftId = z.uuid().toLowerCase().describe('Id of the draft; list_drafts finds it.');

/** The merchants of a list: an agent names few. */
export const merchantIds = z
  .array(z.uuid().toLowerCase())
  .max(20)
  .default([])
  .describe('Empty for all merchants that you may see.');

/** How many of a list, with the number where it is left out. */
export const limitOf = (max: number, usual = 20) => z.int().min(1).max(max).default(usual).describe('How many at most.');

/** The place in a list where a page begins. */
export const cursorOf = (max: number) =>
  z.string().max(max).nullable().default(null).describe('The cursor of the page before; null for the first.');

/** One merchant's routing, in one mode. */
export const scope = z.strictObject({ merchantId, mode });

/** An instant as text. */
export const instant = z.iso.datetime({ offset: true }).refine((text) => parseMoment(text) !== null, MOMENT_RULE);

/** A problem at a path of a document. */
export const problem = z.strictObject({ field: z.string(), message: z.string() });

/** Rule sets by name: the active rules, an earlier version, or a draft. */
export const ruleSource = z
  .discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('published') }),
    z.strictObject({ kind: z.literal('version'), version: z.int().min(1).max(2_147_483_647) }),
    z.strictObject({ kind: z.literal('draft'), draftId: z.uuid().toLowerCase() }),
  ])
  .describe('Which rules: {"kind":"published"}, {"kind":"version","version":7} or {"kind":"draft","draftId":"…"}.');

/** At most so many of a list; the answer says how many there are. */
export function firstOf<Item>(items: readonly Item[], limit: number): Item[] {
  return items.slice(0, limit);
}

/** The moment as text; null stays null. */
export function textOf(moment: Date | null): string | null {
  return moment?.toISOString() ?? null;
}
