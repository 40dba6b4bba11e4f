import { IconHandStop } from '@tabler/icons-react';
import { gatewayTitle } from '#/copy/gateways.ts';
import { nameAccount } from '#/overrides/name-account.ts';
import type { Scope } from '#/scope/scope.ts';
import type { RouterOutputs } from '#/trpc/outputs.ts';
import type { Permission } from '#/trpc/use-can.ts';
import type { Command } from './commands.ts';

type Account = Pick<
  RouterOutputs['gateways']['list'][number],
  'id' | 'label' | 'gateway' | 'merchantId' | 'merchantName' | 'enabled'
>;

/**
 * Commands that open the dialog which drains an account, for each enabled one that the person may drain, and for who may act for all
 * merchants the one that drains a whole gateway.
 */
export function drainCommands(
  accounts: readonly Account[],
  scope: Scope,
  may: (permission: Permission, merchantId: string) => boolean,
  mayForAll: (permission: Permission) => boolean,
): Command[] {
  const gateways = mayForAll('override:set') ? [...new Set(accounts.map(({ gateway }) => gateway))] : [];
  return [...ofAccounts(accounts, scope, may), ...gateways.map(ofGateway)];
}

function ofGateway(gateway: string): Command {
  return {
    id: `drain-gateway:${gateway}`,
    label: `Drain ${gatewayTitle(gateway)} for all merchants`,
    icon: IconHandStop,
    words: `${gateway} stop payments override disable everyone outage`,
    run: ({ go }) => go('/health', { gateway, do: 'drain-gateway' }),
  };
}

function ofAccounts(
  accounts: readonly Account[],
  scope: Scope,
  may: (permission: Permission, merchantId: string) => boolean,
): Command[] {
  return accounts
    .filter(({ enabled, merchantId }) => enabled && may('override:set', merchantId))
    .map((account) => ({
      id: `drain:${account.id}`,
      label: `Drain ${nameAccount(account, scope)}`,
      icon: IconHandStop,
      words: `${account.gateway} stop payments override disable`,
      run: ({ go }) => go('/health', { account: account.id, do: 'override' }),
    }));
}
