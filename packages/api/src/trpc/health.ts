import { NIL_ID } from '@switchyard/db';
import type { Mode } from '@switchyard/db/client';
import { momentValue } from '@switchyard/db/moments';
import { findPaymentsBehindHealth } from '@switchyard/payments/console/routing';
import {
  checkHealthThresholds,
  DEFAULT_HEALTH_THRESHOLDS,
  HEALTH_THRESHOLD_BOUNDS,
  thresholdsOf,
  watchHealth,
} from '@switchyard/provider-health';
import {
  changeHealthThresholds,
  describeHealth,
  listHealthFeed,
  listHealthStates,
  previewThresholds,
  readErrorBudgets,
  readHealthStrips,
} from '@switchyard/provider-health/console';
import { PAYMENT_METHODS } from '@switchyard/routing';
import { drainGateway, endOverride, readOverrideMode, setOverride } from '@switchyard/rule-sets/overrides';
import { merchantScopeOf, type StaffSession } from '@switchyard/staff/permissions';
import { readStaffNames } from '@switchyard/staff/staff-names';
import { TRPCError } from '@trpc/server';
import { z } from 'zod';
import { overrideReason } from './entered-fields.ts';
import { foundOrThrow, oneMerchant } from './inputs.ts';
import { accountMode, inAnyMode, inMode, permitted, permittedInMode, resolveMerchants, router } from './procedure.ts';

const scope = z.object({
  /** Null for every merchant the caller may see. */
  merchantId: z.uuid().toLowerCase().nullable().default(null),
  mode: z.enum(['test', 'live']),
});
const method = z.enum(PAYMENT_METHODS).nullable();
const MONTH_MINUTES = 31 * 24 * 60;

const share = z.number().exactOptional();
const count = z.number().exactOptional();
const ms = z.number().exactOptional();

/** Some of the thresholds; range problems are returned per field, not thrown. */
const thresholds = z.strictObject({
  minSamples: count,
  downShare: share,
  degradedShare: share,
  healthyShare: share,
  hardFaults: count,
  slowTimes: z.number().exactOptional(),
  slowMs: ms,
  fastMs: ms,
  healthyHoldMs: ms,
  restMs: ms,
  restMaxMs: ms,
  probePayments: count,
  probeForMs: ms,
  probeEveryMs: ms,
  openingTimeoutMinMs: ms,
  openingTimeoutMaxMs: ms,
  learnFromOthers: z.boolean().exactOptional(),
  openingTarget: share,
});

const reading = permitted('health:read');

/** tRPC procedures of provider health. */
export const health = router({
  /** Every account and method: state, reason, since when, figures, and its overrides, active and planned. */
  overview: reading.input(scope).query(({ ctx, input: { merchantId, mode } }) => {
    return describeHealth(ctx.switchyard.payments, { merchantIds: resolveMerchants(ctx, merchantId), mode });
  }),
  /** The overview, sent again on every change. */
  live: reading.input(scope).subscription(({ ctx, input: { merchantId, mode }, signal }) => {
    const query = { merchantIds: resolveMerchants(ctx, merchantId), mode };
    return watchHealth(ctx.switchyard.payments, () => query, signal ?? new AbortController().signal);
  }),
  /** Successes, faults and latency over time. */
  strips: reading
    .input(
      scope.extend({
        accountId: z.uuid().toLowerCase().nullable().default(null),
        minutes: z.int().min(1).max(MONTH_MINUTES).default(90),
        stepSeconds: z.int().min(10).max(86_400).default(10),
      }),
    )
    .query(({ ctx, input: { merchantId, ...query } }) =>
      readHealthStrips(ctx.switchyard.payments, { ...query, merchantIds: resolveMerchants(ctx, merchantId) }),
    ),
  /** How much of the failures that 30 days allow is used, and how fast: of accounts and their methods. */
  errorBudgets: reading
    .input(scope.extend({ accountId: z.uuid().toLowerCase().nullable().default(null) }))
    .query(({ ctx, input: { merchantId, ...query } }) =>
      readErrorBudgets(ctx.switchyard.payments, { ...query, merchantIds: resolveMerchants(ctx, merchantId) }),
    ),
  /** Changes of health and overrides, newest first. */
  feed: reading
    .input(
      scope.extend({
        accountId: z.uuid().toLowerCase().nullable().default(null),
        cursor: z
          .object({
            at: momentValue,
            kind: z.enum(['health', 'override_set', 'override_began', 'override_ended']),
            eventId: z.uuid().toLowerCase(),
          })
          .nullish(),
        limit: z.int().min(1).max(200).default(50),
      }),
    )
    .query(({ ctx, input: { merchantId, cursor, ...query } }) =>
      listHealthFeed(ctx.switchyard.payments, {
        ...query,
        merchantIds: resolveMerchants(ctx, merchantId),
        after: cursor ?? null,
      }),
    ),
  /** The names of staff users who set overrides and thresholds. */
  people: reading.input(z.object({ staffIds: z.array(z.uuid().toLowerCase()).max(200) })).query(({ ctx, input }) => {
    return readStaffNames(ctx.switchyard.resources.database, input.staffIds);
  }),
  /** The basis of a state: the counts of its window, and the checkouts that failed in it. */
  paymentsBehind: permitted('payment:read')
    .input(
      z.object({
        accountId: z.uuid().toLowerCase(),
        method,
        /** The moment of the state, such as its `since`; null for now. */
        at: momentValue.nullable().default(null),
        cursor: z.object({ createdAt: momentValue, attemptId: z.uuid().toLowerCase() }).nullish(),
        limit: z.int().min(1).max(200).default(50),
      }),
    )
    .query(async ({ ctx, input: { cursor, ...query } }) => {
      const evidenceQuery = { ...query, merchantIds: ctx.merchantIds, after: cursor ?? null };
      const found = await findPaymentsBehindHealth(ctx.switchyard.payments, evidenceQuery);
      return foundOrThrow(found, 'There is no such account, or you have no access to it.');
    }),
  /** The states of every account and method over time, and its incidents. */
  states: reading
    .input(
      scope.extend({
        accountId: z.uuid().toLowerCase().nullable().default(null),
        minutes: z.int().min(1).max(MONTH_MINUTES).default(90),
      }),
    )
    .query(({ ctx, input: { merchantId, ...query } }) =>
      listHealthStates(ctx.switchyard.payments, { ...query, merchantIds: resolveMerchants(ctx, merchantId) }),
    ),
  /** A merchant's thresholds in one mode, with defaults and bounds. */
  thresholds: reading
    .input(z.object({ merchantId: z.uuid().toLowerCase(), mode: z.enum(['test', 'live']) }))
    .query(({ ctx, input }) => {
      const configuration = ctx.switchyard.resources.configuration.merchant(oneMerchant(ctx, input.merchantId));
      const set = configuration?.healthThresholds[input.mode];
      return {
        inForce: thresholdsOf(configuration, input.mode),
        defaults: DEFAULT_HEALTH_THRESHOLDS,
        bounds: HEALTH_THRESHOLD_BOUNDS,
        revision: set?.revision ?? 0,
        updatedBy: set?.updatedBy ?? null,
        updatedAt: set?.updatedAt ?? null,
      };
    }),
  /** Activates thresholds, for payments within seconds; omitted ones are set to the default. */
  changeThresholds: permittedInMode('routing:publish')
    .input(
      z.object({
        merchantId: z.uuid().toLowerCase(),
        mode: z.enum(['test', 'live']),
        thresholds,
        /** The revision the change is based on. */
        revision: z.int().min(0).max(2_147_483_647),
      }),
    )
    .mutation(({ ctx, input: { merchantId, mode, thresholds: changes, revision } }) => {
      const actor = `staff:${ctx.session.staffId}`;
      const command = { merchantId: oneMerchant(inMode(ctx, mode), merchantId), mode, changes, revision, actor };
      return changeHealthThresholds(ctx.switchyard, command);
    }),
  /** How often other thresholds would have fired recently, or which of them are invalid. */
  previewThresholds: reading
    .input(
      z.object({
        merchantId: z.uuid().toLowerCase(),
        mode: z.enum(['test', 'live']),
        days: z.int().min(1).max(31).default(7),
        thresholds,
      }),
    )
    .query(async ({ ctx, input }) => {
      oneMerchant(ctx, input.merchantId);
      const checked = checkHealthThresholds(input.thresholds);
      if (!checked.ok) return { kind: 'invalid' as const, problems: checked.problems };
      const previewQuery = { ...input, thresholds: checked.thresholds };
      const preview = await previewThresholds(ctx.switchyard.payments, previewQuery);
      return { kind: 'preview' as const, ...foundOrThrow(preview, 'There is no such merchant.') };
    }),
  /** Takes an account out of routing or puts it first, at once or from `startsAt` on. */
  setOverride: permittedInMode('override:set')
    .input(
      z.object({
        merchantId: z.uuid().toLowerCase(),
        accountId: z.uuid().toLowerCase(),
        method,
        action: z.enum(['drain', 'disable', 'force']),
        reason: overrideReason,
        startsAt: momentValue.nullable().default(null),
        expiresAt: momentValue.nullable(),
        /** True to end it by itself once the gateway has recovered for some time. */
        putBack: z.boolean().default(false),
      }),
    )
    .mutation(async ({ ctx, input }) => {
      const merchantId = oneMerchant(inMode(ctx, accountMode(ctx, input)), input.merchantId);
      return setOverride(ctx.switchyard, { ...input, merchantId, actor: `staff:${ctx.session.staffId}` });
    }),
  /** Takes all accounts of a gateway out of routing, those of all merchants, by one override. */
  drainGateway: permittedInMode('override:set')
    .input(
      z.object({
        gateway: z.string().min(1).max(40),
        mode: z.enum(['test', 'live']),
        method: method.default(null),
        reason: overrideReason,
        startsAt: momentValue.nullable().default(null),
        expiresAt: momentValue.nullable(),
        putBack: z.boolean().default(false),
      }),
    )
    .mutation(({ ctx, input }) => {
      requireAllMerchants(inMode(ctx, input.mode).session, input.mode);
      return drainGateway(ctx.switchyard, { ...input, actor: `staff:${ctx.session.staffId}` });
    }),
  /** Ends the override of a gateway, for all merchants. */
  endGatewayDrain: permittedInMode('override:set')
    .input(z.object({ overrideId: z.uuid().toLowerCase() }))
    .mutation(async ({ ctx, input: { overrideId } }) => {
      const mode = await readOverrideMode(ctx.switchyard, { merchantId: NIL_ID, overrideId });
      requireAllMerchants(inMode(ctx, mode).session, mode);
      return endOverride(ctx.switchyard, { merchantId: NIL_ID, overrideId, actor: `staff:${ctx.session.staffId}` });
    }),
  endOverride: permittedInMode('override:set')
    .input(z.object({ merchantId: z.uuid().toLowerCase(), overrideId: z.uuid().toLowerCase() }))
    .mutation(async ({ ctx, input }) => {
      const isKnown = inAnyMode(ctx).includes(input.merchantId);
      const mode = isKnown ? await readOverrideMode(ctx.switchyard, input) : null;
      const merchantId = oneMerchant(inMode(ctx, mode), input.merchantId);
      return endOverride(ctx.switchyard, { ...input, merchantId, actor: `staff:${ctx.session.staffId}` });
    }),
});

/** Throws FORBIDDEN unless the staff user may set overrides for all merchants in a mode; null is both. */
function requireAllMerchants(session: StaffSession, mode: Mode | null): void {
  if (merchantScopeOf(session, 'override:set', [], mode ?? undefined).everywhere) return;
  throw new TRPCError({ code: 'FORBIDDEN', message: 'Only people who may set overrides for all merchants can do this.' });
}
