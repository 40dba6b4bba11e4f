'use client';

import { useMutation } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { showToast } from '#/components/toasts/toast-store.ts';
import { hrefIn } from '#/scope/scope.ts';
import { useScope } from '#/scope/use-scope.ts';
import { useTRPC } from '#/trpc/client.tsx';

interface DisabledEndpoint {
  readonly merchantId: string;
  readonly endpointId: string;
  readonly disabledAt: Date | null;
}

/**
 * Switches an endpoint on, and offers to send what was missed: by its address, since the message is still there when the person has
 * gone to another page.
 */
export function useEnableEndpoint({ merchantId, endpointId, disabledAt }: DisabledEndpoint, onDone: () => void) {
  const trpc = useTRPC();
  const router = useRouter();
  const scope = useScope();
  const on = useMutation(trpc.webhooks.enable.mutationOptions());

  async function enable(): Promise<void> {
    try {
      await on.mutateAsync({ merchantId, endpointId });
    } catch (error) {
      showToast({ text: error instanceof Error ? error.message : 'This did not work. Try again.', tone: 'bad' });
      return;
    }
    onDone();
    const path = `/webhooks/endpoints/${endpointId}`;
    showToast({
      text: 'The endpoint is enabled. Events from while it was disabled were not sent.',
      ...(disabledAt !== null && {
        action: {
          label: 'Resend missed events',
          run: () => router.push(hrefIn(scope, path, { do: 'resend', from: disabledAt.toISOString() })),
        },
      }),
    });
  }
  return { enable, busy: on.isPending };
}
