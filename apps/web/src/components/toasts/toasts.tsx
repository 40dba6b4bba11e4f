'use client';

import { IconAlertTriangle, IconCheck, IconX } from '@tabler/icons-react';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { dismissToast, noToasts, type ShownToast, shownToasts, subscribeToToasts } from './toast-store.ts';
import classes from './toasts.module.css';

const SHOWN_MS = 6_000;

/**
 * Confirmations of recent actions, announced to screen readers. A toast disappears by itself unless it offers an action: then it
 * waits to be used or dismissed, because undo must not have a time limit.
 */
export function Toasts() {
  const toasts = useSyncExternalStore(subscribeToToasts, shownToasts, noToasts);
  return (
    <section className={classes.toasts} aria-label="Messages" aria-live="polite" aria-relevant="additions text">
      {toasts.map((toast) => (
        <Message key={toast.id} toast={toast} />
      ))}
    </section>
  );
}

function Message({ toast }: { toast: ShownToast }) {
  const { id, text, tone = 'good', action } = toast;
  const [held, setHeld] = useState(false);
  const [busy, setBusy] = useState(false);
  const [trouble, setTrouble] = useState<string | null>(null);
  const stays = action !== undefined || held;
  useEffect(() => {
    if (stays) return;
    const timer = setTimeout(() => dismissToast(id), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [id, stays]);

  async function act() {
    if (action === undefined || busy) return;
    setBusy(true);
    setTrouble(null);
    try {
      await action.run();
      dismissToast(id);
    } catch (error) {
      setBusy(false);
      setTrouble(error instanceof Error ? error.message : 'Something went wrong. Try again.');
    }
  }

  const Glyph = tone === 'bad' || trouble !== null ? IconAlertTriangle : IconCheck;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: reading it keeps it; nothing is done by pointing.
    <div
      className={classes.toast}
      data-tone={trouble === null ? tone : 'bad'}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <Glyph size={16} stroke={2} className={classes.glyph} aria-hidden="true" />
      <p className={classes.text}>
        {text}
        {trouble !== null && <span className={classes.error}>{trouble}</span>}
      </p>
      {action !== undefined && (
        <button type="button" className={classes.action} onClick={act} aria-busy={busy} disabled={busy}>
          {action.label}
        </button>
      )}
      <button type="button" className={classes.close} onClick={() => dismissToast(id)} aria-label="Dismiss">
        <IconX size={16} stroke={1.8} aria-hidden="true" />
      </button>
    </div>
  );
}
