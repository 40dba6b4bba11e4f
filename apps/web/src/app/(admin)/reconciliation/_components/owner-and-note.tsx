'use client';

import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { Button } from '../../../../components/button.tsx';
import { Fact, Facts } from '../../../../components/facts.tsx';
import { AreaField } from '../../../../components/field/field.tsx';
import { Refusal } from '../../../../components/refusal.tsx';
import type { Difference } from '../../../../copy/differences.ts';
import { useTRPC } from '../../../../trpc/client.tsx';
import classes from './settle-form.module.css';
import { useChanges } from './use-changes.ts';

/** Whose difference it is, and what they have found out so far. */
export function OwnerAndNote({ difference, may }: { difference: Difference; may: boolean }) {
  if (may) return <Editable difference={difference} />;
  return (
    <Facts>
      <Fact name="Owner">{difference.ownerName ?? 'No owner yet'}</Fact>
      <Fact name="Note">{difference.note}</Fact>
    </Facts>
  );
}

function Editable({ difference }: { difference: Difference }) {
  const trpc = useTRPC();
  const field = useId();
  const { merchantId, differenceId } = difference;
  const { data: owners = [] } = useQuery(trpc.reconciliation.owners.queryOptions({ merchantId }, { staleTime: 60_000 }));
  const { note, assign } = useChanges();
  const [text, setText] = useState(difference.note ?? '');
  const changed = text.trim() !== (difference.note ?? '');
  const gone = difference.ownerId !== null && !owners.some(({ staffId }) => staffId === difference.ownerId);
  return (
    <div className={classes.form}>
      <div>
        <label htmlFor={field} className={classes.label}>
          Owner
        </label>
        <select
          id={field}
          className={classes.select}
          value={difference.ownerId ?? ''}
          disabled={assign.isPending}
          onChange={({ currentTarget }) =>
            assign.mutate({ merchantId, differenceId, ownerId: currentTarget.value === '' ? null : currentTarget.value })
          }
        >
          <option value="">No owner yet</option>
          {gone && <option value={difference.ownerId ?? ''}>{difference.ownerName ?? 'A former colleague'}</option>}
          {owners.map(({ staffId, name }) => (
            <option key={staffId} value={staffId}>
              {name}
            </option>
          ))}
        </select>
      </div>
      <AreaField
        label="Note"
        hint="What has been found out, and what is waited for."
        rows={3}
        maxLength={2_000}
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
      />
      {changed && (
        <div className={classes.actions}>
          <Button busy={note.isPending} onClick={() => note.mutate({ merchantId, differenceId, note: text.trim() || null })}>
            Save note
          </Button>
        </div>
      )}
      <Refusal message={assign.error?.message ?? note.error?.message ?? null} />
    </div>
  );
}
