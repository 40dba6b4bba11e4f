'use client';

import { type ReactNode, useId, useState } from 'react';
import { Overlay } from '../../../../app-shell/overlay.tsx';
import { Refusal } from '../../../../components/refusal.tsx';
import { Action } from './action.tsx';
import classes from './question.module.css';

/**
 * Confirms an important action once: names it, states its consequences, and labels the button with the verb. `onGo` returns what
 * was in the way, or null once it is done; the dialog closes then.
 */
export function Question({
  title,
  verb,
  danger = false,
  ready = true,
  onGo,
  onClose,
  children,
}: {
  title: string;
  verb: string;
  danger?: boolean;
  /** False while something is missing or not known yet. */
  ready?: boolean;
  onGo: () => Promise<string | null>;
  onClose: () => void;
  children: ReactNode;
}) {
  const [busy, setBusy] = useState(false);
  const [message, setMessage] = useState<string | null>(null);
  const heading = useId();
  async function go(): Promise<void> {
    setBusy(true);
    setMessage(null);
    try {
      const refusal = await onGo();
      if (refusal === null) onClose();
      else setMessage(refusal);
    } catch (error) {
      setMessage(error instanceof Error ? error.message : 'This did not work. Try again.');
    } finally {
      setBusy(false);
    }
  }
  return (
    <Overlay label={title} onClose={onClose}>
      <div className={classes.question}>
        <h2 id={heading} className={classes.title}>
          {title}
        </h2>
        <div className={classes.body}>{children}</div>
        <Refusal message={message} />
        <div className={classes.actions}>
          <Action onClick={onClose} disabled={busy}>
            Cancel
          </Action>
          <Action primary={!danger} danger={danger} busy={busy} disabled={!ready} onClick={() => void go()}>
            {verb}
          </Action>
        </div>
      </div>
    </Overlay>
  );
}
