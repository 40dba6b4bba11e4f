'use client';

import { useMutation, useQuery } from '@tanstack/react-query';
import dynamic from 'next/dynamic';
import { useState } from 'react';
import { Button } from '#/components/button/button.tsx';
import { Select } from '#/components/select/select.tsx';
import { Moment } from '#/components/time/moment.tsx';
import { showToast } from '#/components/toasts/toast-store.ts';
import { reportRefusal } from '#/forms/reply.ts';
import { useTRPC } from '#/trpc/client.tsx';
import type { Provider } from './provider-dialog.tsx';
import { type Person, useMerchants, useRefreshProviders, useRoles } from './use-team.ts';

const ProviderDialog = dynamic(() => import('./provider-dialog.tsx').then((module) => module.ProviderDialog));

const REMOVED_LAST_OWNER =
  'The only owner of all merchants is one by a group of this provider. Make a person an owner by hand first.';

/** Providers by which people sign in, and the owner who signs in without one; for people who manage the team of all merchants. */
export function ProviderList({ people }: { people: readonly Person[] }) {
  const trpc = useTRPC();
  const { data } = useQuery(trpc.singleSignOn.list.queryOptions());
  const settled = { onSettled: useRefreshProviders() };
  const remove = useMutation(trpc.singleSignOn.remove.mutationOptions(settled));
  const breakGlass = useMutation(trpc.singleSignOn.setBreakGlass.mutationOptions(settled));
  const [edited, setEdited] = useState<Provider | 'new' | null>(null);
  async function onRemove({ providerId, name }: Provider): Promise<string | null> {
    const outcome = await remove.mutateAsync({ providerId });
    if (outcome.kind === 'last_owner') return REMOVED_LAST_OWNER;
    showToast({ text: `“${name}” was removed, with the roles that its groups gave.` });
    return null;
  }
  async function onBreakGlass(staffId: string): Promise<string | null> {
    const outcome = await breakGlass.mutateAsync({ staffId });
    if (outcome.kind === 'not_eligible')
      return 'Only an owner of all merchants with a password and two-factor sign-in can be it.';
    showToast({ text: 'The break-glass owner was named. An alert reports each use.' });
    return null;
  }
  if (data === undefined) return null;
  const owners = people.filter(
    ({ roles, disabledAt, twoFactorEnabled }) =>
      disabledAt === null && twoFactorEnabled && roles.some(({ merchantId, role }) => merchantId === null && role === 'owner'),
  );
  return (
    <section className="mt-8" aria-labelledby="providers">
      <div className="flex flex-wrap gap-2 items-center justify-between mb-2">
        <h2 className="text-lg font-semibold" id="providers">
          Single sign-on
        </h2>
        <Button onClick={() => setEdited('new')}>Add provider</Button>
      </div>
      {data.providers.length === 0 && (
        <p className="text-ink-quiet text-sm">
          None. Add your identity provider, such as Google Workspace, Entra ID, Okta or Keycloak, and give its groups roles.
        </p>
      )}
      <ul className="grid gap-4">
        {data.providers.map((provider) => (
          <li key={provider.providerId} className="grid gap-1 border-t border-line pt-3">
            <div className="flex flex-wrap gap-2 items-center">
              <strong className="flex-1 min-w-0 wrap-anywhere font-medium">{provider.name}</strong>
              <Button onClick={() => setEdited(provider)} aria-label={`Change ${provider.name}`}>
                Change
              </Button>
              <Button
                loading={remove.isPending}
                onClick={() => void reportRefusal(onRemove(provider))}
                aria-label={`Remove ${provider.name}`}
              >
                Remove
              </Button>
            </div>
            <Facts provider={provider} />
          </li>
        ))}
      </ul>
      {data.providers.length > 0 && (
        <div className="grid gap-1 mt-4 max-w-[60ch]">
          <Select
            label="Break-glass owner"
            placeholder={owners.length === 0 ? 'No owner has two-factor sign-in' : 'Choose an owner'}
            options={owners.map(({ staffId, name }) => ({ value: staffId, label: name }))}
            value={data.breakGlassId}
            disabled={owners.length === 0}
            onChange={(staffId) => void reportRefusal(onBreakGlass(staffId))}
          />
          <p className="text-ink-quiet text-sm">
            Signs in with password and code where a provider is required, for the day it does not answer. Each use opens a
            critical alert.
          </p>
        </div>
      )}
      {edited !== null && (
        <ProviderDialog provider={edited === 'new' ? null : edited} ours={data.ours} onClose={() => setEdited(null)} />
      )}
    </section>
  );
}

/** The settings of a provider, as sentences. */
function Facts({ provider }: { provider: Provider }) {
  const { describe } = useRoles();
  const { name } = useMerchants();
  const { domains, required, secondFactorRequired, groupRoles } = provider;
  return (
    <>
      <p className="max-w-[90ch] text-ink-quiet text-sm">
        {provider.type === 'oidc' ? (
          'OpenID Connect. '
        ) : (
          <>
            SAML. Its certificate expires <Moment value={provider.certificatesEnd} tense="either" />.{' '}
          </>
        )}
        {required ? 'Required' : 'Offered'} for {domains.join(', ')}.{' '}
        {secondFactorRequired ? 'Our second factor is asked for.' : "The provider's own second step counts."}
      </p>
      <ul className="text-ink-quiet text-sm">
        {groupRoles.map(({ group, merchantId, role }) => (
          <li key={`${group} ${merchantId} ${role}`} className="wrap-anywhere">
            {group}: {describe(role).name} for {name(merchantId)}
          </li>
        ))}
        {groupRoles.length === 0 && <li>No group has a role yet: no new person can sign in by it.</li>}
      </ul>
    </>
  );
}
