'use client';

import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import * as z from 'zod/mini';
import { Dialog } from '#/components/dialog/dialog.tsx';
import { SecretDialog } from '#/components/shown-once/secret-dialog.tsx';
import { formatTimestamp } from '#/format/moments.ts';
import { Form, FormActions } from '#/forms/form.tsx';
import { useForm } from '#/forms/use-form.ts';
import { useTRPC } from '#/trpc/client.tsx';
import { KeyUse } from './key-use.tsx';
import { type KeyRow, shortKey } from './keys-table.tsx';

const HOUR_MS = 3_600_000;
const OVERLAPS = [
  { value: '0', label: 'At once' },
  { value: '24', label: 'In 24 hours' },
  { value: '168', label: 'In 7 days' },
  { value: '720', label: 'In 30 days' },
] as const;
const schema = z.object({ overlap: z.enum(['0', '24', '168', '720']) });

/** Rotates a key: both work for a while. */
export function RotateDialog({ known, onDone, onClose }: { known: KeyRow; onDone: () => void; onClose: () => void }) {
  const trpc = useTRPC();
  const [made, setMade] = useState<{ secret: string; oldEndsAt: Date | null } | null>(null);
  const rotate = useMutation(trpc.keys.rotate.mutationOptions());
  const form = useForm({
    schema,
    values: { overlap: '24' },
    aliases: { oldWorksUntil: 'overlap' },
    async onSubmit({ overlap }) {
      // The server's clock decides what is past; a moment ahead of it is at once.
      const oldWorksUntil = new Date(Date.now() + Math.max(Number(overlap) * HOUR_MS, 2_000));
      const { merchantId, keyId } = known;
      const outcome = await rotate.mutateAsync({ merchantId, keyId, oldWorksUntil, expiresAt: null });
      switch (outcome.kind) {
        case 'rotated':
          setMade({ secret: outcome.secretKey, oldEndsAt: outcome.old.expiresAt });
          onDone();
          return null;
        case 'invalid':
          return outcome.problems;
        case 'ended':
          return [{ field: 'overlap', message: 'cannot be: the key has ended meanwhile. Create a new one instead' }];
        case 'too_many_keys':
          return [{ field: 'overlap', message: `cannot be: ${outcome.limit} keys are in use already. Revoke one first` }];
        default:
          return outcome satisfies never;
      }
    },
  });

  if (made !== null) {
    const until = made.oldEndsAt === null ? '' : ` The old one works until ${formatTimestamp(made.oldEndsAt)}.`;
    return (
      <SecretDialog
        title={`New key for “${known.name}”`}
        secret={made.secret}
        label="the key"
        advice={`Give it to every server that has the old one.${until}`}
        onClose={onClose}
      />
    );
  }
  return (
    <Dialog title={`Rotate “${known.name}”`} onClose={onClose}>
      <Form form={form}>
        <p>
          Creates a new key of the same name beside <span className="text-ink-quiet font-mono text-xs">{shortKey(known)}</span>.
        </p>
        <form.Radio name="overlap" label="The old key ends" choices={OVERLAPS} />
        <p className="py-2.5 px-3 border-l-3 border-wait bg-wait-soft text-sm">
          <KeyUse of={known} />{' '}
          {form.entered.overlap === '0'
            ? 'Servers that still have it are refused within a second.'
            : 'Until then both keys work.'}
        </p>
        <FormActions action="Rotate key" onCancel={onClose} />
      </Form>
    </Dialog>
  );
}
