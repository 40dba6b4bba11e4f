'use client';

import { type KeyboardEvent, type ReactNode, type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';

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
      className="sheet w-[min(600px,calc(100vw-24px))] max-h-[min(560px,calc(100dvh-24px))] open:flex"
      aria-label={label}
      // Closed and opened again in the same tick, as React does in development, it stays open.
      onClose={() => dialog.current?.open !== true && onClose()}
      onClick={(event) => event.target === dialog.current && onClose()}
    >
      <div className="flex flex-1 flex-col min-w-0 min-h-0">{children}</div>
    </dialog>
  );
}

/**
 * The option chosen among those found for a text, by the arrow keys or the pointer; Enter takes it. The focus stays in the field where
 * the text is typed.
 */
export function useChosenOption(count: number, text: string, take: (at: number) => void) {
  const list: RefObject<HTMLDivElement | null> = useRef<HTMLDivElement>(null);
  const [at, choose] = useState(0);
  const chosen = Math.min(at, count - 1);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new selection scrolls into view.
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [chosen, text]);
  function press(event: KeyboardEvent) {
    const last = count - 1;
    if (event.key === 'Enter') take(chosen);
    else if (event.key === 'ArrowDown') choose(chosen >= last ? 0 : chosen + 1);
    else if (event.key === 'ArrowUp') choose(chosen <= 0 ? last : chosen - 1);
    else return;
    event.preventDefault();
  }
  return { list, chosen, choose, press };
}
