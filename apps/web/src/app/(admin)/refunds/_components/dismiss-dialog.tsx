'use client';

import { decisionNote } from '@switchyard/api/entered-fields';
import type { ReactNode } from 'react';
import * as z from 'zod/mini';
import type { FieldsOf } from '#/forms/bound-fields.tsx';
import { FormDialog } from '#/forms/form-dialog.tsx';
import { type Answer, useForm } from '#/forms/use-form.ts';

/** The object to dismiss, the consequence, and the action that does it. */
interface DismissDialogProps {
  readonly title: string;
  /** Description of the object to dismiss. */
  readonly lead: ReactNode;
  /** The consequence of dismissing it. */
  readonly consequence: string;
  /** The button's label. */
  readonly action: string;
  /** Dismisses it. Returns why it was refused, or null. */
  readonly onDismiss: (note: string) => Promise<Answer>;
  readonly onClose: () => void;
}

/** Dismisses a duplicate charge or a refund with a reason. */
export function DismissDialog({ title, lead, consequence, action, onDismiss, onClose }: DismissDialogProps) {
  const form = useForm({ schema: noteSchema, values: { note: '' }, onSubmit: ({ note }) => onDismiss(note), onDone: onClose });
  return (
    <FormDialog title={title} form={form} action={action} variant="danger" onClose={onClose}>
      <p className="lead">{lead}</p>
      <p className="consequence">{consequence}</p>
      <NoteField form={form} />
    </FormDialog>
  );
}

/** The reason that a decision about money requires. */
export const noteSchema = z.object({ note: decisionNote });

/** The field for the reason of a decision, at most 500 characters. */
export function NoteField({ form }: { form: FieldsOf<{ note: string }> }) {
  return (
    <form.Area
      name="note"
      label="Reason"
      description="Kept with your name, on the payment's timeline and in the audit log."
      maxLength={500}
    />
  );
}
