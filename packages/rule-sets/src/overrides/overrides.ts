import type { GatewayAccount, RoutingOverride } from '@switchyard/db/client';
import { configurationFaultOf } from '@switchyard/merchants/configuration-fault';
import type { HealthContext } from '@switchyard/provider-health';
import { changeConfiguration, type MerchantConfiguration, raiseConfigurationRevision, readRevision } from '@switchyard/runtime';
import type { RuleSetsContext } from '../context.ts';
import { endRoutingOverride, findRoutingOverride, noteHealth } from './queries.ts';
import { overrideForAudit } from './set-override.ts';

export { drainGateway, setOverride } from './set-override.ts';

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
