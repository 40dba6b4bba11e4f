'use client';

import { RESOLUTIONS, resolutionSchema } from '#/discrepancies/resolution-form.tsx';
import { FormDialog } from '#/forms/form-dialog.tsx';
import { useForm } from '#/forms/use-form.ts';

/** Closes the selected discrepancies with one reason. */
export function ResolveDialog({
  selected,
  onApply,
  onClose,
}: {
  selected: readonly object[];
  /** Applies the change and closes the dialog; throws when the server refused. */
  onApply: (change: { kind: 'resolve'; as: 'RESOLVED' | 'EXPLAINED'; why: string }) => Promise<void>;
  onClose: () => void;
}) {
  const form = useForm({
    schema: resolutionSchema,
    values: { as: 'RESOLVED', why: '' },
    async onSubmit(resolution) {
      await onApply({ kind: 'resolve', ...resolution });
      return null;
    },
  });
  const count = selected.length === 1 ? '1 discrepancy' : `${selected.length.toLocaleString('en')} discrepancies`;
  return (
    <FormDialog title={`Resolve ${count}`} form={form} action="Resolve" onClose={onClose}>
      <form.Radio name="as" label="Close as" choices={RESOLUTIONS} />
      <form.Area
        name="why"
        label="Reason"
        description="Saved with your name on each of them. No money moves."
        maxLength={2_000}
      />
    </FormDialog>
  );
}
