'use client';

import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { Button } from '#/components/button/button.tsx';
import { Dialog, DialogActions } from '#/components/dialog/dialog.tsx';
import { Refusal } from '#/components/page/refusal.tsx';
import { RadioGroup } from '#/components/radio-group/radio-group.tsx';
import { useTRPC } from '#/trpc/client.tsx';
import classes from './bulk-dialog.module.css';
import type { BulkDialogProps } from './use-bulk-change.ts';

const NO_ONE = 'NONE';

/** Assigns the selected discrepancies to a person who can resolve all of them, or to no one. */
export function AssignDialog({ selected, busy, refusal, onApply, onClose }: BulkDialogProps) {
  const trpc = useTRPC();
  const merchantIds = [...new Set(selected.map(({ merchantId }) => merchantId))].sort();
  const { data: me } = useQuery(trpc.me.queryOptions(undefined, { staleTime: 60_000 }));
  const { data, error } = useQuery(trpc.reconciliation.owners.queryOptions({ merchantIds }, { staleTime: 60_000 }));
  const able = (data ?? []).filter((owner) => merchantIds.every((merchantId) => owner.merchantIds.includes(merchantId)));
  const [owner, setOwner] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const choices = [
    ...able.map(({ staffId, name }) => ({ value: staffId, label: staffId === me?.staffId ? `${name} (you)` : name })),
    { value: NO_ONE, label: 'No owner' },
  ];

  function submit(event: FormEvent) {
    event.preventDefault();
    if (owner === null) return setProblem('must be selected');
    return onApply({ kind: 'assign', ownerId: owner === NO_ONE ? null : owner });
  }
  return (
    <Dialog title={`Assign ${countOf(selected.length)}`} onClose={onClose}>
      <form className={classes.form} onSubmit={submit} noValidate>
        <RadioGroup label="Owner" choices={choices} value={owner} error={problem} onChange={setOwner} />
        <Refusal message={refusal ?? error?.message ?? null} />
        <DialogActions onCancel={onClose}>
          <Button type="submit" variant="accent" loading={busy}>
            Assign
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

function countOf(count: number): string {
  return count === 1 ? '1 discrepancy' : `${count.toLocaleString('en')} discrepancies`;
}
