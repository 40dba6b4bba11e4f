'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import * as z from 'zod/mini';
import { Dialog } from '#/components/dialog/dialog.tsx';
import { showToast } from '#/components/toasts/toast-store.ts';
import { Form } from '#/forms/form.tsx';
import { FormActions } from '#/forms/form-dialog.tsx';
import { reply } from '#/forms/reply.ts';
import { useForm } from '#/forms/use-form.ts';
import { useScope } from '#/scope/use-scope.ts';
import { useTRPC } from '#/trpc/client.tsx';
import { useCan } from '#/trpc/use-can.ts';
import { ACCOUNT_ALIASES, AccountFields, accountSchema, CredentialFields, newDraft } from './account/account-fields.tsx';
import type { Account, Kind } from './copy.ts';

/** The accounts there are, whose labels are taken, and what follows once one more is connected. */
export interface ConnectDialogProps {
  readonly accounts: readonly Account[];
  readonly onConnected: (accountId: string) => void;
  readonly onClose: () => void;
}

const placeSchema = z.object({ merchantId: z.nullable(z.string()), gateway: z.nullable(z.string()) });

/** Connects a merchant's account at a gateway: once both are chosen, by the fields of that gateway. */
export function ConnectDialog(props: ConnectDialogProps) {
  const trpc = useTRPC();
  const scope = useScope();
  const can = useCan();
  const { data: kinds } = useQuery(trpc.gateways.kinds.queryOptions(undefined, { staleTime: Number.POSITIVE_INFINITY }));
  const { data: merchants } = useQuery(trpc.merchants.list.queryOptions(undefined, { staleTime: 60_000 }));
  const theirs = merchants?.filter(({ merchantId }) => can('gateway:configure', merchantId)) ?? [];
  const only = theirs.length === 1 ? theirs[0]?.merchantId : null;
  const place = useForm({
    schema: placeSchema,
    values: { merchantId: scope.merchantId ?? only ?? null, gateway: null },
    // Nothing is sent yet: the fields of the account follow.
    onSubmit: () => null,
  });
  const { merchantId, gateway } = place.entered;
  const kind = kinds?.find((one) => one.name === gateway);
  return (
    <Dialog title={`Connect a ${scope.mode} account`} onClose={props.onClose}>
      <Form form={place}>
        {scope.merchantId === null && theirs.length > 1 && (
          <place.Select
            name="merchantId"
            label="Merchant"
            placeholder="Select a merchant"
            options={theirs.map((one) => ({ value: one.merchantId, label: one.name }))}
          />
        )}
        <place.Radio
          name="gateway"
          label="Gateway"
          choices={(kinds ?? []).map((one) => ({ value: one.name, label: one.title }))}
        />
      </Form>
      {kind !== undefined && merchantId !== null && (
        <ConnectForm key={`${kind.name}|${merchantId}`} kind={kind} merchantId={merchantId} {...props} />
      )}
    </Dialog>
  );
}

function ConnectForm({
  kind,
  merchantId,
  accounts,
  onConnected,
  onClose,
}: ConnectDialogProps & { kind: Kind; merchantId: string }) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const { mode } = useScope();
  const [begin] = useState(() =>
    newDraft(
      kind,
      accounts.filter((one) => one.merchantId === merchantId).map(({ label }) => label),
    ),
  );
  const connect = useMutation(
    trpc.gateways.connect.mutationOptions({
      onSuccess: () => queries.invalidateQueries({ queryKey: trpc.gateways.list.pathKey() }),
    }),
  );
  const form = useForm({
    schema: accountSchema(kind, true),
    values: begin,
    aliases: ACCOUNT_ALIASES,
    async onSubmit({ settings, credentials }) {
      const account = { ...settings, credentials, enabled: true, merchantId, mode, gateway: kind.name };
      const outcome = await connect.mutateAsync(account);
      return reply(outcome, {
        connected: ({ account }) => {
          showToast({ text: `Account "${account.label}" is connected. Test it before rules send payments there.` });
          onConnected(account.id);
          return null;
        },
        invalid: ({ problems }) => problems,
        label_taken: [{ field: 'label', message: 'is taken by another account of this merchant' }],
        too_many_accounts: ({ limit }) => `A merchant may have ${limit} accounts at most.`,
        not_found: 'The merchant does not exist any more.',
      });
    },
  });
  return (
    <Form form={form} className="grid gap-4">
      <CredentialFields kind={kind} form={form} />
      <AccountFields kind={kind} mode={mode} form={form} isNew />
      <p className="text-ink-faint text-xs">
        It takes payments once a rule or the default order names it. Enter the webhook address, shown next, in the gateway's
        dashboard.
      </p>
      <FormActions action={`Connect ${form.entered.label}`} onCancel={onClose} />
    </Form>
  );
}
