import { z } from 'zod';
import type { EffectiveRate, FeeException, FeeSchedule, SuccessRate } from '../fee-types.ts';
import {
  type AccountHealth,
  type Assignment,
  type DecisionInputs,
  FAULT_KINDS,
  type HealthReason,
  type KeptHealth,
  PAYMENT_METHODS,
  type PaymentKeys,
  POLICY_VERSION,
  type RoutableAccount,
  type RoutablePayment,
  type StoredHealthReason,
} from '../types.ts';

const method = z.enum(PAYMENT_METHODS);
const count = z.number().min(0);

const band = z.object({ from: count, to: count.nullable() });
const feeTerms = {
  percentBasisPoints: count,
  flat: count,
  flatWaivedBelow: count.nullable(),
  cap: count.nullable(),
  vatBasisPoints: count,
  stampDuty: z.object({ amount: count, from: count }).exactOptional(),
};

const feeException = z.object({
  ...feeTerms,
  methods: z.array(method),
  origin: z.enum(['local', 'international']).nullable(),
  amount: band,
}) satisfies z.ZodType<FeeException>;

/** A fee schedule as it is stored. */
export const feeScheduleSchema: z.ZodType<FeeSchedule> = z.object({
  ...feeTerms,
  exceptions: z.array(feeException).exactOptional(),
});

/** An effective rate as it is stored. */
export const effectiveRateSchema: z.ZodType<EffectiveRate> = z.object({
  currency: z.string(),
  method: method,
  amount: band,
  rateMillionths: count,
});

/** A success rate as it is stored. */
export const successRateSchema: z.ZodType<SuccessRate> = z.object({
  currency: z.string(),
  method: method,
  amount: band,
  paid: count,
  finished: count,
});

const account = z.object({
  accountId: z.string(),
  gateway: z.string(),
  label: z.string(),
  enabled: z.boolean(),
  configured: z.boolean(),
  configurationFault: z
    .object({ kind: z.enum(['credentials', 'settings']), message: z.string(), since: z.string() })
    .exactOptional(),
  currencies: z.array(z.string()),
  methods: z.array(method),
  minAmount: count,
  maxAmount: count.nullable(),
  fees: feeScheduleSchema.nullable(),
  effectiveRates: z.array(effectiveRateSchema).exactOptional(),
  successRates: z.array(successRateSchema).exactOptional(),
});

const subject = { gateway: z.string(), method: method.nullable() };
const demoted = { ...subject, state: z.enum(['degraded', 'down']), since: z.string() };

const healthReason: z.ZodType<HealthReason> = z.discriminatedUnion('code', [
  z.object({ code: z.literal('unused') }),
  z.object({ code: z.literal('healthy'), ...subject, succeeded: count, samples: count, spanMs: count }),
  z.object({
    code: z.literal('not_enough_data'),
    ...subject,
    faulted: count,
    samples: count,
    lookupsAnswered: count,
    lookupsFailed: count,
    spanMs: count,
  }),
  z.object({
    code: z.literal('recovered'),
    ...subject,
    since: z.string(),
    proof: z.enum(['probe_payments', 'lookups', 'others']),
    answered: count,
  }),
  z.object({
    code: z.literal('probing'),
    ...subject,
    since: z.string(),
    answered: count,
    needed: count,
    lookupsSince: z.string().exactOptional(),
  }),
  z.object({
    code: z.literal('faults'),
    ...demoted,
    again: z.boolean(),
    faulted: count,
    samples: count,
    spanMs: count,
    main: z.object({ kind: z.enum(FAULT_KINDS), count }).nullable(),
    unanswered: z.boolean(),
  }),
  z.object({ code: z.literal('slow'), ...demoted, again: z.boolean(), latencyMs: count, usualMs: count.nullable() }),
  z.object({ code: z.literal('lookups_failed'), ...demoted, again: z.boolean(), answered: count, failed: count, spanMs: count }),
  z.object({ code: z.literal('fails_for_others'), ...demoted, faulted: count, samples: count }),
]);

/** Reads a health reason back from where it was stored as JSON; null where its format is unknown to this version. */
export function readHealthReason(stored: unknown): StoredHealthReason {
  return healthReason.safeParse(stored).data ?? null;
}

const override = z.object({
  overrideId: z.string(),
  accountId: z.string(),
  gateway: z.string().exactOptional(),
  method: method.nullable(),
  action: z.enum(['drain', 'disable', 'force']),
  reason: z.string(),
  actor: z.string(),
  startsAt: z.string().exactOptional(),
  expiresAt: z.string().nullable(),
});

const keptHealth: z.ZodType<KeptHealth> = z
  .tuple([
    z.int().min(0),
    method.nullable(),
    z.enum(['healthy', 'degraded', 'down', 'probing']),
    healthReason.nullable(),
    z.string(),
    count,
    count,
    count,
    count,
    z.boolean().nullable(),
  ])
  .readonly();

const keys: z.ZodType<PaymentKeys> = z.object({
  metadata: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).exactOptional(),
  time: z.string().exactOptional(),
  customer: z.enum(['new', 'returning']).exactOptional(),
});

const draw = { salt: z.string(), percent: z.int() };

const assignment: z.ZodType<Assignment> = z.object({
  canary: z.object({ ...draw, canaryId: z.string(), arm: z.enum(['draft', 'live']) }).exactOptional(),
  holdout: z.object({ ...draw, heldOut: z.boolean() }).exactOptional(),
});

const keptInputs = z.object({
  policy: z.literal(POLICY_VERSION),
  accounts: z.string(),
  health: z.array(keptHealth),
  overrides: z.array(override),
  decidedAt: z.string(),
  keys: keys.exactOptional(),
  assignment: assignment.exactOptional(),
});

const accountsId = keptInputs.pick({ accounts: true });

/** The id under which the accounts of stored inputs are kept; null where the format is unknown to this version. */
export function accountsIdOf(stored: unknown): string | null {
  return accountsId.safeParse(stored).data?.accounts ?? null;
}

/**
 * A decision's inputs from what its payment keeps, the payment's own fields, and the accounts kept under {@link accountsIdOf}. Null where
 * the format is unknown to this version or the accounts are not those of the decision.
 */
export function readInputs(
  stored: unknown,
  row: RoutablePayment,
  accounts: readonly RoutableAccount[] | null,
): DecisionInputs | null {
  const kept = keptInputs.safeParse(stored).data;
  if (kept === undefined || accounts === null) return null;
  const { policy, overrides, decidedAt, assignment } = kept;
  const health: AccountHealth[] = [];
  for (const [place, method, state, why, since, succeeded, faulted, paid, unpaid, probeSlot] of kept.health) {
    const accountId = accounts[place]?.accountId;
    if (accountId === undefined) return null;
    const figures = { succeeded, faulted, ...(probeSlot !== null && { probeSlot }), paid, unpaid };
    health.push({ accountId, method, state, why, since, ...figures });
  }
  const payment = kept.keys === undefined ? row : { ...row, keys: kept.keys };
  const drawn = assignment !== undefined && { assignment };
  return { policy, payment, accounts, health, overrides, decidedAt, ...drawn };
}

/** Reads accounts back from where they were stored as JSON; null where their format is unknown to this version. */
export function readAccounts(stored: unknown): readonly RoutableAccount[] | null {
  return z.array(account).safeParse(stored).data ?? null;
}
