'use client';

import { useMutation } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { showToast } from '#/components/toasts/toast-store.ts';
import { ConfirmDialog } from '#/forms/confirm-dialog.tsx';
import { hrefIn } from '#/scope/scope.ts';
import { useScope } from '#/scope/use-scope.ts';
import { useTRPC } from '#/trpc/client.tsx';
import type { EndpointDialogProps } from './dialog-props.ts';
import classes from './endpoint-page.module.css';

/** Confirmation before an endpoint is removed permanently. */
export function RemoveDialog({ endpoint, onDone, onClose }: EndpointDialogProps) {
  const trpc = useTRPC();
  const router = useRouter();
  const scope = useScope();
  const { merchantId, endpointId, url, traffic } = endpoint;
  const remove = useMutation(trpc.webhooks.remove.mutationOptions());

  async function confirm() {
    await remove.mutateAsync({ merchantId, endpointId });
    showToast({ text: `${url} was removed.` });
    router.push(hrefIn(scope, '/webhooks'));
    onDone();
    return null;
  }

  return (
    <ConfirmDialog title="Remove this endpoint?" action="Remove endpoint" variant="danger" onConfirm={confirm} onClose={onClose}>
      <p className={classes.consequence}>
        {url} got {traffic.delivered.toLocaleString('en')} {traffic.delivered === 1 ? 'event' : 'events'} in the last 24 hours,
        and {traffic.waiting.toLocaleString('en')} {traffic.waiting === 1 ? 'is' : 'are'} pending, not to be sent. Its secret is
        destroyed; this cannot be undone. To pause deliveries, disable it instead.
      </p>
    </ConfirmDialog>
  );
}
