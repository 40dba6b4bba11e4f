'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import * as z from 'zod/mini';
import { Button } from '#/components/button/button.tsx';
import { Copyable } from '#/components/copyable/copyable.tsx';
import { TextField } from '#/components/field/field.tsx';
import { showToast } from '#/components/toasts/toast-store.ts';
import { FormDialog } from '#/forms/form-dialog.tsx';
import { reply } from '#/forms/reply.ts';
import { useForm } from '#/forms/use-form.ts';
import { useTRPC } from '#/trpc/client.tsx';
import type { RouterOutputs } from '#/trpc/outputs.ts';
import { MerchantSelect, RoleSelect } from './role-choices.tsx';
import { useMerchants } from './use-team.ts';

/** A provider by which people sign in. */
export type Provider = RouterOutputs['singleSignOn']['list']['providers'][number];
type GroupRole = Provider['groupRoles'][number];

const text = z.string().check(z.trim(), z.minLength(1, 'must not be empty'));
const schema = z.object({
  name: text,
  issuer: text,
  clientId: text,
  clientSecret: z.string(),
  domains: text,
  groupClaim: text,
  required: z.boolean(),
  secondFactorRequired: z.boolean(),
  groupRoles: z.array(z.object({ group: z.string(), merchantId: z.nullable(z.string()), role: z.string() })),
});

/** Adds a provider of OpenID Connect, or changes one. */
export function ProviderDialog({
  provider,
  redirectUri,
  onClose,
}: {
  /** Null to add one. */
  provider: Provider | null;
  /** Where providers send people back to. */
  redirectUri: string;
  onClose: () => void;
}) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const save = useMutation(
    trpc.singleSignOn.save.mutationOptions({ onSettled: () => queries.invalidateQueries(trpc.singleSignOn.pathFilter()) }),
  );
  const form = useForm({
    schema,
    values: {
      name: provider?.name ?? '',
      issuer: provider?.issuer ?? '',
      clientId: provider?.clientId ?? '',
      clientSecret: '',
      domains: provider?.domains.join(', ') ?? '',
      groupClaim: provider?.groupClaim ?? 'groups',
      required: provider?.required ?? false,
      secondFactorRequired: provider?.secondFactorRequired ?? false,
      groupRoles: [...(provider?.groupRoles ?? [])],
    },
    async onSubmit({ clientSecret, domains, groupRoles, ...fields }) {
      const outcome = await save.mutateAsync({
        ...fields,
        providerId: provider?.providerId ?? null,
        clientSecret: clientSecret === '' && provider !== null ? null : clientSecret,
        domains: domains.split(/[\s,]+/).filter((domain) => domain !== ''),
        groupRoles: groupRoles.filter(({ group }) => group.trim() !== ''),
      });
      return reply(outcome, {
        saved: ({ roles }) => {
          const done = `“${fields.name}” was ${provider === null ? 'added' : 'changed'}.`;
          showToast({
            text: roles === 'set' ? done : `${done} The roles of its groups were not: one of them or its merchant was removed.`,
          });
          return null;
        },
        invalid: ({ problems }) =>
          problems.map(({ field, message }) => ({ field: field.replace(/^domains.*/, 'domains'), message })),
        name_taken: [{ field: 'name', message: 'must not be the name of another provider' }],
        too_many: ({ limit }) => `There are ${limit} providers already. Remove one first.`,
        no_break_glass: [{ field: 'required', message: 'needs a break-glass owner first: name one below the list of providers' }],
      });
    },
    onDone: onClose,
  });
  return (
    <FormDialog
      title={provider === null ? 'Add a sign-in provider' : `Change “${provider.name}”`}
      form={form}
      action={provider === null ? 'Add provider' : 'Save changes'}
      onClose={onClose}
    >
      <p className="text-ink-quiet text-sm">
        Register this redirect URI at the provider: <Copyable text={redirectUri} label="redirect URI" />
      </p>
      <form.Text name="name" label="Name" maxLength={60} description="On the sign-in page: “Sign in with …”." />
      <form.Text
        name="issuer"
        label="Issuer"
        type="url"
        description="The address whose /.well-known/openid-configuration names the rest."
      />
      <form.Text name="clientId" label="Client ID" />
      <form.Secret
        name="clientSecret"
        label="Client secret"
        autoComplete="off"
        description={provider === null ? 'Stored encrypted.' : 'Stored encrypted. Empty keeps the one there is.'}
      />
      <form.Text
        name="domains"
        label="E-mail domains"
        description="Whose people it may sign in, with commas: example.com, example.ng."
      />
      <form.Text name="groupClaim" label="Group claim" description="The claim that lists a person's groups." />
      <GroupRoles rows={form.entered.groupRoles} onChange={(groupRoles) => form.enter({ groupRoles: [...groupRoles] })} />
      <form.Checkbox
        name="required"
        label="Required for these domains"
        description="Their passwords are refused, except that of the break-glass owner."
      />
      <form.Checkbox
        name="secondFactorRequired"
        label="Require our second factor"
        description="Else the provider's own second step counts."
      />
    </FormDialog>
  );
}

/** The role of each group; where several give one for the same merchant, the first counts. */
function GroupRoles({ rows, onChange }: { rows: readonly GroupRole[]; onChange: (rows: readonly GroupRole[]) => void }) {
  const { merchants } = useMerchants();
  const choices = [null, ...merchants.map(({ merchantId }) => merchantId)];
  const replace = (at: number, change: Partial<GroupRole>) =>
    onChange(rows.map((each, index) => (index === at ? { ...each, ...change } : each)));
  return (
    <fieldset className="grid gap-3 min-w-0 m-0 p-0 border-0 [&_legend]:mb-1.5 [&_legend]:p-0 [&_legend]:text-ink-quiet [&_legend]:text-xs [&_legend]:font-medium">
      <legend>Roles of groups</legend>
      {rows.map(({ group, merchantId, role }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows have no other key, and their text is edited in place.
        <div key={at} className="flex flex-wrap gap-2 items-end">
          <TextField
            label={`Group ${at + 1}`}
            value={group}
            onChange={({ currentTarget: { value } }) => replace(at, { group: value })}
          />
          <RoleSelect value={role} label={`Role of group ${at + 1}`} onChange={(chosen) => replace(at, { role: chosen })} />
          <span className="pb-1.5 text-sm text-ink-quiet">for</span>
          <MerchantSelect
            value={merchantId}
            label={`Merchant of group ${at + 1}`}
            choices={choices}
            onChange={(chosen) => replace(at, { merchantId: chosen })}
          />
          <Button onClick={() => onChange(rows.filter((_, index) => index !== at))} aria-label={`Remove group ${at + 1}`}>
            Remove
          </Button>
        </div>
      ))}
      <div>
        <Button onClick={() => onChange([...rows, { group: '', merchantId: null, role: 'viewer' }])}>Add a group</Button>
      </div>
    </fieldset>
  );
}
