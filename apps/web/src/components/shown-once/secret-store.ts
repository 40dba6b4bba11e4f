import type { ReactNode } from 'react';

/** A secret on the screen. */
export interface DisplayedSecret {
  readonly id: number;
  readonly content: ReactNode;
}

let shown: readonly DisplayedSecret[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

function show(next: readonly DisplayedSecret[]): void {
  shown = next;
  for (const listener of listeners) listener();
}

/**
 * Shows a secret on any page until the person says that it is stored, by the function that `draw` is given: going back, or any other
 * way off the page that made it, does not take it away. `onStored` is called then, unless the page has gone: call the function that
 * is returned when it goes.
 */
export function showSecret(draw: (store: () => void) => ReactNode, onStored: () => void): () => void {
  lastId += 1;
  const id = lastId;
  let isPageOpen = true;
  const store = () => {
    show(shown.filter((one) => one.id !== id));
    if (isPageOpen) onStored();
  };
  show([...shown, { id, content: draw(store) }]);
  return () => {
    isPageOpen = false;
  };
}

/** Calls back on every change of the secrets shown. Returns a function that unsubscribes. */
export function subscribeToSecrets(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The secret shown, the oldest of several; null for none. The same object until it changes, as `useSyncExternalStore` requires. */
export function shownSecret(): DisplayedSecret | null {
  return shown[0] ?? null;
}
