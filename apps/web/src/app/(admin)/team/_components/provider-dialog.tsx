'use client';

import { IconX } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import * as z from 'zod/mini';
import { Button } from '#/components/button/button.tsx';
import { Copyable } from '#/components/copyable/copyable.tsx';
import { TextField } from '#/components/field/field.tsx';
import { FormDialog } from '#/forms/form-dialog.tsx';
import { done, reply } from '#/forms/reply.ts';
import { useForm } from '#/forms/use-form.ts';
import { useTRPC } from '#/trpc/client.tsx';
import type { RouterOutputs } from '#/trpc/outputs.ts';
import { MerchantSelect, RoleSelect } from './role-choices.tsx';
import { useMerchants, useRefreshProviders } from './use-team.ts';

/** A provider by which people sign in. */
export type Provider = RouterOutputs['singleSignOn']['list']['providers'][number];
type GroupRole = Provider['groupRoles'][number];

const text = z.string().check(z.trim(), z.minLength(1, 'must not be empty'));
const schema = z.object({
  type: z.enum(['oidc', 'saml']),
  name: text,
  issuer: z.string(),
  clientId: z.string(),
  clientSecret: z.string(),
  metadata: z.string(),
  entityId: z.string(),
  entryPoint: z.string(),
  certificates: z.string(),
  domains: text,
  groupClaim: text,
  required: z.boolean(),
  secondFactorRequired: z.boolean(),
  groupRoles: z.array(z.object({ group: z.string(), merchantId: z.nullable(z.string()), role: z.string() })),
});

/** The fields of a new provider's connection. */
const NO_CONNECTION = { issuer: '', clientId: '', entityId: '', entryPoint: '', certificates: '' };
const GROUPS_GONE = 'A role or a merchant of its groups was removed meanwhile. Choose another one.';

/** Our addresses, which are entered at providers. */
export type OurAddresses = RouterOutputs['singleSignOn']['list']['ours'];

/** Adds a provider of OpenID Connect or SAML, or changes one. */
export function ProviderDialog({
  provider,
  ours,
  onClose,
}: {
  /** Null to add one. */
  provider: Provider | null;
  ours: OurAddresses;
  onClose: () => void;
}) {
  const trpc = useTRPC();
  const save = useMutation(trpc.singleSignOn.save.mutationOptions({ onSettled: useRefreshProviders() }));
  const form = useForm({
    schema,
    values: {
      ...NO_CONNECTION,
      ...connectionOf(provider),
      type: provider?.type ?? 'oidc',
      name: provider?.name ?? '',
      clientSecret: '',
      metadata: '',
      domains: provider?.domains.join(', ') ?? '',
      groupClaim: provider?.groupClaim ?? 'groups',
      required: provider?.required ?? false,
      secondFactorRequired: provider?.secondFactorRequired ?? false,
      groupRoles: [...(provider?.groupRoles ?? [])],
    },
    async onSubmit(entered) {
      const { type, name, domains, groupClaim, required, secondFactorRequired, groupRoles } = entered;
      const { issuer, clientId, clientSecret, metadata, entityId, entryPoint, certificates } = entered;
      const common = {
        providerId: provider?.providerId ?? null,
        name,
        groupClaim,
        required,
        secondFactorRequired,
        domains: domains.split(/[\s,]+/).filter((domain) => domain !== ''),
        groupRoles: groupRoles.filter(({ group }) => group.trim() !== ''),
      };
      const kept = clientSecret === '' && provider !== null ? null : clientSecret;
      const outcome = await save.mutateAsync(
        type === 'oidc'
          ? { ...common, type, issuer, clientId, clientSecret: kept }
          : { ...common, type, metadata, entityId, entryPoint, certificates },
      );
      return reply(outcome, {
        saved: () => done(`“${name}” was ${provider === null ? 'added' : 'changed'}.`),
        invalid: ({ problems }) =>
          problems.map(({ field, message }) => ({ field: field.replace(/^domains.*/, 'domains'), message })),
        name_taken: [{ field: 'name', message: 'must not be the name of another provider' }],
        too_many: ({ limit }) => `There are ${limit} providers already. Remove one first.`,
        no_break_glass: 'Passwords can be refused once a break-glass owner is named, below the list of providers.',
        unknown_merchant: GROUPS_GONE,
        unknown_role: GROUPS_GONE,
        too_many_group_roles: ({ limit }) => `At most ${limit} rows of groups are possible.`,
        not_allowed: ({ groupRole: { group } }) => `You may not give, change or take the role of the group “${group}”.`,
      });
    },
    onDone: onClose,
  });
  const { type } = form.entered;
  return (
    <FormDialog
      title={provider === null ? 'Add a sign-in provider' : `Change “${provider.name}”`}
      form={form}
      action={provider === null ? 'Add provider' : 'Save changes'}
      onClose={onClose}
    >
      {provider === null && (
        <form.Segmented
          name="type"
          label="Protocol"
          choices={[
            { value: 'oidc', label: 'OpenID Connect' },
            { value: 'saml', label: 'SAML' },
          ]}
        />
      )}
      <Registration type={type} ours={ours} />
      <form.Text name="name" label="Name" maxLength={60} description="On the sign-in page: “Sign in with …”." />
      {type === 'oidc' ? (
        <>
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
        </>
      ) : (
        <>
          <form.Area
            name="metadata"
            label="Metadata XML"
            variant="code"
            rows={4}
            description="Paste the provider's metadata, or fill in the next three fields."
          />
          <form.Text name="entityId" label="Entity ID" description="Of the provider. Empty where metadata is pasted." />
          <form.Text name="entryPoint" label="Sign-in address" type="url" description="With the binding HTTP-Redirect." />
          <form.Area
            name="certificates"
            label="Certificates"
            variant="code"
            rows={4}
            description="PEM of those that sign, one below another during a change of keys."
          />
        </>
      )}
      <form.Text
        name="domains"
        label="E-mail domains"
        description="Whose people it may sign in, with commas: example.com, example.ng."
      />
      <form.Text
        name="groupClaim"
        label={type === 'oidc' ? 'Group claim' : 'Group attribute'}
        description={`The ${type === 'oidc' ? 'claim' : 'attribute'} that lists a person's groups.`}
      />
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

function connectionOf(provider: Provider | null): Partial<typeof NO_CONNECTION> {
  if (provider === null) return {};
  if (provider.type === 'oidc') return { issuer: provider.issuer, clientId: provider.clientId };
  return { entityId: provider.entityId, entryPoint: provider.entryPoint, certificates: provider.certificates };
}

/** Our addresses, to be entered at the provider. */
function Registration({ type, ours: { redirectUri, entityId, answerUrl } }: { type: 'oidc' | 'saml'; ours: OurAddresses }) {
  if (type === 'oidc') {
    return (
      <p className="text-ink-quiet text-sm">
        Register this redirect URI at the provider: <Copyable text={redirectUri} label="redirect URI" />
      </p>
    );
  }
  return (
    <div className="grid gap-1 text-ink-quiet text-sm">
      <p>
        Register these at the provider, or{' '}
        <a className="underline" href={entityId} target="_blank" rel="noreferrer">
          our metadata
        </a>
        :
      </p>
      <p>
        ACS URL: <Copyable text={answerUrl} label="ACS URL" />
      </p>
      <p>
        Audience and entity ID: <Copyable text={entityId} label="entity ID" />
      </p>
    </div>
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
        <div key={at} className="grid grid-cols-[minmax(0,1fr)_auto_minmax(0,1fr)_auto] gap-2 items-end">
          <div className="col-span-3">
            <TextField
              label={`Group ${at + 1}`}
              value={group}
              onChange={({ currentTarget: { value } }) => replace(at, { group: value })}
            />
          </div>
          <button
            type="button"
            className="grid place-items-center w-8 h-9 rounded-md text-ink-quiet hover:bg-ground-hover"
            aria-label={`Remove group ${at + 1}`}
            onClick={() => onChange(rows.filter((_, index) => index !== at))}
          >
            <IconX size={16} stroke={1.8} aria-hidden="true" />
          </button>
          <RoleSelect value={role} label={`Role of group ${at + 1}`} onChange={(chosen) => replace(at, { role: chosen })} />
          <span className="self-center text-sm text-ink-quiet">for</span>
          <MerchantSelect
            value={merchantId}
            label={`Merchant of group ${at + 1}`}
            choices={choices}
            onChange={(chosen) => replace(at, { merchantId: chosen })}
          />
        </div>
      ))}
      <div>
        <Button onClick={() => onChange([...rows, { group: '', merchantId: null, role: 'viewer' }])}>Add a group</Button>
      </div>
    </fieldset>
  );
}
