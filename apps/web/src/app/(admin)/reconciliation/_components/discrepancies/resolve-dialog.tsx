'use client';

import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { Button } from '#/components/button/button.tsx';
import { Dialog, DialogActions } from '#/components/dialog/dialog.tsx';
import { AreaField } from '#/components/field/field.tsx';
import { Refusal } from '#/components/page/refusal.tsx';
import { RadioGroup } from '#/components/radio-group/radio-group.tsx';
import { groupDecimal } from '#/format/amounts.ts';
import { useTRPC } from '#/trpc/client.tsx';
import classes from '../bulk/bulk-dialog.module.css';
import type { BulkDialogProps } from '../bulk/use-bulk-change.ts';
import { RESOLUTIONS } from './resolution-form.tsx';

/** Closes the selected discrepancies with one reason; `accept` only those within their merchant's tolerance. */
export function ResolveDialog({
  selected,
  busy,
  refusal,
  accept = false,
  onApply,
  onClose,
}: BulkDialogProps & { accept?: boolean }) {
  const [as, setAs] = useState<(typeof RESOLUTIONS)[number]['value']>('RESOLVED');
  const [why, setWhy] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const count = selected.length.toLocaleString('en');

  function submit(event: FormEvent) {
    event.preventDefault();
    if (why.trim() === '') return setProblem('must not be empty');
    return onApply(accept ? { kind: 'accept', why: why.trim() } : { kind: 'resolve', as, why: why.trim() });
  }
  return (
    <Dialog
      title={accept ? 'Accept within tolerance' : `Resolve ${count} ${selected.length === 1 ? 'discrepancy' : 'discrepancies'}`}
      dirty={why.trim() !== ''}
      onClose={onClose}
    >
      <form className={classes.form} onSubmit={submit} noValidate>
        {accept ? (
          <Tolerances merchantIds={selected.map(({ merchantId }) => merchantId)} count={count} />
        ) : (
          <RadioGroup label="Close as" choices={RESOLUTIONS} value={as} onChange={setAs} />
        )}
        <AreaField
          label="Reason"
          description="Saved with your name on each of them. Payments do not change."
          maxLength={2_000}
          value={why}
          error={problem}
          onChange={({ currentTarget }) => {
            setWhy(currentTarget.value);
            if (currentTarget.value.trim() !== '') setProblem(null);
          }}
        />
        <Refusal message={refusal} />
        <DialogActions onCancel={onClose}>
          <Button type="submit" variant="accent" loading={busy}>
            {accept ? 'Accept' : 'Resolve'}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

function Tolerances({ merchantIds, count }: { merchantIds: readonly string[]; count: string }) {
  const trpc = useTRPC();
  const { data = [] } = useQuery(trpc.reconciliation.tolerances.queryOptions({}, { staleTime: 60_000 }));
  const concerned = data.filter(({ merchantId }) => merchantIds.includes(merchantId));
  return (
    <p className={classes.lead}>
      Of the {count} selected, those whose amounts differ by no more than the tolerance are closed as explained:{' '}
      {concerned.map(({ merchantName, tolerance }) => `${merchantName} ${groupDecimal(tolerance)}`).join(', ')}. The others stay
      open.
    </p>
  );
}
