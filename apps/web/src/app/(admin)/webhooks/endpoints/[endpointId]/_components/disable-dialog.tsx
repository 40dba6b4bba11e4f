'use client';

import { useMutation } from '@tanstack/react-query';
import { showToast } from '#/components/toasts/toast-store.ts';
import { ConfirmDialog } from '#/forms/confirm-dialog.tsx';
import { useTRPC } from '#/trpc/client.tsx';
import type { EndpointDialogProps } from './dialog-props.ts';
import classes from './endpoint-page.module.css';

/** Confirmation before an endpoint is disabled. */
export function DisableDialog({ endpoint, onDone, onClose }: EndpointDialogProps) {
  const trpc = useTRPC();
  const { merchantId, endpointId, url, traffic } = endpoint;
  const off = useMutation(trpc.webhooks.disable.mutationOptions());
  const on = useMutation(trpc.webhooks.enable.mutationOptions());

  async function confirm() {
    await off.mutateAsync({ merchantId, endpointId });
    onDone();
    showToast({
      text: `${url} was disabled.`,
      action: {
        label: 'Enable',
        run: async () => {
          await on.mutateAsync({ merchantId, endpointId });
          onDone();
        },
      },
    });
    return null;
  }

  return (
    <ConfirmDialog title="Disable this endpoint?" action="Disable" variant="danger" onConfirm={confirm} onClose={onClose}>
      <p className={classes.consequence}>
        Nothing more is sent to {url}. {traffic.waiting.toLocaleString('en')} pending{' '}
        {traffic.waiting === 1 ? 'delivery is' : 'deliveries are'} marked as failed. They and what happens meanwhile can be sent
        later, once it is enabled again.
      </p>
    </ConfirmDialog>
  );
}
