import { momentValue } from '@switchyard/db/moments';
import { approveRules, rejectRules, requestApproval } from '@switchyard/rule-sets/approval';
import { createDraft, discardDraft, findDraft, listDrafts, saveDraft } from '@switchyard/rule-sets/drafts';
import { describeShadow, listShadowDifferences, SHADOW_HOURS_MAX, startShadow, stopShadow } from '@switchyard/rule-sets/shadow';
import { cancelSchedule, publishDraft } from '@switchyard/rule-sets/versions';
import { z } from 'zod';
import { publicationReason } from './entered-fields.ts';
import { permitted, router } from './procedure.ts';
import { foundOrThrow, oneMerchant, scope } from './rules-input.ts';

/*
 * Unpublished rule sets. Outcomes are returned as the use cases give them: `kind` and its fields name a conflict or the reason of a
 * refusal.
 */

const TEXT_MAX = 1_000;

const draftKey = z.object({ merchantId: z.uuid().toLowerCase(), draftId: z.uuid().toLowerCase() });
/** The revision of the draft that the caller has read. */
const seenDraft = draftKey.extend({ revision: z.int().min(0).max(2_147_483_647) });
const name = z.string().max(TEXT_MAX).nullable();

const source = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('published') }),
  z.object({ kind: z.literal('version'), version: z.int().min(1).max(2_147_483_647) }),
  z.object({ kind: z.literal('file'), file: z.unknown() }),
  z.object({ kind: z.literal('empty') }),
]);

const writing = permitted('routing:publish');

/** The caller's message to a use case, with their name. */
function signed<Input extends { readonly merchantId: string }>(
  ctx: { readonly merchantIds: readonly string[]; readonly session: { readonly staffId: string } },
  input: Input,
): Input & { readonly actor: string } {
  oneMerchant(ctx, input.merchantId);
  return { ...input, actor: `staff:${ctx.session.staffId}` };
}

/** A draft beside live traffic: what it would have decided is recorded, and nothing is routed by it. */
const shadow = router({
  /** The draft's last run with what it would have changed so far; null when it never ran. */
  report: permitted('routing:simulate')
    .input(draftKey)
    .query(({ ctx, input }) => {
      oneMerchant(ctx, input.merchantId);
      return describeShadow(ctx.switchyard, input);
    }),
  /** Payments that the draft would have sent to another account first, newest first. */
  differences: permitted('routing:simulate')
    .input(
      draftKey.extend({
        cursor: z.object({ createdAt: momentValue, paymentId: z.uuid().toLowerCase() }).nullish(),
        limit: z.int().min(1).max(200).default(50),
      }),
    )
    .query(({ ctx, input: { cursor, ...query } }) => {
      oneMerchant(ctx, query.merchantId);
      return listShadowDifferences(ctx.switchyard, { ...query, after: cursor ?? null });
    }),
  start: writing
    .input(seenDraft.extend({ hours: z.int().min(1).max(SHADOW_HOURS_MAX) }))
    .mutation(({ ctx, input }) => startShadow(ctx.switchyard, signed(ctx, input))),
  stop: writing.input(draftKey).mutation(({ ctx, input }) => stopShadow(ctx.switchyard, signed(ctx, input))),
});

/** tRPC procedures of rule drafts. */
export const ruleDrafts = router({
  /** Drafts that are open or scheduled, last changed first, without their documents. */
  list: permitted('routing:read')
    .input(scope)
    .query(({ ctx, input }) => {
      oneMerchant(ctx, input.merchantId);
      return listDrafts(ctx.switchyard, input);
    }),
  /** One draft with its document, or its final state. */
  byId: permitted('routing:read')
    .input(draftKey)
    .query(async ({ ctx, input }) => {
      oneMerchant(ctx, input.merchantId);
      return foundOrThrow(await findDraft(ctx.switchyard, input), 'There is no such draft.');
    }),
  shadow,
  /** Creates a draft: from what is published, an earlier version, an exported file, or empty. */
  create: writing
    .input(scope.extend({ from: source, name: name.default(null) }))
    .mutation(({ ctx, input }) => createDraft(ctx.switchyard, signed(ctx, input))),
  /** Replaces a draft's document, unless another save came first. */
  save: writing
    .input(
      seenDraft.extend({
        document: z.unknown(),
        name: name.exactOptional(),
        baseVersion: z.int().min(0).max(2_147_483_647).exactOptional(),
      }),
    )
    .mutation(({ ctx, input }) => saveDraft(ctx.switchyard, signed(ctx, input))),
  discard: writing.input(seenDraft).mutation(({ ctx, input }) => discardDraft(ctx.switchyard, signed(ctx, input))),
  /** Requests a second staff user's approval of a draft in its current revision. */
  requestApproval: writing.input(seenDraft).mutation(({ ctx, input }) => requestApproval(ctx.switchyard, signed(ctx, input))),
  approve: writing.input(seenDraft).mutation(({ ctx, input }) => approveRules(ctx.switchyard, signed(ctx, input))),
  reject: writing
    .input(seenDraft.extend({ reason: z.string().max(TEXT_MAX).nullable().default(null) }))
    .mutation(({ ctx, input }) => rejectRules(ctx.switchyard, signed(ctx, input))),
  /** Publishes a draft now, or at a time. */
  publish: writing
    .input(seenDraft.extend({ at: momentValue.nullable().default(null), reason: publicationReason }))
    .mutation(({ ctx, input }) => publishDraft(ctx.switchyard, signed(ctx, input))),
  /** Cancels a scheduled publication. */
  cancelSchedule: writing.input(draftKey).mutation(({ ctx, input }) => cancelSchedule(ctx.switchyard, signed(ctx, input))),
});
