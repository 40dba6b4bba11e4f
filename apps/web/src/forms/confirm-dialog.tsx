'use client';

import type { ReactNode } from 'react';
import * as z from 'zod/mini';
import { Dialog } from '#/components/dialog/dialog.tsx';
import { Form, FormActions } from './form.tsx';
import { type Answer, useForm } from './use-form.ts';

const NO_FIELDS = z.object({});

/**
 * A question before something is done: a form without fields. Its children say in figures what follows. It closes once that is done,
 * and stays with the reason where it was refused or failed.
 */
export function ConfirmDialog({
  title,
  action,
  variant = 'accent',
  disabled = false,
  onConfirm,
  onClose,
  children,
}: {
  title: string;
  /** The button's label. */
  action: string;
  variant?: 'accent' | 'danger';
  disabled?: boolean;
  onConfirm: () => Promise<Answer>;
  onClose: () => void;
  children: ReactNode;
}) {
  const form = useForm({
    schema: NO_FIELDS,
    values: {},
    async onSubmit() {
      const refusal = await onConfirm();
      if (refusal === null) onClose();
      return refusal;
    },
  });
  return (
    <Dialog title={title} onClose={onClose}>
      <Form form={form}>
        {children}
        <FormActions action={action} variant={variant} disabled={disabled} onCancel={onClose} />
      </Form>
    </Dialog>
  );
}
