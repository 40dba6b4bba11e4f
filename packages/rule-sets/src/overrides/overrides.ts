import { type JsonValue, NIL_ID } from '@switchyard/db';
import type { GatewayAccount, Mode, Prisma, RoutingOverride } from '@switchyard/db/client';
import { findGateway } from '@switchyard/gateways';
import { configurationFaultOf } from '@switchyard/merchants/configuration-fault';
import { findGatewayAccount } from '@switchyard/merchants/gateway-accounts';
import type { HealthContext } from '@switchyard/provider-health';
import { PAYMENT_METHODS, type PaymentMethod, type RoutingOverride as RoutingOverrideInput } from '@switchyard/routing';
import {
  changeConfiguration,
  type FieldProblem,
  fieldProblems,
  type MerchantConfiguration,
  raiseConfigurationRevision,
  readRevision,
} from '@switchyard/runtime';
import { z } from 'zod';
import type { RuleSetsContext } from '../context.ts';
import {
  closeExpiredOverrides,
  endRoutingOverride,
  findActiveOverride,
  findPlannedOverride,
  findRoutingOverride,
  insertRoutingOverride,
  noteHealth,
  type OverrideKey,
} from './queries.ts';

/** Least time that a gateway must be well again before what was taken out is put back by itself. */
export const PUT_BACK_AFTER_MS = 300_000;

/** The actor of overrides that end by themselves once the gateway has recovered. */
const PUT_BACK_ACTOR = 'system:put-back';

/** Dependencies of putting accounts back: overrides, and present health. */
export type PutBackContext = RuleSetsContext & HealthContext;

/**
 * Follows the overrides that take accounts out: notes when the gateway was in trouble while one applied and since when it is well again,
 * and ends those that were asked to end by themselves, once that has held for {@link PUT_BACK_AFTER_MS}. An override of a gateway
 * follows all its accounts. Several processes may run it: each change is made once, on the row as it is then.
 */
export async function putBackRecovered(context: PutBackContext): Promise<void> {
  const watched = takenOut(context.resources.configuration.merchants(), context.now());
  if (watched.length === 0) return;
  // A process that has just started knows nothing of health yet.
  await context.health.tick();
  for (const { override, accounts } of watched) await follow(context, override, isWell(context, override, accounts));
}

interface TakenOut {
  readonly override: RoutingOverride;
  readonly accounts: readonly GatewayAccount[];
}

function takenOut(merchants: readonly MerchantConfiguration[], now: Date): readonly TakenOut[] {
  const isActive = ({ action, startsAt, expiresAt }: RoutingOverride) =>
    action !== 'force' && (startsAt === null || startsAt <= now) && (expiresAt === null || expiresAt > now);
  const own = merchants.flatMap(({ overrides, accounts }) =>
    overrides
      .filter(isActive)
      .map((override) => ({ override, accounts: accounts.filter(({ id }) => id === override.accountId) })),
  );
  const ofGateways = new Map(merchants.flatMap(({ gatewayOverrides }) => gatewayOverrides.map((one) => [one.id, one])));
  const accounts = ofGateways.size === 0 ? [] : merchants.flatMap((merchant) => merchant.accounts);
  return [
    ...own,
    ...[...ofGateways.values()].filter(isActive).map((override) => ({
      override,
      accounts: accounts.filter(({ gateway, mode }) => gateway === override.gateway && mode === override.mode),
    })),
  ];
}

/**
 * True if none of the accounts is in trouble, nor fails status checks, as far as can be known without checkouts. Of a gateway, one account whose status checks saw the
 * end of the fault speaks for those that are probed and saw nothing. What is disabled or misconfigured says nothing.
 */
function isWell({ health }: HealthContext, { method }: RoutingOverride, accounts: readonly GatewayAccount[]): boolean {
  const known = accounts.flatMap((account) => {
    if (!account.enabled || configurationFaultOf(account) !== null) return [];
    const own = health.details(account.merchantId).filter((one) => one.health.accountId === account.id);
    if (own.some(({ checksFail }) => checksFail)) return [['down']];
    const ofMethod = own.filter((one) => method === null || one.health.method === null || one.health.method === method);
    return [ofMethod.map(({ health: { state }, answersSince }) => (answersSince === null ? state : 'answered'))];
  });
  if (known.some((states) => states.includes('down') || states.includes('degraded'))) return false;
  const probed = known.filter((states) => states.includes('probing') || states.includes('answered'));
  return probed.length === 0 || probed.some((states) => !states.includes('probing'));
}

async function follow(context: PutBackContext, override: RoutingOverride, well: boolean): Promise<void> {
  const { merchantId, id: overrideId, troubledAt, recoveredAt, putBack } = override;
  const now = context.now();
  if (!well && (troubledAt === null || recoveredAt !== null))
    return note(context, override, { troubledAt: now, recoveredAt: null });
  if (well && troubledAt !== null && recoveredAt === null) return note(context, override, { troubledAt, recoveredAt: now });
  if (!well || !putBack || recoveredAt === null || now.getTime() - recoveredAt.getTime() < PUT_BACK_AFTER_MS) return;
  const recoveredBefore = new Date(now.getTime() - PUT_BACK_AFTER_MS);
  await endOverride(context, { merchantId, overrideId, actor: PUT_BACK_ACTOR, recoveredBefore });
}

async function note(
  context: PutBackContext,
  override: RoutingOverride,
  next: Pick<RoutingOverride, 'troubledAt' | 'recoveredAt'>,
): Promise<void> {
  const { database, configuration } = context.resources;
  const { merchantId } = override;
  const revision = await database.prisma.$transaction(async (transaction) => {
    if (!(await noteHealth(transaction, override, next))) return null;
    return raiseConfigurationRevision(transaction, merchantId);
  });
  if (revision !== null) await readRevision(configuration, merchantId, revision);
}

/** Asks to end an override before it expires, or to cancel a planned one before it begins. */
interface EndOverrideCommand {
  /** The nil UUID for one of a gateway. */
  readonly merchantId: string;
  readonly overrideId: string;
  readonly actor: string;
  /** Ends it only while its gateway is well since before this moment; left out to end it whatever its gateway does. */
  readonly recoveredBefore?: Date;
}

/** Result of ending an override, which may have ended before. */
type EndOverrideOutcome =
  | { readonly kind: 'ended'; readonly override: RoutingOverride }
  /** It was ended, replaced or had expired already. */
  | { readonly kind: 'already_ended'; readonly override: RoutingOverride }
  /** Its gateway was not well for long enough. */
  | { readonly kind: 'not_recovered' }
  | { readonly kind: 'not_found' };

/** Ends an override: routing follows rules and health again. */
export async function endOverride(context: RuleSetsContext, command: EndOverrideCommand): Promise<EndOverrideOutcome> {
  const { merchantId, overrideId, actor, recoveredBefore } = command;
  return changeConfiguration<EndOverrideOutcome>(context, command, async (transaction, now) => {
    const before = await findRoutingOverride(transaction, merchantId, overrideId);
    if (before === null) return { outcome: { kind: 'not_found' }, audit: null };
    const isExpired = before.expiresAt !== null && before.expiresAt <= now;
    if (before.endedAt !== null || isExpired) return { outcome: { kind: 'already_ended', override: before }, audit: null };
    if (recoveredBefore !== undefined && (before.recoveredAt === null || before.recoveredAt > recoveredBefore))
      return { outcome: { kind: 'not_recovered' }, audit: null };
    const override = await endRoutingOverride(transaction, before, { endedAt: now, endedBy: actor });
    return {
      outcome: { kind: 'ended', override },
      audit: {
        action: 'routing_override.ended',
        objectType: 'routing_override',
        objectId: overrideId,
        before: overrideForAudit(before),
        after: overrideForAudit(override),
      },
    };
  });
}

/** The mode of an override's account or gateway; null when the merchant (the nil UUID: all of them) has none of this id. */
export async function readOverrideMode(
  { resources }: RuleSetsContext,
  { merchantId, overrideId }: { readonly merchantId: string; readonly overrideId: string },
): Promise<Mode | null> {
  const { prisma } = resources.database;
  const override = await findRoutingOverride(prisma, merchantId, overrideId);
  if (override === null || override.accountId === null) return override?.mode ?? null;
  return (await findGatewayAccount(prisma, merchantId, override.accountId))?.mode ?? null;
}

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
function overrideForAudit(override: RoutingOverride): JsonValue {
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
