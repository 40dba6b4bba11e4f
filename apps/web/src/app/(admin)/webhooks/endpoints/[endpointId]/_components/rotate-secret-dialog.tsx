'use client';

import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import * as z from 'zod/mini';
import { SecretField } from '#/app/(admin)/webhooks/_components/endpoint-form.tsx';
import { Dialog } from '#/components/dialog/dialog.tsx';
import { SecretDialog } from '#/components/shown-once/secret-dialog.tsx';
import { formatOf } from '#/copy/webhooks.ts';
import { Form, FormActions } from '#/forms/form.tsx';
import { useForm } from '#/forms/use-form.ts';
import { useTRPC } from '#/trpc/client.tsx';
import type { EndpointDialogProps } from './dialog-props.ts';
import classes from './endpoint-page.module.css';

const HOUR_MS = 3_600_000;
const OVERLAPS = [
  { value: '24', label: 'For 24 hours' },
  { value: '168', label: 'For 7 days' },
  { value: '720', label: 'For 30 days' },
  { value: '0', label: 'Not at all: others may know the old secret' },
] as const;
const schema = z.object({ overlap: z.enum(['24', '168', '720', '0']), secret: z.string() });

/** Rotates the signing secret; both sign for a while. */
export function RotateSecretDialog({ endpoint, onDone, onClose }: EndpointDialogProps) {
  const trpc = useTRPC();
  const { merchantId, endpointId, previousSecretEndsAt, traffic } = endpoint;
  const format = formatOf(endpoint.format);
  const [secret, setSecret] = useState<string | null>(null);
  const rotate = useMutation(trpc.webhooks.rotateSecret.mutationOptions());
  const form = useForm({
    schema,
    values: { overlap: format === 'switchyard' ? '24' : '0', secret: '' },
    aliases: { oldSignsUntil: 'overlap' },
    async onSubmit({ overlap: hours, secret: chosen }) {
      // Slightly below the accepted maximum, to allow for clock skew; the minimum is a moment ahead.
      const length = Math.max(Number(hours) * HOUR_MS - 60_000, 2_000);
      const oldSignsUntil = new Date(Date.now() + length);
      const outcome = await rotate.mutateAsync({ merchantId, endpointId, oldSignsUntil, secret: chosen === '' ? null : chosen });
      if (outcome.kind === 'invalid') return outcome.problems;
      setSecret(outcome.secret);
      onDone();
      return null;
    },
  });
  const { overlap } = form.entered;

  if (secret !== null) {
    return (
      <SecretDialog
        title="The new signing secret"
        secret={secret}
        label="the signing secret"
        advice={
          format === 'switchyard'
            ? 'Give it to the receiver. Until the old one ends, every message carries a signature by each.'
            : 'Give it to the receiver: every message is signed with it from now on, and with no other.'
        }
        onClose={onClose}
      />
    );
  }
  return (
    <Dialog title="Rotate signing secret" onClose={onClose}>
      <Form form={form}>
        {format === 'switchyard' ? (
          <form.Radio name="overlap" label="Keep signing with the old secret" choices={OVERLAPS} />
        ) : (
          <SecretField form={form} format={format} />
        )}
        <p className={classes.consequence}>
          {endpoint.url} was sent {traffic.attempts.toLocaleString('en')} {traffic.attempts === 1 ? 'message' : 'messages'} in the
          last 24 hours.{' '}
          {overlap === '0'
            ? 'From now on a receiver that knows only the old secret refuses them.'
            : 'A receiver that knows either secret accepts them meanwhile.'}
          {previousSecretEndsAt !== null && ' The secret that is being replaced already stops signing immediately.'}
        </p>
        <FormActions action="Rotate secret" onCancel={onClose} />
      </Form>
    </Dialog>
  );
}
