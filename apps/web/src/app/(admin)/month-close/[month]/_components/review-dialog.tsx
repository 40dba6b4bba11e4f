'use client';

import { reviewNote } from '@switchyard/api/entered-fields';
import * as z from 'zod/mini';
import { Dialog } from '#/components/dialog/dialog.tsx';
import { showToast } from '#/components/toasts/toast-store.ts';
import { describeMonth, type Month } from '#/copy/accounting.ts';
import { Form, FormActions } from '#/forms/form.tsx';
import { useForm } from '#/forms/use-form.ts';
import { useMonthChanges } from './use-month-changes.ts';

const schema = z.object({ note: reviewNote });

/** Records a second look at a closed month; another person signs it off then. */
export function ReviewDialog({ month, hash, onClose }: { month: Month; hash: string; onClose: () => void }) {
  const { review } = useMonthChanges();
  const { merchantId, mode } = month;
  const form = useForm({
    schema,
    values: { note: '' },
    async onSubmit({ note }) {
      await review.mutateAsync({ merchantId, mode, month: month.month, hash, note });
      showToast({ text: `${describeMonth(month.month)} is reviewed.` });
      onClose();
      return null;
    },
  });
  return (
    <Dialog title={`Review ${describeMonth(month.month)}`} onClose={onClose}>
      <p className="mb-4 text-ink-quiet text-sm">
        You have compared the frozen figures with what you know. Another person signs the month off.
      </p>
      <Form form={form} className="grid gap-4">
        <form.Area name="note" label="Note" rows={3} description="Shown with the sign-off; may be left empty." />
        <FormActions action="Record review" onCancel={onClose} />
      </Form>
    </Dialog>
  );
}
