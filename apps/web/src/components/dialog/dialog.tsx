'use client';

import { IconX } from '@tabler/icons-react';
import { type ReactNode, useEffect, useId, useRef } from 'react';
import classes from './dialog.module.css';

/**
 * A modal form or confirmation. Closes by Escape, by its cross, and by a click beside it, unless `keep` marks input that would be
 * lost; the focus returns to the element that had it.
 */
export function Dialog({
  title,
  keep = false,
  onClose,
  children,
}: {
  title: string;
  keep?: boolean;
  onClose: () => void;
  children: ReactNode;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useId();
  useEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the dialog closes by Escape of itself; this is for a click beside it.
    <dialog
      ref={dialog}
      className={classes.dialog}
      aria-labelledby={heading}
      // The close event arrives late: a dialog that has been shown again meanwhile stays.
      onClose={() => dialog.current?.open !== true && onClose()}
      onClick={(event) => !keep && event.target === dialog.current && onClose()}
    >
      <div className={classes.content}>
        <header className={classes.head}>
          <h2 className={classes.title} id={heading}>
            {title}
          </h2>
          <button type="button" className={classes.close} onClick={onClose} aria-label="Close">
            <IconX size={18} stroke={1.7} aria-hidden="true" />
          </button>
        </header>
        {children}
      </div>
    </dialog>
  );
}

/** The buttons of a dialog: its action, and cancelling. */
export function DialogActions({ children }: { children: ReactNode }) {
  return <div className={classes.actions}>{children}</div>;
}
