'use client';

import { showToast } from '../components/toasts/toast-store.ts';
import { reportRefusal } from '../forms/report-refusal.ts';
import type { Answer } from '../forms/use-form.ts';
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

/** The drain of an account, or of its gateway for all merchants. */
export interface Drain {
  readonly overrideId: string;
  /** The gateway that is drained for all merchants; null for the account alone. */
  readonly gateway: string | null;
}

/** Drains all methods of an account, and ends that. */
export function useDrain(account: DrainedAccount) {
  const { set, end, endGateway } = useOverrides();
  const name = nameAccount(account, useScope());
  const { merchantId, accountId } = account;

  async function undo({ overrideId, gateway }: Drain): Promise<null> {
    await (gateway === null ? end.mutateAsync({ merchantId, overrideId }) : endGateway.mutateAsync({ overrideId }));
    const what = gateway === null ? `${name} takes` : `All accounts of ${name}'s gateway take`;
    showToast({ text: `${what} payments again, as rules and health say.`, subject: overrideId });
    return null;
  }

  return {
    /** The account as questions about it name it. */
    name,
    ending: end.isPending || endGateway.isPending,
    /** Returns what is wrong, or null once the account is drained or gone. */
    async drain({ reason, putBack }: { readonly reason: string; readonly putBack: boolean }): Promise<Answer> {
      const expiresAt = new Date(Date.now() + DRAINED_FOR_HOURS * 3_600_000);
      const of = { merchantId, accountId, method: null, action: 'drain' } as const;
      const outcome = await set.mutateAsync({ ...of, reason, expiresAt, putBack });
      if (outcome.kind === 'invalid') return outcome.problems;
      if (outcome.kind === 'not_found') showToast({ text: `${name} does not exist any more.`, tone: 'bad' });
      else {
        const { id } = outcome.override;
        showToast({
          text: `${name} is drained.`,
          subject: id,
          action: { label: 'Undo', run: () => undo({ overrideId: id, gateway: null }) },
        });
      }
      return null;
    },
    /** Ends a drain; says why in a message when that fails. */
    endDrain: (drain: Drain) => reportRefusal(undo(drain)),
  };
}
