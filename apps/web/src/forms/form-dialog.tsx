'use client';

import type { ReactNode } from 'react';
import type { FieldValues } from 'react-hook-form';
import * as z from 'zod/mini';
import { Dialog, DialogActions } from '#/components/dialog/dialog.tsx';
import { Form, FormRefusal, SubmitButton } from './form.tsx';
import { type Answer, type FormState, useForm } from './use-form.ts';

/** A dialog with a form: its fields are the children, in the order they are asked for. */
interface FormDialogProps<Entered extends FieldValues, Sent> {
  readonly title: string;
  readonly form: FormState<Entered, Sent>;
  /** The label of the button that sends; null where nothing can be. */
  readonly action: string | null;
  readonly variant?: 'accent' | 'danger';
  /** True while nothing can be sent, whatever is entered. */
  readonly disabled?: boolean;
  /** Further ways out, after the action. */
  readonly others?: ReactNode;
  /** Shown below the actions. */
  readonly after?: ReactNode;
  /** False where nothing is lost by closing it: what is entered is kept elsewhere. */
  readonly warns?: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/**
 * The one dialog that asks for something. The `onDone` of its form closes it; closing it in any other way asks first where that would
 * lose what was entered. What the server refused is said beside its field, or above the actions.
 */
export function FormDialog<Entered extends FieldValues, Sent>({
  title,
  form,
  action,
  variant = 'accent',
  disabled = false,
  others,
  after,
  warns = true,
  onClose,
  children,
}: FormDialogProps<Entered, Sent>) {
  return (
    <Dialog title={title} onClose={onClose}>
      <Form form={form} className="grid gap-4" warns={warns}>
        {children}
        {action === null ? (
          <DialogActions onCancel={onClose}>{others}</DialogActions>
        ) : (
          <FormActions action={action} variant={variant} disabled={disabled} onCancel={onClose} others={others} />
        )}
      </Form>
      {after}
    </Dialog>
  );
}

/** The end of a form in a dialog: why it was refused, cancelling and the action; `others` are further ways out after it. */
export function FormActions({
  action,
  variant = 'accent',
  disabled = false,
  onCancel,
  others,
}: {
  action: string;
  variant?: 'accent' | 'danger';
  disabled?: boolean;
  onCancel?: () => void;
  others?: ReactNode;
}) {
  return (
    <>
      <FormRefusal />
      <DialogActions {...(onCancel !== undefined && { onCancel })}>
        <SubmitButton variant={variant} disabled={disabled}>
          {action}
        </SubmitButton>
        {others}
      </DialogActions>
    </>
  );
}

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
