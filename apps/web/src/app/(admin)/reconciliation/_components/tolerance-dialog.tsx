'use client';

import { toleranceText } from '@switchyard/api/entered-fields';
import { useQuery } from '@tanstack/react-query';
import * as z from 'zod/mini';
import { Dialog } from '#/components/dialog/dialog.tsx';
import { Refusal } from '#/components/page/refusal.tsx';
import { Moment } from '#/components/time/moment.tsx';
import { showToast } from '#/components/toasts/toast-store.ts';
import { Form, FormRefusal, SubmitButton } from '#/forms/form.tsx';
import { useForm } from '#/forms/use-form.ts';
import { useScope } from '#/scope/use-scope.ts';
import { useTRPC } from '#/trpc/client.tsx';
import type { RouterOutputs } from '#/trpc/outputs.ts';
import { useCan } from '#/trpc/use-can.ts';
import { useDiscrepancyActions } from './discrepancies/use-discrepancy-actions.ts';

const schema = z.object({ tolerance: toleranceText });

/** The tolerance of each merchant shown. */
export function ToleranceDialog({ onClose }: { onClose: () => void }) {
  const trpc = useTRPC();
  const { merchantId } = useScope();
  const can = useCan();
  const { data, error } = useQuery(trpc.reconciliation.tolerances.queryOptions({ merchantId }));
  return (
    <Dialog title="Tolerance" onClose={onClose}>
      <p className="mb-4 text-ink-quiet text-sm">
        Differences up to this amount can be accepted together, with a reason. Nothing is accepted automatically, and payments do
        not change.
      </p>
      <Refusal message={error?.message ?? null} />
      <div className="grid gap-3 max-h-[50vh] overflow-auto">
        {data?.map((row) => (
          <ToleranceForm key={row.merchantId} row={row} may={can('reconciliation:resolve', row.merchantId)} />
        ))}
      </div>
    </Dialog>
  );
}

type Row = RouterOutputs['reconciliation']['tolerances'][number];

function ToleranceForm({ row, may }: { row: Row; may: boolean }) {
  const { setTolerance } = useDiscrepancyActions();
  const { merchantId, merchantName, tolerance } = row;
  const form = useForm({
    schema,
    values: { tolerance },
    async onSubmit(entered) {
      await setTolerance.mutateAsync({ merchantId, ...entered });
      showToast({ text: `Tolerance of ${merchantName} saved.` });
      return null;
    },
  });
  return (
    <Form form={form} className="grid grid-cols-[minmax(0,1fr)_auto] gap-2 items-center">
      <form.Number
        name="tolerance"
        label={merchantName}
        decimals={6}
        min={0}
        unit="main units"
        disabled={!may}
        description={row.updatedAt === null ? 'Not set' : <Moment value={row.updatedAt} />}
      />
      {may && (
        <SubmitButton variant="plain" disabled={!form.isDirty}>
          Save
        </SubmitButton>
      )}
      <FormRefusal small />
    </Form>
  );
}
