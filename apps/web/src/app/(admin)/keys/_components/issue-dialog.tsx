'use client';

import { keyNameSchema } from '@switchyard/api/entered-fields';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import * as z from 'zod/mini';
import { Dialog } from '#/components/dialog/dialog.tsx';
import { SecretDialog } from '#/components/shown-once/secret-dialog.tsx';
import { Form, FormActions } from '#/forms/form.tsx';
import { useForm } from '#/forms/use-form.ts';
import { useScope } from '#/scope/use-scope.ts';
import { useTRPC } from '#/trpc/client.tsx';
import { RestrictionFields, restrictionsSchema } from './restriction-fields.tsx';

const DAY_MS = 86_400_000;
const LIFETIMES = [
  { value: 'never', label: 'When it is revoked' },
  { value: '30', label: 'After 30 days' },
  { value: '90', label: 'After 90 days' },
  { value: '365', label: 'After a year' },
] as const;
const schema = z.object({ name: keyNameSchema, life: z.enum(['never', '30', '90', '365']), ...restrictionsSchema });

/** Creates a key, and shows it once. */
export function IssueDialog({
  merchantId,
  merchantName,
  onDone,
  onClose,
}: {
  merchantId: string;
  merchantName: string;
  onDone: () => void;
  onClose: () => void;
}) {
  const trpc = useTRPC();
  const { mode } = useScope();
  const [issued, setIssued] = useState<{ name: string; secret: string } | null>(null);
  const issue = useMutation(trpc.keys.issue.mutationOptions());
  const form = useForm({
    schema,
    values: { name: '', life: 'never', scopes: [], allowedAddresses: '' },
    aliases: { expiresAt: 'name' },
    async onSubmit({ life, ...settings }) {
      const expiresAt = life === 'never' ? null : new Date(Date.now() + Number(life) * DAY_MS);
      const outcome = await issue.mutateAsync({ merchantId, mode, expiresAt, ...settings });
      switch (outcome.kind) {
        case 'issued':
          setIssued({ name: settings.name, secret: outcome.secretKey });
          onDone();
          return null;
        case 'invalid':
          return outcome.problems;
        case 'too_many_keys':
          return [{ field: 'name', message: `cannot be one more: ${outcome.limit} ${mode} keys are in use. Revoke one first` }];
        default:
          return outcome satisfies never;
      }
    },
  });

  if (issued !== null) {
    return (
      <SecretDialog
        title={`Key “${issued.name}” was created`}
        secret={issued.secret}
        label="the key"
        advice="Put it where the merchant’s server keeps its secrets, never in a browser or an app. Anyone who has it can act for the merchant."
        onClose={onClose}
      />
    );
  }
  return (
    <Dialog title={`Create a ${mode} key for ${merchantName}`} onClose={onClose}>
      <Form form={form}>
        <form.Text
          name="name"
          label="Name"
          maxLength={100}
          description="What will use it, to distinguish it from the others."
          placeholder="Checkout server"
          autoFocus
        />
        <form.Radio name="life" label="Expires" choices={LIFETIMES} />
        <RestrictionFields form={form} />
        <FormActions action="Create key" onCancel={onClose} />
      </Form>
    </Dialog>
  );
}
