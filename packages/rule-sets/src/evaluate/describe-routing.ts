import type { Mode } from '@switchyard/db/client';
import { gatewayTitle } from '@switchyard/gateways/names';
import type { HealthContext } from '@switchyard/provider-health';
import type { RoutableAccount, RoutingOverride, RuleSet } from '@switchyard/routing';
import { activeOverrides } from '@switchyard/routing/decide';
import { routingSnapshot } from '../snapshot/routing-snapshot.ts';

/** The rules, accounts and overrides that this process routes a merchant's payments of one mode by at present. */
export interface RoutingOverview {
  /** Version 0 where none was published: the accounts in order of creation. */
  readonly ruleSet: RuleSet;
  readonly accounts: readonly (RoutableAccount & { readonly gatewayTitle: string })[];
  /** Those that have begun and have not ended. */
  readonly overrides: readonly RoutingOverride[];
}

/** Read from memory; null for a merchant that is not known. */
export async function describeRouting(
  context: HealthContext,
  { merchantId, mode }: { readonly merchantId: string; readonly mode: Mode },
): Promise<RoutingOverview | null> {
  const { configuration } = context.resources;
  await configuration.ready();
  const merchant = configuration.merchant(merchantId);
  if (merchant === undefined) return null;
  const now = context.now();
  const { ruleSet, accounts, overrides } = routingSnapshot(context.resources, merchant, mode, now);
  const own = new Set(accounts.map(({ accountId }) => accountId));
  return {
    ruleSet: ruleSet.ruleSet,
    accounts: accounts.map((account) => ({ ...account, gatewayTitle: gatewayTitle(account.gateway) })),
    overrides: activeOverrides(overrides, now.toISOString()).filter(({ accountId }) => own.has(accountId)),
  };
}
