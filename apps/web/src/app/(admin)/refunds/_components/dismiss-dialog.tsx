'use client';

import type { FormEvent, ReactNode } from 'react';
import classes from '#/app/(admin)/payments/_components/actions/refund-dialog.module.css';
import { Button } from '#/components/button/button.tsx';
import { Dialog, DialogActions } from '#/components/dialog/dialog.tsx';
import { Refusal } from '#/components/page/refusal.tsx';
import { NoteField, useRequiredNote } from './note-field.tsx';

/** The object to dismiss, the consequence, and the action that does it. */
export interface DismissDialogProps {
  readonly title: string;
  /** Description of the object to dismiss. */
  readonly lead: ReactNode;
  /** The consequence of dismissing it. */
  readonly consequence: string;
  /** The button's label. */
  readonly action: string;
  readonly busy: boolean;
  /** Why the action failed. */
  readonly refusal: string | null;
  readonly onDismiss: (note: string) => void;
  readonly onClose: () => void;
}

/** Dismisses a duplicate charge or a refund with a reason. */
export function DismissDialog({ title, lead, consequence, action, busy, refusal, onDismiss, onClose }: DismissDialogProps) {
  const note = useRequiredNote();

  function submit(event: FormEvent) {
    event.preventDefault();
    const text = note.validate();
    if (text !== null) onDismiss(text);
  }

  return (
    <Dialog title={title} dirty={note.text.trim() !== ''} onClose={onClose}>
      <form className={classes.form} onSubmit={submit} noValidate>
        <p className={classes.lead}>{lead}</p>
        <p className={classes.consequence}>{consequence}</p>
        <NoteField note={note} />
        <Refusal message={refusal} />
        <DialogActions onCancel={onClose}>
          <Button type="submit" variant="danger" loading={busy}>
            {action}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
