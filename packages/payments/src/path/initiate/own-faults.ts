import { OwnFaultError } from '@switchyard/db';
import type { RoutableAccount } from '@switchyard/routing';
import { type DecideInput, decide } from '@switchyard/routing/decide';
import type { OwnFault } from '@switchyard/runtime';
import type { PaymentsContext } from '../../record/context.ts';
import type { Caller } from '../../record/order.ts';

/** An account that a payment was not tried at, through a fault of ours. */
export interface SkippedAccount {
  readonly accountId: string;
  readonly fault: OwnFault;
}

/**
 * The accounts that could take a payment for which none was found, were it not for a fault of ours. Empty when the payment has no
 * account for any other reason: the merchant's configuration, or an operator's override.
 */
export function findSkippedAccounts(
  { resources }: Pick<PaymentsContext, 'resources'>,
  { configuration, mode }: Caller,
  input: DecideInput,
): readonly SkippedAccount[] {
  const leftOut = configuration.accounts
    .filter((account) => account.mode === mode)
    .flatMap((account): SkippedAccount[] => {
      const fault = resources.ownFaultOf(account);
      return fault === null ? [] : [{ accountId: account.id, fault }];
    });
  if (leftOut.length === 0) return [];
  const without = new Set(leftOut.map(({ accountId }) => accountId));
  const accounts = input.accounts.map((account) => (without.has(account.accountId) ? asConfigured(account) : account));
  const able = new Set(decide({ ...input, accounts }).plan.map(({ accountId }) => accountId));
  return leftOut.filter(({ accountId }) => able.has(accountId));
}

function asConfigured({ configurationFault: _, ...account }: RoutableAccount): RoutableAccount {
  return { ...account, configured: true };
}

/** The error of a payment that no gateway was asked for. It names accounts and faults, never a secret. */
export function skippedAccountsError(what: readonly string[]): OwnFaultError {
  return new OwnFaultError(`No gateway was called: ${what.join('; ')}`);
}
