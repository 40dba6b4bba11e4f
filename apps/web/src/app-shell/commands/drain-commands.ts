import { IconHandStop } from '@tabler/icons-react';
import { nameAccount } from '#/overrides/name-account.ts';
import type { Scope } from '#/scope/scope.ts';
import type { RouterOutputs } from '#/trpc/outputs.ts';
import type { Permission } from '#/trpc/use-can.ts';
import type { Command } from './commands.ts';

type Account = Pick<
  RouterOutputs['gateways']['list'][number],
  'id' | 'label' | 'gateway' | 'merchantId' | 'merchantName' | 'enabled'
>;

/** Commands that open the dialog which drains an account, for each enabled one that the person may drain. */
export function drainCommands(
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
