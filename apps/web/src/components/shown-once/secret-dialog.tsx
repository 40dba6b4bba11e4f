'use client';

import type { ReactNode } from 'react';
import { Button } from '../button.tsx';
import { Dialog, DialogActions } from '../dialog/dialog.tsx';
import { ShownOnce } from './shown-once.tsx';

/** A dialog with a new secret, shown only once; `children` is what to do with it. It closes only by its button. */
export function SecretDialog({
  title,
  secret,
  label,
  advice,
  children,
  onClose,
  onStored = onClose,
}: {
  title: string;
  secret: string;
  label: string;
  advice: string;
  children?: ReactNode;
  onClose: () => void;
  /** Where the person goes on, when it is not where the dialog was opened. */
  onStored?: () => void;
}) {
  return (
    <Dialog title={title} locked onClose={onClose}>
      <ShownOnce secret={secret} label={label} advice={advice} />
      {children}
      <DialogActions>
        <Button tone="accent" onClick={onStored}>
          I have stored it
        </Button>
      </DialogActions>
    </Dialog>
  );
}
