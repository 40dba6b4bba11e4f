'use client';

import * as z from 'zod/mini';
import { FormDialog, type FormDialogProps } from './form-dialog.tsx';
import { type Answer, useForm } from './use-form.ts';

const NO_FIELDS = z.object({});

/**
 * A question before something is done: a form without fields. Its children say in figures what follows. It closes once that is done,
 * and stays with the reason where it was refused or failed.
 */
export function ConfirmDialog({
  onConfirm,
  ...dialog
}: Pick<FormDialogProps<object, object>, 'title' | 'action' | 'variant' | 'disabled' | 'onClose' | 'children'> & {
  onConfirm: () => Promise<Answer>;
}) {
  const form = useForm({ schema: NO_FIELDS, values: {}, onSubmit: onConfirm, onDone: dialog.onClose });
  return <FormDialog {...dialog} form={form} />;
}
