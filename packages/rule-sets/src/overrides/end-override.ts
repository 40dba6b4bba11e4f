import type { RoutingOverride } from '@switchyard/db/client';
import { changeConfiguration } from '@switchyard/runtime';
import type { RuleSetsContext } from '../context.ts';
import { endRoutingOverride, findRoutingOverride } from './queries.ts';
import { overrideForAudit } from './set-override.ts';

/** Asks to end an override before it expires, or to cancel a planned one before it begins. */
export interface EndOverrideCommand {
  /** The nil UUID for one of a gateway. */
  readonly merchantId: string;
  readonly overrideId: string;
  readonly actor: string;
  /** Ends it only while its gateway is well since before this moment; left out to end it whatever its gateway does. */
  readonly recoveredBefore?: Date;
}

/** Result of ending an override, which may have ended before. */
export type EndOverrideOutcome =
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
