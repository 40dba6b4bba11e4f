'use client';

import { showToast } from '../components/toasts/toast-store.ts';
import { useScope } from '../scope/use-scope.ts';
import { nameAccount } from './name-account.ts';
import { useOverrides } from './use-overrides.ts';

/** How long a drain lasts unless it is ended. */
export const DRAINED_FOR_HOURS = 2;

/** An account that can be drained. */
export interface DrainedAccount {
  readonly merchantId: string;
  readonly merchantName: string;
  readonly accountId: string;
  readonly label: string;
}

/** Drains all methods of an account, and ends that. */
export function useDrain(account: DrainedAccount) {
  const { set, end } = useOverrides();
  const name = nameAccount(account, useScope());
  const { merchantId, accountId } = account;

  async function undo(overrideId: string): Promise<void> {
    await end.mutateAsync({ merchantId, overrideId });
    showToast({ text: `${name} takes payments again, as rules and health say.`, subject: overrideId });
  }

  return {
    /** The account as questions about it name it. */
    name,
    draining: set.isPending,
    ending: end.isPending,
    /** Why the drain could not be set; null while nothing has failed. */
    failure: set.error?.message ?? null,
    /** Returns what is wrong with the reason, or null once the account is drained or gone. Rejects where `failure` says why. */
    async drain(reason: string): Promise<string | null> {
      const expiresAt = new Date(Date.now() + DRAINED_FOR_HOURS * 3_600_000);
      const outcome = await set.mutateAsync({ merchantId, accountId, method: null, action: 'drain', reason, expiresAt });
      if (outcome.kind === 'invalid') return outcome.problems.map(({ message }) => message).join('; ');
      if (outcome.kind === 'not_found') showToast({ text: `${name} does not exist any more.`, tone: 'bad' });
      else {
        const { id } = outcome.override;
        showToast({ text: `${name} is drained.`, subject: id, action: { label: 'Undo', run: () => undo(id) } });
      }
      return null;
    },
    /** Ends a drain; says why in a message when that fails, since its button has no place for it. */
    async endDrain(overrideId: string): Promise<void> {
      try {
        await undo(overrideId);
      } catch (error) {
        showToast({ text: error instanceof Error ? error.message : 'This did not work. Try again.', tone: 'bad' });
      }
    },
  };
}
