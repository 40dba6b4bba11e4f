import { momentValue } from '@switchyard/db/moments';
import { explainRouting } from '@switchyard/payments/console/routing';
import { clockIn, PAYMENT_METHODS } from '@switchyard/routing';
import { paymentKeysSchema } from '@switchyard/routing/rule-set';
import { approveRules, readRulesApproval, rejectRules, requestApproval, requireApproval } from '@switchyard/rule-sets/approval';
import {
  CANARY_DAYS,
  CANARY_PERCENT,
  canaryMode,
  describeCanary,
  listCanaries,
  promoteCanary,
  startCanary,
  stopCanary,
  TOLERATED_LOSS,
  widenCanary,
} from '@switchyard/rule-sets/canary';
import { createDraft, discardDraft, findDraft, listDrafts, saveDraft, validateRules } from '@switchyard/rule-sets/drafts';
import { readEarned } from '@switchyard/rule-sets/earned';
import { describeRouting, evaluateRules, listTakeovers } from '@switchyard/rule-sets/evaluate';
import { exportAccounts, exportRules, ruleSetFileJsonSchema } from '@switchyard/rule-sets/files';
import { listMetadataKeys, saveMetadataKeys } from '@switchyard/rule-sets/metadata-keys';
import { listMovedPayments, replayRules } from '@switchyard/rule-sets/replay';
import { describeShadow, listShadowDifferences, SHADOW_HOURS_MAX, startShadow, stopShadow } from '@switchyard/rule-sets/shadow';
import {
  cancelSchedule,
  diffStoredRuleSets,
  findRuleSetVersion,
  listRuleSetVersions,
  publishDraft,
  readVersionResults,
  rollBackRules,
  versionActiveAt,
} from '@switchyard/rule-sets/versions';
import { listGrants } from '@switchyard/staff/grants';
import { z } from 'zod';
import { publicationReason } from './entered-fields.ts';
import { foundOrThrow, oneMerchant, scope, timeZone } from './inputs.ts';
import { inAnyMode, inMode, type ModesContext, permitted, permittedInMode, router, signedIn } from './procedure.ts';
import { draftOf, storedOrUnsavedRules, storedRules } from './rules-input.ts';

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

const writing = permittedInMode('routing:publish');

/** The caller's message to a use case, with their name. */
function signed<Input extends { readonly merchantId: string }>(
  ctx: { readonly merchantIds: readonly string[]; readonly session: { readonly staffId: string } },
  input: Input,
): Input & { readonly actor: string } {
  oneMerchant(ctx, input.merchantId);
  return { ...input, actor: `staff:${ctx.session.staffId}` };
}

/** The same about a draft, in its mode. */
async function signedDraft<Input extends z.output<typeof draftKey>>(
  ctx: ModesContext,
  input: Input,
): Promise<Input & { readonly actor: string }> {
  const isKnown = inAnyMode(ctx).includes(input.merchantId);
  const draft = isKnown ? await findDraft(ctx.switchyard, input) : null;
  return signed(inMode(ctx, draft?.mode ?? null), input);
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
    .mutation(async ({ ctx, input }) => startShadow(ctx.switchyard, await signedDraft(ctx, input))),
  stop: writing.input(draftKey).mutation(async ({ ctx, input }) => stopShadow(ctx.switchyard, await signedDraft(ctx, input))),
});

/** tRPC procedures of rule drafts. */
const ruleDrafts = router({
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
    .mutation(({ ctx, input }) => createDraft(ctx.switchyard, signed(inMode(ctx, input.mode), input))),
  /** Replaces a draft's document, unless another save came first. */
  save: writing
    .input(
      seenDraft.extend({
        document: z.unknown(),
        name: name.exactOptional(),
        baseVersion: z.int().min(0).max(2_147_483_647).exactOptional(),
      }),
    )
    .mutation(async ({ ctx, input }) => saveDraft(ctx.switchyard, await signedDraft(ctx, input))),
  discard: writing
    .input(seenDraft)
    .mutation(async ({ ctx, input }) => discardDraft(ctx.switchyard, await signedDraft(ctx, input))),
  /** Requests a second staff user's approval of a draft in its current revision. */
  requestApproval: writing
    .input(seenDraft)
    .mutation(async ({ ctx, input }) => requestApproval(ctx.switchyard, await signedDraft(ctx, input))),
  approve: writing
    .input(seenDraft)
    .mutation(async ({ ctx, input }) => approveRules(ctx.switchyard, await signedDraft(ctx, input))),
  reject: writing
    .input(seenDraft.extend({ reason: z.string().max(TEXT_MAX).nullable().default(null) }))
    .mutation(async ({ ctx, input }) => rejectRules(ctx.switchyard, await signedDraft(ctx, input))),
  /** Publishes a draft now, or at a time. */
  publish: writing
    .input(seenDraft.extend({ at: momentValue.nullable().default(null), reason: publicationReason }))
    .mutation(async ({ ctx, input }) => publishDraft(ctx.switchyard, await signedDraft(ctx, input))),
  /** Cancels a scheduled publication. */
  cancelSchedule: writing
    .input(draftKey)
    .mutation(async ({ ctx, input }) => cancelSchedule(ctx.switchyard, await signedDraft(ctx, input))),
});

/* The history of published rules: active versions over time, comparisons, and rollback. */

const version = z.int().min(1).max(2_147_483_647);
const RESULTS_MAX = 30;

const reading = permitted('routing:read');

/** tRPC procedures of published rule sets. */
const ruleVersions = router({
  /** A page of versions, newest first. */
  list: reading
    .input(scope.extend({ cursor: version.nullish(), limit: z.int().min(1).max(100).default(50) }))
    .query(async ({ ctx, input: { cursor, limit, ...query } }) => {
      oneMerchant(ctx, query.merchantId);
      const before = typeof cursor === 'number' ? { beforeVersion: cursor } : {};
      const items = await listRuleSetVersions(ctx.switchyard, { ...query, ...before, limit });
      return { items, next: items.length < limit ? null : (items.at(-1)?.version ?? null) };
    }),
  /** One version with its rules, exactly as published. */
  byVersion: reading.input(scope.extend({ version })).query(async ({ ctx, input }) => {
    oneMerchant(ctx, input.merchantId);
    return foundOrThrow(await findRuleSetVersion(ctx.switchyard, input), 'There is no such version.');
  }),
  /** Results of payments while each of some versions was active. */
  results: reading.input(scope.extend({ versions: z.array(version).min(1).max(RESULTS_MAX) })).query(({ ctx, input }) => {
    oneMerchant(ctx, input.merchantId);
    return readVersionResults(ctx.switchyard, input);
  }),
  /** The version that was active at a moment; null when none was yet. */
  activeAt: reading.input(scope.extend({ at: momentValue })).query(({ ctx, input }) => {
    oneMerchant(ctx, input.merchantId);
    return versionActiveAt(ctx.switchyard, input);
  }),
  /** The differences between two rule sets, rule by rule; `from` null is an empty rule set. */
  diff: reading.input(scope.extend({ from: storedRules.nullable(), to: storedRules })).query(({ ctx, input }) => {
    oneMerchant(ctx, input.merchantId);
    return diffStoredRuleSets(ctx.switchyard, input);
  }),
  /** Publishes the rules of an earlier version again, as a new version. */
  rollBack: permittedInMode('routing:publish')
    .input(
      scope.extend({
        version,
        baseVersion: z.int().min(0).max(2_147_483_647),
        reason: publicationReason,
      }),
    )
    .mutation(({ ctx, input }) => {
      const merchantId = oneMerchant(inMode(ctx, input.mode), input.merchantId);
      return rollBackRules(ctx.switchyard, { ...input, merchantId, actor: `staff:${ctx.session.staffId}` });
    }),
  /** A rule set as a file that names accounts by their labels. */
  export: reading.input(scope.extend({ rules: storedRules })).query(({ ctx, input }) => {
    oneMerchant(ctx, input.merchantId);
    return exportRules(ctx.switchyard, input);
  }),
  /** The accounts file that an external check of rules needs. */
  exportAccounts: reading.input(scope).query(({ ctx, input }) => {
    oneMerchant(ctx, input.merchantId);
    return exportAccounts(ctx.switchyard, input);
  }),
  /** JSON Schema of the file. */
  fileSchema: signedIn.query(() => ruleSetFileJsonSchema()),
  /** Sets the requirement that a second staff user approves rules before publication. */
  requireApproval: permitted('merchant:update')
    .input(z.object({ merchantId: z.uuid().toLowerCase(), required: z.boolean() }))
    .mutation(({ ctx, input }) => {
      const merchantId = oneMerchant(ctx, input.merchantId);
      return requireApproval(ctx.switchyard, { ...input, merchantId, actor: `staff:${ctx.session.staffId}` });
    }),
});

const AMOUNT_MAX = 1_000_000_000_000;

const payment = z.object({
  currency: z.string().regex(/^[A-Z]{3}$/, 'must be an ISO 4217 code in capitals'),
  amount: z.int().min(1).max(AMOUNT_MAX),
  method: z.enum(PAYMENT_METHODS).nullable(),
  customerCountry: z
    .string()
    .regex(/^[A-Z]{2}$/, 'must be an ISO 3166-1 alpha-2 code in capitals')
    .nullable()
    .default(null),
  requestedGateway: z.string().max(50).nullable().default(null),
  /** Decides splits; without it, a new one is chosen. */
  paymentId: z.uuid().toLowerCase().nullable().default(null),
  /** Values of the keys that rules compare; those left out are absent, but the time: it is now. */
  keys: paymentKeysSchema.exactOptional(),
});

const period = scope.extend({ rules: storedOrUnsavedRules, from: momentValue, to: momentValue });
const accountId = z.string().max(128).nullable();
/** The accounts and fees of a replay. */
const conditions = z.enum(['as_they_were', 'today']).default('as_they_were');
/** How both sides of a replay are priced. */
const feeBasis = z.enum(['contract', 'effective']).default('contract');

/** Keys of payments' metadata that a merchant declares, so that rules may compare them. */
const metadataKeys = router({
  /** In their order, with the active rules that compare each. */
  list: reading.input(z.object({ merchantId: z.uuid().toLowerCase() })).query(async ({ ctx, input }) => {
    const merchantId = oneMerchant(ctx, input.merchantId);
    return foundOrThrow(await listMetadataKeys(ctx.switchyard, { merchantId }), 'There is no such merchant.');
  }),
  /** Replaces all of them. */
  save: permitted('merchant:update')
    .input(z.object({ merchantId: z.uuid().toLowerCase(), keys: z.unknown() }))
    .mutation(({ ctx, input }) => saveMetadataKeys(ctx.switchyard, signed(ctx, input))),
});

const canaryKey = z.object({ merchantId: z.uuid().toLowerCase(), canaryId: z.uuid().toLowerCase() });

/** A command about a canary, in its mode. */
async function signedCanary<Input extends z.output<typeof canaryKey>>(
  ctx: ModesContext,
  input: Input,
): Promise<Input & { readonly actor: string }> {
  const isKnown = inAnyMode(ctx).includes(input.merchantId);
  return signed(inMode(ctx, isKnown ? await canaryMode(ctx.switchyard, input) : null), input);
}

/** Versions of rules that a share of customers is routed by, until they are promoted or rolled back. */
const canaries = router({
  /** The last started first, each with its result so far. */
  list: reading.input(scope).query(({ ctx, input }) => {
    oneMerchant(ctx, input.merchantId);
    return listCanaries(ctx.switchyard, input);
  }),
  /** One with its line, and what happened to accounts meanwhile. */
  byId: reading.input(canaryKey).query(async ({ ctx, input }) => {
    oneMerchant(ctx, input.merchantId);
    return foundOrThrow(await describeCanary(ctx.switchyard, input), 'There is no such trial.');
  }),
  /** Publishes a draft for a share of customers. */
  start: writing
    .input(
      seenDraft.extend({
        percent: z.int().min(CANARY_PERCENT.min).max(CANARY_PERCENT.max),
        toleratedLoss: z.int().min(TOLERATED_LOSS.min).max(TOLERATED_LOSS.max),
        days: z.int().min(CANARY_DAYS.min).max(CANARY_DAYS.max),
        reason: publicationReason,
      }),
    )
    .mutation(async ({ ctx, input }) => startCanary(ctx.switchyard, await signedDraft(ctx, input))),
  /** Routes all customers by the active version again, at once. */
  stop: writing.input(canaryKey).mutation(async ({ ctx, input }) => stopCanary(ctx.switchyard, await signedCanary(ctx, input))),
  /** Tries the version with a greater share of customers. */
  widen: writing
    .input(canaryKey.extend({ percent: z.int().min(CANARY_PERCENT.min).max(CANARY_PERCENT.max) }))
    .mutation(async ({ ctx, input }) => widenCanary(ctx.switchyard, await signedCanary(ctx, input))),
  /** Makes the version that is tried the active one before its verdict. */
  promote: writing
    .input(canaryKey)
    .mutation(async ({ ctx, input }) => promoteCanary(ctx.switchyard, await signedCanary(ctx, input))),
});

/** Earnings of routing, measured against customers who are routed by the default order alone. */
const earned = permitted('report:read')
  .input(scope)
  .query(({ ctx, input }) => {
    oneMerchant(ctx, input.merchantId);
    const { merchantId, mode } = input;
    return readEarned(ctx.switchyard.resources.database.pool, { merchantIds: [merchantId], mode }, ctx.switchyard.now());
  });

/** tRPC procedures of routing active rules and overrides. */
export const routing = router({
  /** The active routing configuration: rules, accounts, overrides. */
  live: permitted('routing:read')
    .input(scope)
    .query(async ({ ctx, input: { merchantId, mode } }) => {
      const found = await describeRouting(ctx.switchyard.payments, { merchantId: oneMerchant(ctx, merchantId), mode });
      return foundOrThrow(found, 'There is no such merchant.');
    }),
  /** Approval of a merchant's rules by a second staff user, who can give it, and the names of all staff users with a role there. */
  access: permitted('routing:read')
    .input(z.object({ merchantId: z.uuid().toLowerCase() }))
    .query(async ({ ctx, input }) => {
      const merchantId = oneMerchant(ctx, input.merchantId);
      const approval = foundOrThrow(await readRulesApproval(ctx.switchyard, merchantId), 'There is no such merchant.');
      const people = await listGrants(ctx.switchyard, { merchantId });
      return {
        needsApproval: approval.required,
        approvers: approval.approvers,
        waiver: approval.waiver,
        people: people.map(({ staffId, name }) => ({ staffId, name })),
      };
    }),
  /** All checks of a rule set: errors, warnings with an example payment, expectations. */
  validate: permitted('routing:simulate')
    .input(scope.extend({ rules: storedOrUnsavedRules }))
    .query(({ ctx, input: { merchantId, mode, rules } }) =>
      validateRules(ctx.switchyard, { merchantId: oneMerchant(ctx, merchantId), mode, rules }),
    ),
  /** A sample payment through a rule set and through the live one, with every rule and every account evaluated; times are in `zone`. */
  evaluate: permitted('routing:simulate')
    .input(
      scope.extend({
        rules: storedOrUnsavedRules,
        payment,
        conditions: z.enum(['present', 'calm']).default('present'),
        zone: timeZone.default('UTC'),
      }),
    )
    .query(async ({ ctx, input: { merchantId, mode, rules, zone, ...rest } }) => {
      const query = { merchantId: oneMerchant(ctx, merchantId), mode };
      const evaluateQuery = { ...query, ...rest, ...(await draftOf(ctx, query, rules)) };
      return evaluateRules(ctx.switchyard.payments, evaluateQuery, clockIn(zone));
    }),
  /** Replays the merchant's payments of a period through a rule set and through the live one: progress, then the result. */
  replay: permitted('routing:simulate')
    .input(period.extend({ conditions, fees: feeBasis }))
    .subscription(async function* ({ ctx, input: { merchantId, mode, rules, ...rest }, signal }) {
      const query = { merchantId: oneMerchant(ctx, merchantId), mode };
      const replayQuery = { ...query, ...rest, ...(await draftOf(ctx, query, rules)) };
      yield* replayRules(ctx.switchyard.payments, replayQuery, signal ?? new AbortController().signal);
    }),
  /** The payments behind a replay's figures, newest first. */
  movedPayments: permitted('routing:simulate')
    .input(
      period.extend({
        conditions,
        move: z.object({ from: accountId, to: accountId }).nullable().default(null),
        cursor: z.object({ createdAt: momentValue, paymentId: z.uuid().toLowerCase() }).nullish(),
        limit: z.int().min(1).max(200).default(50),
      }),
    )
    .query(async ({ ctx, input: { merchantId, mode, rules, cursor, ...rest } }) => {
      const query = { merchantId: oneMerchant(ctx, merchantId), mode };
      const replayQuery = { ...query, ...rest, after: cursor ?? null, ...(await draftOf(ctx, query, rules)) };
      return listMovedPayments(ctx.switchyard.payments, replayQuery);
    }),
  /** The payments of a period that the rules of a rule set would decide in place of other active rules. */
  takeovers: permitted('routing:simulate')
    .input(period)
    .query(async ({ ctx, input: { merchantId, mode, rules, ...rest } }) => {
      const query = { merchantId: oneMerchant(ctx, merchantId), mode };
      return listTakeovers(ctx.switchyard.payments, { ...query, ...rest, ...(await draftOf(ctx, query, rules)) });
    }),
  /** Why a payment was routed as it was, whether the decision can be recomputed, and whether it would be the same now. */
  explain: permitted('routing:read')
    .input(z.object({ paymentId: z.string().max(100) }))
    .query(async ({ ctx, input: { paymentId } }) => {
      const found = await explainRouting(ctx.switchyard.payments, { merchantIds: ctx.merchantIds, paymentId });
      return foundOrThrow(found, 'There is no such payment, or you have no access to it.');
    }),
  drafts: ruleDrafts,
  versions: ruleVersions,
  canaries,
  earned,
  metadataKeys,
});
