'use client';

import { IconAlertTriangle, IconCheck, IconX } from '@tabler/icons-react';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { dismissToast, noToasts, type ShownToast, shownToasts, subscribeToToasts } from './toast-store.ts';

const SHOWN_MS = 6_000;

/**
 * Confirmations of recent actions, announced to screen readers. A toast disappears by itself unless it offers an action: then it
 * waits to be used or dismissed, because undo must not have a time limit.
 */
export function Toasts() {
  const toasts = useSyncExternalStore(subscribeToToasts, shownToasts, noToasts);
  return (
    <section
      className="fixed right-4 bottom-4 left-4 z-60 grid gap-2 justify-items-end pointer-events-none"
      aria-label="Messages"
      aria-live="polite"
      aria-relevant="additions text"
    >
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
      className="flex items-center gap-2.5 w-fit max-w-[min(480px,100%)] min-h-11 py-1.5 pr-1.5 pl-3.5 border border-line-strong rounded-xl bg-ground-float shadow-float text-sm pointer-events-auto"
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <Glyph
        size={16}
        stroke={2}
        className="flex-none tone-ink"
        data-tone={tone === 'bad' || trouble !== null ? 'bad' : 'good'}
        aria-hidden="true"
      />
      <p className="flex-1 min-w-0 wrap-anywhere">
        {text}
        {trouble !== null && <span className="block text-bad-ink">{trouble}</span>}
      </p>
      {action !== undefined && (
        <button
          type="button"
          className="flex-none h-8 rounded-md px-3 text-accent-ink font-semibold hover:bg-ground-hover disabled:text-ink-faint disabled:cursor-default"
          onClick={act}
          aria-busy={busy}
          disabled={busy}
        >
          {action.label}
        </button>
      )}
      <button
        type="button"
        className="flex-none h-8 rounded-md text-ink-quiet grid place-items-center w-8 hover:bg-ground-hover"
        onClick={() => dismissToast(id)}
        aria-label="Dismiss"
      >
        <IconX size={16} stroke={1.8} aria-hidden="true" />
      </button>
    </div>
  );
}
