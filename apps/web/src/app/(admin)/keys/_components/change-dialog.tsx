'use client';

import { keyNameSchema } from '@switchyard/api/entered-fields';
import { useMutation } from '@tanstack/react-query';
import * as z from 'zod/mini';
import { Dialog } from '#/components/dialog/dialog.tsx';
import { showToast } from '#/components/toasts/toast-store.ts';
import { Form, FormActions } from '#/forms/form.tsx';
import { useForm } from '#/forms/use-form.ts';
import { useTRPC } from '#/trpc/client.tsx';
import { type KeyRow, scopesOf, shortKey } from './keys-table.tsx';
import { RestrictionFields, restrictionsSchema } from './restriction-fields.tsx';

const schema = z.object({ name: keyNameSchema, ...restrictionsSchema });

/** Changes a key's name, what it may do and from where. The key itself stays. */
export function ChangeDialog({ known, onDone, onClose }: { known: KeyRow; onDone: () => void; onClose: () => void }) {
  const trpc = useTRPC();
  const { merchantId, keyId } = known;
  const change = useMutation(trpc.keys.change.mutationOptions());
  const form = useForm({
    schema,
    values: { name: known.name, scopes: [...scopesOf(known)], allowedAddresses: known.allowedAddresses.join('\n') },
    async onSubmit(_, { changed }) {
      const outcome = await change.mutateAsync({ merchantId, keyId, changes: changed });
      switch (outcome.kind) {
        case 'changed':
        case 'unchanged':
          onDone();
          onClose();
          showToast({
            text: `Key “${outcome.key.name}” was ${outcome.kind === 'changed' ? 'changed' : 'not changed'}.`,
          });
          return null;
        case 'invalid':
          return outcome.problems;
        case 'ended':
          return [{ field: 'name', message: 'cannot be changed: the key has ended meanwhile' }];
        default:
          return outcome satisfies never;
      }
    },
  });
  return (
    <Dialog title={`Change “${known.name}”`} onClose={onClose}>
      <Form form={form}>
        <p>
          <span className="text-ink-quiet font-mono text-xs">{shortKey(known)}</span> stays as it is. Requests outside these
          limits are refused within about a second.
        </p>
        <form.Text name="name" label="Name" maxLength={100} />
        <RestrictionFields form={form} />
        <FormActions action="Save" onCancel={onClose} />
      </Form>
    </Dialog>
  );
}
