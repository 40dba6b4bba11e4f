'use client';

import { useQuery } from '@tanstack/react-query';
import { Button } from '#/components/button/button.tsx';
import { Description, DescriptionList } from '#/components/description-list/description-list.tsx';
import { AreaField } from '#/components/field/field.tsx';
import { Refusal } from '#/components/page/refusal.tsx';
import { Select } from '#/components/select/select.tsx';
import type { Discrepancy } from '#/copy/discrepancies.ts';
import { useEdits } from '#/forms/use-edits.ts';
import { useTRPC } from '#/trpc/client.tsx';
import classes from './resolution-form.module.css';
import { useDiscrepancyActions } from './use-discrepancy-actions.ts';

/** The owner of a discrepancy, and their notes. */
export function OwnerAndNote({ discrepancy, may }: { discrepancy: Discrepancy; may: boolean }) {
  if (may) return <Editable discrepancy={discrepancy} />;
  return (
    <DescriptionList>
      <Description name="Owner">{discrepancy.ownerName ?? 'No owner yet'}</Description>
      <Description name="Note">{discrepancy.note}</Description>
    </DescriptionList>
  );
}

function Editable({ discrepancy }: { discrepancy: Discrepancy }) {
  const trpc = useTRPC();
  const { merchantId, discrepancyId } = discrepancy;
  const { data: owners = [] } = useQuery(
    trpc.reconciliation.owners.queryOptions({ merchantIds: [merchantId] }, { staleTime: 60_000 }),
  );
  const { note, assign } = useDiscrepancyActions();
  const stored = discrepancy.note ?? '';
  const { draft, edit, saved } = useEdits({ note: stored });
  const text = draft.note.trim();
  const gone = discrepancy.ownerId !== null && !owners.some(({ staffId }) => staffId === discrepancy.ownerId);
  return (
    <div className={classes.form}>
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
      <AreaField
        label="Note"
        description="What was found, and what is still needed."
        rows={3}
        maxLength={2_000}
        value={draft.note}
        onChange={({ currentTarget }) => edit({ note: currentTarget.value })}
      />
      {text !== stored && (
        <div className={classes.actions}>
          <Button
            loading={note.isPending}
            onClick={() => note.mutate({ merchantId, discrepancyId, note: text || null }, { onSuccess: () => saved(draft) })}
          >
            Save note
          </Button>
        </div>
      )}
      <Refusal message={assign.error?.message ?? note.error?.message ?? null} />
    </div>
  );
}
