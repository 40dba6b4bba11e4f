'use client';

import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { Button } from '#/components/button/button.tsx';
import { Dialog } from '#/components/dialog/dialog.tsx';
import { NumberField } from '#/components/number-field/number-field.tsx';
import { Refusal } from '#/components/page/refusal.tsx';
import { Moment } from '#/components/time/moment.tsx';
import { showToast } from '#/components/toasts/toast-store.ts';
import { useScope } from '#/scope/use-scope.ts';
import { useTRPC } from '#/trpc/client.tsx';
import type { RouterOutputs } from '#/trpc/outputs.ts';
import { useMay } from '#/trpc/use-may.ts';
import { useDiscrepancyActions } from './discrepancies/use-discrepancy-actions.ts';
import classes from './tolerance-dialog.module.css';

/** The tolerance of each merchant shown. */
export function ToleranceDialog({ onClose }: { onClose: () => void }) {
  const trpc = useTRPC();
  const { merchantId } = useScope();
  const may = useMay();
  const { data, error } = useQuery(trpc.reconciliation.tolerances.queryOptions({ merchantId }));
  return (
    <Dialog title="Tolerance" onClose={onClose}>
      <p className={classes.lead}>
        Differences up to this amount can be accepted together, with a reason. Nothing is accepted automatically, and payments do
        not change.
      </p>
      <Refusal message={error?.message ?? null} />
      <div className={classes.merchants}>
        {data?.map((row) => (
          <ToleranceForm key={row.merchantId} row={row} may={may('reconciliation:resolve', row.merchantId)} />
        ))}
      </div>
    </Dialog>
  );
}

type Row = RouterOutputs['reconciliation']['tolerances'][number];

function ToleranceForm({ row, may }: { row: Row; may: boolean }) {
  const { setTolerance } = useDiscrepancyActions();
  const [text, setText] = useState(row.tolerance);
  const [problem, setProblem] = useState<string | null>(null);
  function submit(event: FormEvent) {
    event.preventDefault();
    if (!/^\d{1,7}(\.\d{1,6})?$/.test(text)) return setProblem('must be an amount, such as 50 or 0.5');
    const saved = () => showToast({ text: `Tolerance of ${row.merchantName} saved.` });
    return setTolerance.mutate({ merchantId: row.merchantId, tolerance: text }, { onSuccess: saved });
  }
  return (
    <form className={classes.merchant} onSubmit={submit} noValidate>
      <NumberField
        label={row.merchantName}
        decimals={6}
        min={0}
        unit="main units"
        value={text}
        disabled={!may}
        error={problem ?? setTolerance.error?.message ?? null}
        description={row.updatedAt === null ? 'Not set' : <Moment value={row.updatedAt} />}
        onChange={(next) => {
          setText(next);
          setProblem(null);
        }}
      />
      {may && (
        <Button type="submit" loading={setTolerance.isPending} disabled={text === row.tolerance}>
          Save
        </Button>
      )}
    </form>
  );
}
