'use client';

import { keyNameSchema } from '@switchyard/api/entered-fields';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import * as z from 'zod/mini';
import { Dialog } from '#/components/dialog/dialog.tsx';
import { SecretDialog } from '#/components/shown-once/secret-dialog.tsx';
import { Form, FormActions } from '#/forms/form.tsx';
import { useForm } from '#/forms/use-form.ts';
import { useTRPC } from '#/trpc/client.tsx';
import { ClientSetup } from './client-setup.tsx';

const DAY_MS = 86_400_000;
const LIFETIMES = [
  { value: '30', label: 'After 30 days' },
  { value: '90', label: 'After 90 days' },
  { value: '365', label: 'After a year' },
] as const;
const SAVE_DRAFTS = {
  value: 'drafts',
  label: 'May save drafts',
  description: 'The agent may write drafts of routing rules and request their publication, which a person decides on.',
} as const;
const schema = z.object({
  name: keyNameSchema,
  life: z.enum(['30', '90', '365']),
  beyondReading: z.array(z.enum(['drafts'])),
});

/** Creates a token for the signed-in person, and shows it once with the configuration of a client. */
export function IssueDialog({ publicUrl, onDone, onClose }: { publicUrl: string; onDone: () => void; onClose: () => void }) {
  const trpc = useTRPC();
  const [issued, setIssued] = useState<{ name: string; token: string } | null>(null);
  const issue = useMutation(trpc.agentTokens.issue.mutationOptions());
  const form = useForm({
    schema,
    values: { name: '', life: '90', beyondReading: [] },
    aliases: { expiresAt: 'life', maySaveDrafts: 'beyondReading' },
    async onSubmit({ name, life, beyondReading }) {
      const expiresAt = new Date(Date.now() + Number(life) * DAY_MS);
      const outcome = await issue.mutateAsync({ name, maySaveDrafts: beyondReading.length > 0, expiresAt });
      if (outcome.kind !== 'issued') return outcome.problems;
      setIssued({ name, token: outcome.token });
      onDone();
      return null;
    },
  });

  if (issued !== null) {
    return (
      <SecretDialog
        title={`Token “${issued.name}” was created`}
        secret={issued.token}
        label="the token"
        advice="Give it to the agent’s client only. Anyone who has it can read what you may read, in your name."
        onClose={onClose}
      >
        <ClientSetup publicUrl={publicUrl} token={issued.token} />
      </SecretDialog>
    );
  }
  return (
    <Dialog title="Create agent token" onClose={onClose}>
      <Form form={form}>
        <form.Text
          name="name"
          label="Name"
          maxLength={100}
          description="Which agent uses it; the audit log names it beside you."
          placeholder="Support assistant"
          autoFocus
        />
        <form.Radio name="life" label="Expires" choices={LIFETIMES} />
        <form.Checkboxes name="beyondReading" label="Beyond reading" choices={[SAVE_DRAFTS]} />
        <FormActions action="Create token" onCancel={onClose} />
      </Form>
    </Dialog>
  );
}
