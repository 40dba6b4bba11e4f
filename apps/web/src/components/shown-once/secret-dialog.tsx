'use client';

import { type ReactNode, useEffect, useEffectEvent } from 'react';
import { Button } from '../button/button.tsx';
import { Dialog, DialogActions } from '../dialog/dialog.tsx';
import { showSecret } from './secret-store.ts';
import { ShownOnce } from './shown-once.tsx';

/**
 * Shows a new secret in a dialog over every page, once; `children` is what to do with it. It closes only by its button: neither Escape
 * nor going back takes it away.
 */
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
}): null {
  const stored = useEffectEvent(() => onStored());
  const show = useEffectEvent(() =>
    showSecret(
      (store) => (
        <Dialog title={title} locked onClose={store}>
          <ShownOnce secret={secret} label={label} advice={advice} />
          {children}
          <DialogActions>
            <Button variant="accent" onClick={store}>
              I have stored it
            </Button>
          </DialogActions>
        </Dialog>
      ),
      stored,
    ),
  );
  // Once, with the words of its creation.
  useEffect(() => show(), []);
  return null;
}
