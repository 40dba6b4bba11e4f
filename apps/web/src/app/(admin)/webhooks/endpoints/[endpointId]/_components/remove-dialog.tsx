'use client';

import { useMutation } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { Button } from '#/components/button/button.tsx';
import { Dialog, DialogActions } from '#/components/dialog/dialog.tsx';
import { Refusal } from '#/components/page/refusal.tsx';
import { showToast } from '#/components/toasts/toast-store.ts';
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
  }

  return (
    <Dialog title="Remove the endpoint?" onClose={onClose}>
      <p className={classes.consequence}>
        {url} got {traffic.delivered.toLocaleString('en')} {traffic.delivered === 1 ? 'event' : 'events'} in the last 24 hours,
        and {traffic.waiting.toLocaleString('en')} are pending; those are not sent. Its secret is destroyed; this cannot be
        undone. To stop for a while, switch it off instead.
      </p>
      <Refusal message={remove.error?.message ?? null} />
      <DialogActions onCancel={onClose}>
        <Button variant="danger" onClick={() => void confirm().catch(() => undefined)} loading={remove.isPending}>
          Remove it for good
        </Button>
      </DialogActions>
    </Dialog>
  );
}
