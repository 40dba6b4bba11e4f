'use client';

import { useQuery } from '@tanstack/react-query';
import { RESOLUTIONS, resolutionSchema } from '#/discrepancies/resolution-form.tsx';
import { groupDecimal } from '#/format/amounts.ts';
import { FormDialog } from '#/forms/form-dialog.tsx';
import { useForm } from '#/forms/use-form.ts';
import { useTRPC } from '#/trpc/client.tsx';
import type { BulkDialogProps } from './use-discrepancy-actions.ts';

/** Closes the selected discrepancies with one reason; `accept` only those within their merchant's tolerance. */
export function ResolveDialog({ selected, accept = false, onApply, onClose }: BulkDialogProps & { accept?: boolean }) {
  const count = selected.length.toLocaleString('en');
  const form = useForm({
    schema: resolutionSchema,
    values: { as: 'RESOLVED', why: '' },
    async onSubmit({ as, why }) {
      await onApply(accept ? { kind: 'accept', why } : { kind: 'resolve', as, why });
      return null;
    },
  });
  return (
    <FormDialog
      title={accept ? 'Accept within tolerance' : `Resolve ${count} ${selected.length === 1 ? 'discrepancy' : 'discrepancies'}`}
      form={form}
      action={accept ? 'Accept' : 'Resolve'}
      onClose={onClose}
    >
      {accept ? (
        <Tolerances merchantIds={selected.map(({ merchantId }) => merchantId)} count={count} />
      ) : (
        <form.Radio name="as" label="Close as" choices={RESOLUTIONS} />
      )}
      <form.Area
        name="why"
        label="Reason"
        description="Saved with your name on each of them. Payments do not change."
        maxLength={2_000}
      />
    </FormDialog>
  );
}

function Tolerances({ merchantIds, count }: { merchantIds: readonly string[]; count: string }) {
  const trpc = useTRPC();
  const { data = [] } = useQuery(trpc.reconciliation.tolerances.queryOptions({}, { staleTime: 60_000 }));
  const concerned = data.filter(({ merchantId }) => merchantIds.includes(merchantId));
  return (
    <p className="text-ink-quiet text-sm">
      Of the {count} selected, those whose amounts differ by no more than the tolerance are closed as explained:{' '}
      {concerned.map(({ merchantName, tolerance }) => `${merchantName} ${groupDecimal(tolerance)}`).join(', ')}. The others stay
      open.
    </p>
  );
}
