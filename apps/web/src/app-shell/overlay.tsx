'use client';

import { type ReactNode, useLayoutEffect, useRef } from 'react';
import classes from './overlay.module.css';

/** An overlay over the page until it is closed: by Escape, by a click beside it, or from within. */
export function Overlay({ label, onClose, children }: { label: string; onClose: () => void; children: ReactNode }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the dialog closes by Escape of itself; this is for a click beside it.
    <dialog
      ref={dialog}
      className={classes.overlay}
      aria-label={label}
      // Closed and opened again in the same tick, as React does in development, it stays open.
      onClose={() => dialog.current?.open !== true && onClose()}
      onClick={(event) => event.target === dialog.current && onClose()}
    >
      <div className="flex flex-1 flex-col min-w-0 min-h-0">{children}</div>
    </dialog>
  );
}
