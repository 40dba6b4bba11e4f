import type { RoutingOverride } from '@switchyard/db/client';
import type { MerchantsContext } from '@switchyard/merchants';
import { changeConfiguration } from '@switchyard/merchants';
import { endRoutingOverride, findRoutingOverride } from './queries.ts';
import { overrideForAudit } from './set-override.ts';

export interface EndOverrideCommand {
  readonly merchantId: string;
  readonly overrideId: string;
  readonly actor: string;
}

export type EndOverrideOutcome =
  | { readonly kind: 'ended'; readonly override: RoutingOverride }
  /** Somebody ended it before, another replaced it, or it had run out. */
  | { readonly kind: 'already_ended'; readonly override: RoutingOverride }
  | { readonly kind: 'not_found' };

/** Takes an operator's hand off the switch: routing goes by rules and health again. */
export async function endOverride(context: MerchantsContext, command: EndOverrideCommand): Promise<EndOverrideOutcome> {
  const { merchantId, overrideId, actor } = command;
  return changeConfiguration<EndOverrideOutcome>(context, command, async (transaction, now) => {
    const before = await findRoutingOverride(transaction, merchantId, overrideId);
    if (before === null) return { outcome: { kind: 'not_found' }, audit: null };
    const ranOut = before.expiresAt !== null && before.expiresAt <= now;
    if (before.endedAt !== null || ranOut) return { outcome: { kind: 'already_ended', override: before }, audit: null };
    const override = await endRoutingOverride(transaction, before, { endedAt: now, endedBy: actor });
    const [from, to] = [overrideForAudit(before), overrideForAudit(override)];
    return {
      outcome: { kind: 'ended', override },
      audit: { action: 'routing_override.ended', objectType: 'routing_override', objectId: overrideId, before: from, after: to },
    };
  });
}
