'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { showToast } from '#/components/toasts/toast-store.ts';
import { useTRPC } from '#/trpc/client.tsx';

interface SwitchedAccount {
  readonly id: string;
  readonly merchantId: string;
  readonly label: string;
  readonly enabled: boolean;
}

const GONE = 'The account does not exist any more.';

/**
 * Disables or enables an account after a confirmation. The question keeps its direction while it is open: the account is read again
 * every few seconds, and a button that turned from Disable to Enable under the pointer would do the opposite.
 */
export function useSwitch({ id: accountId, merchantId, label, enabled }: SwitchedAccount) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const [asked, setAsked] = useState<'enable' | 'disable' | null>(null);
  const update = useMutation(
    trpc.gateways.update.mutationOptions({
      onSuccess: () => queries.invalidateQueries({ queryKey: trpc.gateways.list.pathKey() }),
    }),
  );

  /** Throws the reason when it was refused. */
  async function turn(on: boolean): Promise<void> {
    const outcome = await update.mutateAsync({ merchantId, accountId, changes: { enabled: on } });
    if (outcome.kind !== 'updated') throw new Error(GONE);
  }

  return {
    /** The action to confirm; null for none. */
    asked,
    /** Another person has done what is asked. */
    isDone: !update.isPending && asked !== null && enabled === (asked === 'enable'),
    ask: () => setAsked(enabled ? 'disable' : 'enable'),
    cancel: () => setAsked(null),
    /** Throws the reason when it was refused. */
    async confirm(): Promise<null> {
      const on = asked === 'enable';
      await turn(on);
      showToast({
        text: `Account "${label}" is ${on ? 'enabled' : 'disabled'}.`,
        action: { label: on ? 'Disable it again' : 'Enable it again', run: () => turn(!on) },
      });
      return null;
    },
  };
}
