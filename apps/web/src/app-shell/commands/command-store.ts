import { useSyncExternalStore } from 'react';

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

const LENGTH_MAX = 200;

let held: { text: string; readonly release: () => void } | null = null;

/**
 * Keeps what is typed from now on from the page, until {@link takeTyped}: an overlay that is still loading has no field yet. Escape
 * cancels. Nothing is run: Enter would act on what is not shown yet. Keys of an input method, and those with a modifier, stay the
 * browser's; AltGr types characters.
 */
export function holdTyped(onCancel: () => void): void {
  takeTyped();
  const press = (event: KeyboardEvent) => {
    if (held === null || event.isComposing || event.metaKey) return;
    if ((event.ctrlKey || event.altKey) && !event.getModifierState('AltGraph')) return;
    if (event.key === 'Backspace') held.text = [...held.text].slice(0, -1).join('');
    else if ([...event.key].length === 1) held.text = (held.text + event.key).slice(0, LENGTH_MAX);
    else if (event.key !== 'Enter' && event.key !== 'Escape') return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (event.key === 'Escape') onCancel();
  };
  window.addEventListener('keydown', press, { capture: true });
  held = { text: '', release: () => window.removeEventListener('keydown', press, { capture: true }) };
}

/** Ends {@link holdTyped}, and returns what was typed meanwhile; empty where nothing was held. */
export function takeTyped(): string {
  const text = held?.text ?? '';
  held?.release();
  held = null;
  return text;
}
