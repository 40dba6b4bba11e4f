import { useSyncExternalStore } from 'react';
import { holdTyped, takeTyped } from './typed-ahead.ts';

/** The open overlay: the command menu, the list of shortcuts, or none. */
export type Overlay = 'commands' | 'shortcuts' | null;

let overlay: Overlay = null;
const listeners = new Set<() => void>();

/**
 * Opens an overlay in place of the one that is open; null closes it. What is typed before the command menu has its field is kept for
 * it, and dropped where the menu closes before.
 */
export function openOverlay(next: Overlay): void {
  if (next !== 'commands') takeTyped();
  else if (overlay !== 'commands') holdTyped(() => openOverlay(null));
  overlay = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The open overlay; null without one, and on the server. */
export function useOverlay(): Overlay {
  return useSyncExternalStore(
    subscribe,
    () => overlay,
    () => null,
  );
}

const OFF_KEY = 'shortcuts';

/** True if single-key shortcuts are on. Stored in this browser; Ctrl-K always works, because it is not pressed by accident. */
export function shortcutsAreOn(): boolean {
  try {
    return window.localStorage.getItem(OFF_KEY) !== 'off';
  } catch {
    return true;
  }
}

/** Turns keyboard shortcuts on or off for this browser. */
export function switchShortcuts(on: boolean): void {
  try {
    if (on) window.localStorage.removeItem(OFF_KEY);
    else window.localStorage.setItem(OFF_KEY, 'off');
  } catch {
    // Without storage the choice cannot be kept; shortcuts stay on.
  }
  for (const listener of listeners) listener();
}

/** True if keyboard shortcuts are on in this browser; true unless turned off. */
export function useShortcutsAreOn(): boolean {
  return useSyncExternalStore(subscribe, shortcutsAreOn, () => true);
}
