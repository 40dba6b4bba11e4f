import { type JsonValue, NIL_ID } from '@switchyard/db';
import type { Mode, Prisma, RoutingOverride } from '@switchyard/db/client';
import { findGateway } from '@switchyard/gateways';
import { findGatewayAccount } from '@switchyard/merchants/gateway-accounts';
import { PAYMENT_METHODS, type PaymentMethod, type RoutingOverride as RoutingOverrideInput } from '@switchyard/routing';
import { changeConfiguration, type FieldProblem, fieldProblems } from '@switchyard/runtime';
import { z } from 'zod';
import type { RuleSetsContext } from '../context.ts';
import {
  closeExpiredOverrides,
  endRoutingOverride,
  findActiveOverride,
  findPlannedOverride,
  insertRoutingOverride,
  type OverrideKey,
} from './queries.ts';

/** An operator's temporary change to an account. One that begins at once replaces the one in force for the same account and method. */
export interface SetOverrideCommand {
  readonly merchantId: string;
  readonly accountId: string;
  /** Null for all methods of the account. */
  readonly method: PaymentMethod | null;
  readonly action: RoutingOverrideInput['action'];
  /** Why, in the operator's words; merchants read it in `routing.overrides`. */
  readonly reason: string;
  /** When it begins to apply; null: at once. */
  readonly startsAt: Date | null;
  /** When it expires; null until an operator ends it. */
  readonly expiresAt: Date | null;
  /** True to end it once the gateway has recovered for some time; see `putBackRecovered`. */
  readonly putBack?: boolean;
  readonly actor: string;
}

/** The override, with the one it replaced if any, or why it was not set. */
export type SetOverrideOutcome =
  | { readonly kind: 'set'; readonly override: RoutingOverride; readonly replaced: RoutingOverride | null }
  | { readonly kind: 'invalid'; readonly problems: readonly FieldProblem[] }
  | { readonly kind: 'not_found' };

/**
 * Takes an account out of routing or puts it first, now or from a time on. One that begins at once replaces the one in force for the
 * same account and method; one that is planned leaves it, and is refused where another one of them is planned for the same time.
 */
export async function setOverride(context: RuleSetsContext, command: SetOverrideCommand): Promise<SetOverrideOutcome> {
  const { merchantId, accountId } = command;
  return place(context, command, { merchantId, accountId, gateway: null, mode: null }, async (transaction) => {
    return (await findGatewayAccount(transaction, merchantId, accountId)) !== null;
  });
}

/** Drains all accounts of a gateway in one mode, those of all merchants. */
export interface DrainGatewayCommand
  extends Pick<SetOverrideCommand, 'method' | 'reason' | 'startsAt' | 'expiresAt' | 'putBack' | 'actor'> {
  readonly gateway: string;
  readonly mode: Mode;
}

/**
 * Takes all accounts of a gateway out of routing for all merchants, by one override with one end: accounts that are added meanwhile are
 * drained too. It replaces the one in force for the same gateway, mode and method, and leaves overrides of single accounts alone.
 */
export async function drainGateway(context: RuleSetsContext, command: DrainGatewayCommand): Promise<SetOverrideOutcome> {
  const { gateway, mode } = command;
  const { prisma } = context.resources.database;
  const first = { merchantId: NIL_ID, revision: 1 };
  await prisma.configurationRevision.createMany({ data: first, skipDuplicates: true });
  const target = { merchantId: NIL_ID, accountId: null, gateway, mode };
  return place(context, { ...command, action: 'drain' }, target, async () => findGateway(gateway) !== null);
}

type PlaceCommand = Omit<SetOverrideCommand, 'merchantId' | 'accountId'>;

async function place(
  context: RuleSetsContext,
  command: PlaceCommand,
  target: Omit<OverrideKey, 'method'>,
  exists: (transaction: Prisma.TransactionClient) => Promise<boolean>,
): Promise<SetOverrideOutcome> {
  const parsed = commandSchema(context.now()).safeParse(command);
  if (!parsed.success) return { kind: 'invalid', problems: fieldProblems(parsed.error) };
  const { actor } = command;
  const { merchantId } = target;
  return changeConfiguration<SetOverrideOutcome>(context, { merchantId, actor }, async (transaction, now) => {
    if (!(await exists(transaction))) return { outcome: { kind: 'not_found' }, audit: null };
    await closeExpiredOverrides(transaction, merchantId, now);
    const { method, startsAt, expiresAt } = parsed.data;
    const key = { ...target, method };
    const period = startsAt === null ? null : { now, from: startsAt, to: expiresAt };
    if (period !== null && (await findPlannedOverride(transaction, key, period)) !== null) {
      return { outcome: { kind: 'invalid', problems: [OVERLAPS] }, audit: null };
    }
    const active = startsAt === null ? await findActiveOverride(transaction, key, now) : null;
    const end = { endedAt: now, endedBy: actor };
    const replaced = active === null ? null : await endRoutingOverride(transaction, active, end);
    const row = { ...target, id: context.newId(), ...parsed.data, actor, createdAt: now };
    const override = await insertRoutingOverride(transaction, row);
    const before = active === null ? null : overrideForAudit(active);
    const after = overrideForAudit(override);
    return {
      outcome: { kind: 'set', override, replaced },
      audit: { action: 'routing_override.set', objectType: 'routing_override', objectId: override.id, before, after },
    };
  });
}

const OVERLAPS = {
  field: 'startsAt',
  message: 'must not overlap another planned override of the same account and method',
} as const satisfies FieldProblem;

const PLANNED_DAYS_MAX = 366;

function commandSchema(now: Date) {
  const fields = z.object({
    method: z.enum(PAYMENT_METHODS, `must be one of ${PAYMENT_METHODS.join(', ')}`).nullable(),
    action: z.enum(['drain', 'disable', 'force'], 'must be one of drain, disable, force'),
    reason: z
      .string('must be text')
      .trim()
      .min(1, 'must not be empty')
      .max(500, 'must have at most 500 characters')
      .regex(/^[^\p{Cc}\p{Cs}]*$/u, 'must not hold control characters'),
    startsAt: z
      .date('must be a date')
      .min(new Date(now.getTime() + 1), 'must lie in the future')
      .max(new Date(now.getTime() + PLANNED_DAYS_MAX * 86_400_000), `must be at most ${PLANNED_DAYS_MAX} days ahead`)
      .nullable(),
    expiresAt: z.date('must be a date').min(now, 'must lie in the future').nullable(),
    putBack: z.boolean().default(false),
  });
  return fields.refine(({ startsAt, expiresAt }) => startsAt === null || expiresAt === null || startsAt < expiresAt, {
    path: ['expiresAt'],
    message: 'must lie after the start',
  });
}

/** An override as the audit log records it. */
export function overrideForAudit(override: RoutingOverride): JsonValue {
  const { accountId, gateway, mode, method, action, reason, actor, startsAt, expiresAt, putBack, endedAt, endedBy } = override;
  return {
    ...(gateway === null ? { accountId } : { gateway, mode }),
    method,
    action,
    reason,
    actor,
    startsAt: startsAt?.toISOString() ?? null,
    expiresAt: expiresAt?.toISOString() ?? null,
    ...(putBack && { putBack }),
    endedAt: endedAt?.toISOString() ?? null,
    endedBy,
  };
}
