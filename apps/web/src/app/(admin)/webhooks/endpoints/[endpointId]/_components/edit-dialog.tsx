'use client';

import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { AddressFields, EventFields, endpointSchema, settingsOf } from '#/app/(admin)/webhooks/_components/endpoint-form.tsx';
import { Dialog } from '#/components/dialog/dialog.tsx';
import { showToast } from '#/components/toasts/toast-store.ts';
import { formatOf } from '#/copy/webhooks.ts';
import { Form, FormActions } from '#/forms/form.tsx';
import { onlyChanged } from '#/forms/only-changed.ts';
import { useForm } from '#/forms/use-form.ts';
import { useTRPC } from '#/trpc/client.tsx';
import type { EndpointDialogProps } from './dialog-props.ts';
import classes from './endpoint-page.module.css';

/** Changes an endpoint's URL and event types; can be undone. */
export function EditDialog({ endpoint, onDone, onClose }: EndpointDialogProps) {
  const trpc = useTRPC();
  const { merchantId, endpointId, url, traffic } = endpoint;
  // Values it was opened with: only what differs from it is sent.
  const [stored] = useState(() => ({
    url,
    description: endpoint.description,
    events: endpoint.types.length === 0 ? ('usual' as const) : ('some' as const),
    types: [...endpoint.types],
  }));
  const update = useMutation(trpc.webhooks.update.mutationOptions());
  const form = useForm({
    schema: endpointSchema,
    values: stored,
    async onSubmit(settings) {
      const before = settingsOf(stored);
      const outcome = await update.mutateAsync({ merchantId, endpointId, changes: onlyChanged(before, settings) });
      if (outcome.kind === 'invalid') return outcome.problems;
      onDone();
      onClose();
      showToast({
        text: 'The endpoint was changed.',
        action: {
          label: 'Undo',
          run: async () => {
            await update.mutateAsync({ merchantId, endpointId, changes: onlyChanged(settings, before) });
            onDone();
          },
        },
      });
      return null;
    },
  });
  return (
    <Dialog title="Edit endpoint" onClose={onClose}>
      <Form form={form} className="contents">
        <AddressFields form={form} />
        <EventFields form={form} format={formatOf(endpoint.format)} events={form.entered.events} />
        {form.entered.url.trim() !== url && traffic.waiting > 0 && (
          <p className={classes.consequence}>
            {traffic.waiting.toLocaleString('en')} {traffic.waiting === 1 ? 'event waits' : 'events wait'}; they go to the new
            address.
          </p>
        )}
        <FormActions action="Save" onCancel={onClose} />
      </Form>
    </Dialog>
  );
}
