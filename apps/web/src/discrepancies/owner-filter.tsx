'use client';

import { useQuery } from '@tanstack/react-query';
import { Select } from '#/components/select/select.tsx';
import { useScope } from '#/scope/use-scope.ts';
import { useTRPC } from '#/trpc/client.tsx';
import { NO_OWNER } from './no-owner.ts';

/** The staff user that discrepancies are assigned to, or none. */
export function OwnerFilter({ value, onChange }: { value: string; onChange: (owner: string) => void }) {
  const trpc = useTRPC();
  const { merchantId } = useScope();
  const merchantIds = merchantId === null ? [] : [merchantId];
  const { data: owners = [] } = useQuery(trpc.reconciliation.owners.queryOptions({ merchantIds }, { staleTime: 60_000 }));
  const { data: me } = useQuery(trpc.me.queryOptions(undefined, { staleTime: 60_000 }));
  const isKnown = value === '' || value === NO_OWNER || owners.some(({ staffId }) => staffId === value);
  return (
    <Select
      label="Owner"
      labelPlace="inside"
      marked={value !== ''}
      options={[
        { value: '', label: 'Any' },
        { value: NO_OWNER, label: 'No owner' },
        ...owners.map(({ staffId, name }) => ({ value: staffId, label: staffId === me?.staffId ? `${name} (you)` : name })),
        ...(isKnown ? [] : [{ value, label: 'A former colleague' }]),
      ]}
      value={value}
      onChange={onChange}
    />
  );
}
