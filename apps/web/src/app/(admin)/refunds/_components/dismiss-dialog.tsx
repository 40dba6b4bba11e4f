'use client';

import type { ReactNode } from 'react';
import classes from '#/app/(admin)/payments/_components/actions/refund-dialog.module.css';
import { Dialog } from '#/components/dialog/dialog.tsx';
import { Form, FormActions } from '#/forms/form.tsx';
import { useForm } from '#/forms/use-form.ts';
import { NoteField, noteSchema } from './note-field.tsx';

/** The object to dismiss, the consequence, and the action that does it. */
export interface DismissDialogProps {
  readonly title: string;
  /** Description of the object to dismiss. */
  readonly lead: ReactNode;
  /** The consequence of dismissing it. */
  readonly consequence: string;
  /** The button's label. */
  readonly action: string;
  /** Dismisses it. Returns why it was refused, or null. */
  readonly onDismiss: (note: string) => Promise<string | null>;
  readonly onClose: () => void;
}

/** Dismisses a duplicate charge or a refund with a reason. */
export function DismissDialog({ title, lead, consequence, action, onDismiss, onClose }: DismissDialogProps) {
  const form = useForm({ schema: noteSchema, values: { note: '' }, onSubmit: ({ note }) => onDismiss(note) });
  return (
    <Dialog title={title} onClose={onClose}>
      <Form form={form} className="grid gap-4">
        <p className={classes.lead}>{lead}</p>
        <p className={classes.consequence}>{consequence}</p>
        <NoteField form={form} />
        <FormActions action={action} variant="danger" onCancel={onClose} />
      </Form>
    </Dialog>
  );
}
