import { momentValue } from '@switchyard/db/moments';
import { requireApproval } from '@switchyard/rule-sets/approval';
import { exportAccounts, exportRules, ruleSetFileJsonSchema } from '@switchyard/rule-sets/files';
import {
  diffStoredRuleSets,
  findRuleSetVersion,
  listRuleSetVersions,
  readVersionResults,
  rollBackRules,
  versionActiveAt,
} from '@switchyard/rule-sets/versions';
import { z } from 'zod';
import { publicationReason } from './entered-fields.ts';
import { permitted, router, signedIn } from './procedure.ts';
import { foundOrThrow, oneMerchant, scope, storedRules } from './rules-input.ts';

/* The history of published rules: active versions over time, comparisons, and rollback. */

const version = z.int().min(1).max(2_147_483_647);
const RESULTS_MAX = 30;

const reading = permitted('routing:read');

/** tRPC procedures of published rule sets. */
export const ruleVersions = router({
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
  rollBack: permitted('routing:publish')
    .input(
      scope.extend({
        version,
        baseVersion: z.int().min(0).max(2_147_483_647),
        reason: publicationReason,
      }),
    )
    .mutation(({ ctx, input }) => {
      const merchantId = oneMerchant(ctx, input.merchantId);
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
