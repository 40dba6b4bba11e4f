'use client';

import { enteredText } from '@switchyard/api/entered-fields';
import { useQuery } from '@tanstack/react-query';
import * as z from 'zod/mini';
import { Description, DescriptionList } from '#/components/description-list/description-list.tsx';
import { Refusal } from '#/components/page/refusal.tsx';
import { Select } from '#/components/select/select.tsx';
import { Form, FormRefusal, SubmitButton } from '#/forms/form.tsx';
import { useForm } from '#/forms/use-form.ts';
import { useTRPC } from '#/trpc/client.tsx';
import type { DiscrepancyActions, DiscrepancyKey } from './discrepancy-actions.ts';

const schema = z.object({ note: enteredText(2_000) });

interface Props {
  readonly discrepancy: DiscrepancyKey & {
    readonly ownerId: string | null;
    readonly ownerName: string | null;
    readonly note: string | null;
  };
  readonly useActions: () => Pick<DiscrepancyActions, 'note' | 'assign'>;
}

/** The owner of a discrepancy, and their notes. */
export function OwnerAndNote({ discrepancy, may, useActions }: Props & { may: boolean }) {
  if (may) return <Editable discrepancy={discrepancy} useActions={useActions} />;
  return (
    <DescriptionList>
      <Description name="Owner">{discrepancy.ownerName ?? 'No owner yet'}</Description>
      <Description name="Note">{discrepancy.note}</Description>
    </DescriptionList>
  );
}

function Editable({ discrepancy, useActions }: Props) {
  const trpc = useTRPC();
  const { merchantId, discrepancyId } = discrepancy;
  const { data: owners = [] } = useQuery(
    trpc.reconciliation.owners.queryOptions({ merchantIds: [merchantId] }, { staleTime: 60_000 }),
  );
  const { note, assign } = useActions();
  const form = useForm({
    schema,
    values: { note: discrepancy.note ?? '' },
    async onSubmit({ note: text }) {
      await note.mutateAsync({ merchantId, discrepancyId, note: text || null });
      return null;
    },
  });
  const gone = discrepancy.ownerId !== null && !owners.some(({ staffId }) => staffId === discrepancy.ownerId);
  return (
    <Form form={form} className="grid gap-3 pt-4 border-t border-line" label="Owner and note">
      <Select
        label="Owner"
        options={[
          { value: '', label: 'No owner yet' },
          ...(gone ? [{ value: discrepancy.ownerId ?? '', label: discrepancy.ownerName ?? 'A former colleague' }] : []),
          ...owners.map(({ staffId, name }) => ({ value: staffId, label: name })),
        ]}
        value={discrepancy.ownerId ?? ''}
        disabled={assign.isPending}
        onChange={(ownerId) => assign.mutate({ merchantId, discrepancyId, ownerId: ownerId === '' ? null : ownerId })}
      />
      <form.Area name="note" label="Note" description="What was found, and what is still needed." rows={3} maxLength={2_000} />
      {form.isDirty && (
        <div className="flex gap-2">
          <SubmitButton variant="plain">Save note</SubmitButton>
        </div>
      )}
      <FormRefusal small />
      <Refusal message={assign.error?.message ?? null} />
    </Form>
  );
}
