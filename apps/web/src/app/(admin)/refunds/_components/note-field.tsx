import { decisionNote } from '@switchyard/api/entered-fields';
import * as z from 'zod/mini';
import type { FieldsOf } from '#/forms/bound-fields.tsx';

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
