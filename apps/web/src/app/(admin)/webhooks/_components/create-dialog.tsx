'use client';

import { useMutation, useQuery } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { parseAsStringLiteral, useQueryState } from 'nuqs';
import { useState } from 'react';
import { SecretDialog } from '#/components/shown-once/secret-dialog.tsx';
import { FORMAT_LABELS, type Format } from '#/copy/webhooks.ts';
import { FormDialog } from '#/forms/form-dialog.tsx';
import { useForm } from '#/forms/use-form.ts';
import { hrefIn } from '#/scope/scope.ts';
import { useScope } from '#/scope/use-scope.ts';
import { useTRPC } from '#/trpc/client.tsx';
import { AddressFields, EventFields, FormatField, newEndpointSchema, SecretField } from './endpoint-form.tsx';

/** The format a link asks for. */
const formatParser = parseAsStringLiteral<Format>(['switchyard', 'paystack', 'flutterwave']).withDefault('switchyard');

/** Adds an endpoint, and shows its signing secret once. */
export function CreateDialog({ onDone, onClose }: { onDone: () => void; onClose: () => void }) {
  const trpc = useTRPC();
  const router = useRouter();
  const scope = useScope();
  const { data: merchants } = useQuery(trpc.merchants.list.queryOptions(undefined, { staleTime: 60_000 }));
  const [opened] = useQueryState('format', formatParser);
  const [made, setMade] = useState<{ secret: string; endpointId: string; merchantId: string } | null>(null);
  const create = useMutation(trpc.webhooks.create.mutationOptions());
  const only = merchants?.length === 1 ? (merchants[0]?.merchantId ?? null) : null;
  const form = useForm({
    schema: newEndpointSchema,
    values: {
      merchantId: scope.merchantId ?? only,
      url: '',
      description: '',
      events: 'usual',
      types: [],
      format: opened,
      secret: '',
    },
    async onSubmit(settings) {
      const outcome = await create.mutateAsync({ mode: scope.mode, ...settings });
      switch (outcome.kind) {
        case 'created':
          setMade({ ...outcome, merchantId: settings.merchantId });
          onDone();
          return null;
        case 'invalid':
          return outcome.problems;
        case 'too_many_endpoints':
          return [{ field: 'url', message: `cannot be one more: the merchant has ${outcome.limit} ${scope.mode} endpoints` }];
        default:
          return outcome satisfies never;
      }
    },
  });
  const { format, events } = form.entered;

  if (made !== null) {
    const path = hrefIn({ ...scope, merchantId: made.merchantId }, `/webhooks/endpoints/${made.endpointId}`);
    return (
      <SecretDialog
        title="The endpoint was added"
        secret={made.secret}
        label="the signing secret"
        advice={
          format === 'switchyard'
            ? 'The receiver verifies with it that a message is ours. Events are sent from now on; a test event shows whether they arrive.'
            : `Messages are signed with it as ${FORMAT_LABELS[format]} signs. Events are sent from now on; a test event shows whether they arrive.`
        }
        onClose={onClose}
        onStored={() => router.push(path)}
      />
    );
  }
  return (
    <FormDialog title={`Add a ${scope.mode} endpoint`} form={form} action="Add endpoint" onClose={onClose}>
      {scope.merchantId === null && merchants !== undefined && merchants.length > 1 && (
        <form.Select
          name="merchantId"
          label="Merchant"
          placeholder="Select a merchant"
          options={merchants.map(({ merchantId: value, name }) => ({ value, label: name }))}
        />
      )}
      <AddressFields form={form} />
      <FormatField form={form} onChange={() => form.enter({ events: 'usual', types: [], secret: '' })} />
      {format !== 'switchyard' && <SecretField form={form} format={format} />}
      <EventFields form={form} format={format} events={events} />
    </FormDialog>
  );
}
