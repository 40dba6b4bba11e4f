'use client';

import { useQuery } from '@tanstack/react-query';
import * as z from 'zod/mini';
import { Refusal } from '#/components/page/refusal.tsx';
import { FormDialog } from '#/forms/form-dialog.tsx';
import { useForm } from '#/forms/use-form.ts';
import { useTRPC } from '#/trpc/client.tsx';
import type { DiscrepancyKey } from './discrepancy-actions.ts';

const NO_ONE = 'NONE';
const schema = z.object({ owner: z.pipe(z.nullable(z.string()), z.string('must be selected')) });

/** Assigns the selected discrepancies to a person who can resolve all of them, or to no one. */
export function AssignDialog({
  selected,
  onApply,
  onClose,
}: {
  selected: readonly DiscrepancyKey[];
  /** Applies the change and closes the dialog; throws when the server refused. */
  onApply: (change: { kind: 'assign'; ownerId: string | null }) => Promise<void>;
  onClose: () => void;
}) {
  const trpc = useTRPC();
  const merchantIds = [...new Set(selected.map(({ merchantId }) => merchantId))].sort();
  const { data: me } = useQuery(trpc.me.queryOptions(undefined, { staleTime: 60_000 }));
  const { data, error } = useQuery(trpc.reconciliation.owners.queryOptions({ merchantIds }, { staleTime: 60_000 }));
  const able = (data ?? []).filter((owner) => merchantIds.every((merchantId) => owner.merchantIds.includes(merchantId)));
  const form = useForm({
    schema,
    values: { owner: null },
    async onSubmit({ owner }) {
      await onApply({ kind: 'assign', ownerId: owner === NO_ONE ? null : owner });
      return null;
    },
  });
  const choices = [
    ...able.map(({ staffId, name }) => ({ value: staffId, label: staffId === me?.staffId ? `${name} (you)` : name })),
    { value: NO_ONE, label: 'No owner' },
  ];
  return (
    <FormDialog title={`Assign ${countOf(selected.length)}`} form={form} action="Assign" onClose={onClose}>
      <form.Radio name="owner" label="Owner" choices={choices} />
      <Refusal message={error?.message ?? null} />
    </FormDialog>
  );
}

function countOf(count: number): string {
  return count === 1 ? '1 discrepancy' : `${count.toLocaleString('en')} discrepancies`;
}
