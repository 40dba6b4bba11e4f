'use client';

import { useEffect } from 'react';

/** Entries that this page would lose if it were left now: one for each form, draft or secret. */
const unsaved = new Set<symbol>();

/** True while the page has something entered that is not saved. */
export function hasUnsaved(): boolean {
  return unsaved.size > 0;
}

/** Asks for confirmation before the window closes or loads another page, while that would lose something. */
export function useUnsaved(wouldLose: boolean): void {
  useEffect(() => {
    if (!wouldLose) return;
    const entry = Symbol('unsaved');
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    unsaved.add(entry);
    window.addEventListener('beforeunload', warn);
    return () => {
      unsaved.delete(entry);
      window.removeEventListener('beforeunload', warn);
    };
  }, [wouldLose]);
}
