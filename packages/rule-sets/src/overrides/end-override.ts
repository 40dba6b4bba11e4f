import type { RoutingOverride } from '@switchyard/db/client';
import { changeConfiguration } from '@switchyard/runtime';
import type { RuleSetsContext } from '../context.ts';
import { endRoutingOverride, findRoutingOverride } from './queries.ts';
import { overrideForAudit } from './set-override.ts';

/** Asks to end an override before it expires, or to cancel a planned one before it begins. */
export interface EndOverrideCommand {
  readonly merchantId: string;
  readonly overrideId: string;
  readonly actor: string;
}

/** Result of ending an override, which may have ended before. */
export type EndOverrideOutcome =
  | { readonly kind: 'ended'; readonly override: RoutingOverride }
  /** It was ended, replaced or had expired already. */
  | { readonly kind: 'already_ended'; readonly override: RoutingOverride }
  | { readonly kind: 'not_found' };

/** Ends an override: routing follows rules and health again. */
export async function endOverride(context: RuleSetsContext, command: EndOverrideCommand): Promise<EndOverrideOutcome> {
  const { merchantId, overrideId, actor } = command;
  return changeConfiguration<EndOverrideOutcome>(context, command, async (transaction, now) => {
    const before = await findRoutingOverride(transaction, merchantId, overrideId);
    if (before === null) return { outcome: { kind: 'not_found' }, audit: null };
    const isExpired = before.expiresAt !== null && before.expiresAt <= now;
    if (before.endedAt !== null || isExpired) return { outcome: { kind: 'already_ended', override: before }, audit: null };
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
