'use client';

import { keyNameSchema } from '@switchyard/api/entered-fields';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type ComponentProps, useState } from 'react';
import * as z from 'zod/mini';
import { Dialog } from '#/components/dialog/dialog.tsx';
import { Form, FormActions } from '#/forms/form.tsx';
import { useForm } from '#/forms/use-form.ts';
import { useScope } from '#/scope/use-scope.ts';
import { useTRPC } from '#/trpc/client.tsx';
import { CreatedToken } from './created-token.tsx';

const DAY_MS = 86_400_000;
const LIFETIMES = [
  { value: '30', label: 'After 30 days' },
  { value: '90', label: 'After 90 days' },
  { value: '365', label: 'After a year' },
] as const;
const MODES = [
  { value: 'test', label: 'Test' },
  { value: 'live', label: 'Live' },
] as const;
const schema = z.object({
  name: keyNameSchema,
  merchantIds: z.array(z.string()).check(z.minLength(1, 'must have at least one merchant')),
  modes: z.array(z.enum(['test', 'live'])).check(z.minLength(1, 'must be test, live or both')),
  life: z.enum(['30', '90', '365']),
});

/** Creates a token, and shows it once. */
export function CreateDialog({ publicUrl, onDone, onClose }: { publicUrl: string; onDone: () => void; onClose: () => void }) {
  const trpc = useTRPC();
  const { mode, merchantId } = useScope();
  const { data: merchants } = useQuery(trpc.merchants.list.queryOptions(undefined, { staleTime: 60_000 }));
  const [created, setCreated] = useState<Omit<ComponentProps<typeof CreatedToken>, 'publicUrl' | 'onClose'> | null>(null);
  const issue = useMutation(trpc.financeTokens.issue.mutationOptions());
  const form = useForm({
    schema,
    values: { name: '', merchantIds: merchantId === null ? [] : [merchantId], modes: [mode], life: '90' },
    aliases: { expiresAt: 'life' },
    async onSubmit({ life, ...settings }) {
      const expiresAt = new Date(Date.now() + Number(life) * DAY_MS);
      const outcome = await issue.mutateAsync({ ...settings, expiresAt });
      if (outcome.kind !== 'issued') return outcome.problems;
      setCreated({ name: settings.name, token: outcome.token, modes: settings.modes });
      onDone();
      return null;
    },
  });

  if (created !== null) return <CreatedToken {...created} publicUrl={publicUrl} onClose={onClose} />;
  return (
    <Dialog title="Create finance token" onClose={onClose}>
      <Form form={form}>
        <form.Text
          name="name"
          label="Name"
          maxLength={100}
          description="What will use it."
          placeholder="Month-end workbook"
          autoFocus
        />
        <form.Checkboxes
          name="merchantIds"
          label="Merchants"
          choices={(merchants ?? []).map(({ merchantId: value, name: label }) => ({ value, label }))}
        />
        <form.Checkboxes name="modes" label="Modes" choices={MODES} />
        <form.Radio name="life" label="Expires" choices={LIFETIMES} />
        <FormActions action="Create token" onCancel={onClose} />
      </Form>
    </Dialog>
  );
}
