'use client';

import { showToast } from '../components/toasts/toast-store.ts';
import { reportRefusal } from '../forms/reply.ts';
import { useScope } from '../scope/use-scope.ts';
import { nameAccount, useOverrides } from './use-overrides.ts';

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

/** Ends the drain of an account. */
export function useDrainEnd(account: DrainedAccount) {
  const { end, endGateway } = useOverrides();
  const name = nameAccount(account, useScope());
  const { merchantId } = account;

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
    /** Ends a drain; says why in a message when that fails. */
    endDrain: (drain: Drain) => reportRefusal(undo(drain)),
  };
}
