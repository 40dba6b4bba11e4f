'use client';

import { type FormEvent, type ReactNode, useState } from 'react';
import { Button } from '../../../../components/button.tsx';
import { Dialog, DialogActions } from '../../../../components/dialog/dialog.tsx';
import { AreaField } from '../../../../components/field/field.tsx';
import { Refusal } from '../../../../components/refusal.tsx';
import classes from '../../payments/_components/refund-dialog.module.css';

export interface DismissDialogProps {
  readonly title: string;
  /** What it is about. */
  readonly lead: ReactNode;
  /** What dismissing it does. */
  readonly consequence: string;
  /** What the button says. */
  readonly action: string;
  readonly busy: boolean;
  /** Why it could not be done. */
  readonly refusal: string | null;
  readonly onDismiss: (note: string) => void;
  readonly onClose: () => void;
}

/** Says that something about money needs nothing more from us, and why. */
export function DismissDialog({ title, lead, consequence, action, busy, refusal, onDismiss, onClose }: DismissDialogProps) {
  const [note, setNote] = useState('');
  const [problem, setProblem] = useState<string | null>(null);

  function submit(event: FormEvent) {
    event.preventDefault();
    const text = note.trim();
    setProblem(text === '' ? 'must not be empty' : null);
    if (text !== '') onDismiss(text);
  }

  return (
    <Dialog title={title} keep={note.trim() !== ''} onClose={onClose}>
      <form className={classes.form} onSubmit={submit} noValidate>
        <p className={classes.lead}>{lead}</p>
        <p className={classes.consequence}>{consequence}</p>
        <AreaField
          label="Why"
          hint="Kept with your name, on the payment's timeline and in the audit log."
          maxLength={500}
          value={note}
          problem={problem}
          onChange={({ currentTarget }) => setNote(currentTarget.value)}
          onBlur={() => note.trim() !== '' && setProblem(null)}
        />
        <Refusal message={refusal} />
        <DialogActions>
          <Button type="submit" tone="danger" busy={busy}>
            {action}
          </Button>
          <Button onClick={onClose}>Not now</Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
