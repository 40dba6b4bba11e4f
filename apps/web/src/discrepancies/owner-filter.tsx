'use client';

import { useQuery } from '@tanstack/react-query';
import { FilterMenu } from '#/components/filter-bar/filter-bar.tsx';
import { RadioGroup } from '#/components/radio-group/radio-group.tsx';
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
  const choices = [
    { value: '', label: 'Any' },
    { value: NO_OWNER, label: 'No owner' },
    ...owners.map(({ staffId, name }) => ({ value: staffId, label: staffId === me?.staffId ? `${name} (you)` : name })),
    ...(isKnown ? [] : [{ value, label: 'A former colleague' }]),
  ];
  return (
    <FilterMenu label="Owner" value={value === '' ? '' : (choices.find((choice) => choice.value === value)?.label ?? '')}>
      <div className="max-h-[320px] overflow-y-auto">
        <RadioGroup label="Owner" choices={choices} value={value} onChange={onChange} />
      </div>
    </FilterMenu>
  );
}
