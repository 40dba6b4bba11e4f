/** A confirmation of a recent action, shown in the corner of every page. */
export interface Toast {
  /** One sentence, with the name of what it is about: `Key "Production" was revoked.` */
  readonly text: string;
  /** `bad` for what did not work. */
  readonly tone?: 'good' | 'bad';
  /** The subject, an id for example: a newer message with the same subject replaces it, whatever it offers. */
  readonly subject?: string;
  /** Undo, or a next step. A toast with an action stays until it is dismissed. */
  readonly action?: {
    readonly label: string;
    /** May return a promise; when it throws, the message shows the failure and the action can be tried again. */
    readonly run: () => unknown;
  };
}

/** A toast on the screen. */
export interface ShownToast extends Toast {
  readonly id: number;
}

/** More at once would hide the page. */
const SHOWN_MAX = 4;

let shown: readonly ShownToast[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

function show(next: readonly ShownToast[]): void {
  shown = next;
  for (const listener of listeners) listener();
}

/**
 * Shows a message in the corner on any page. It replaces those that offer nothing, which it makes old news, and the one about the
 * same subject. Returns a function that removes it.
 */
export function showToast(toast: Toast): () => void {
  lastId += 1;
  const id = lastId;
  const kept = shown.filter(
    ({ action, subject }) => action !== undefined && (subject === undefined || subject !== toast.subject),
  );
  show([...kept, { ...toast, id }].slice(-SHOWN_MAX));
  return () => dismissToast(id);
}

/** Removes a toast; does nothing when it is gone already. */
export function dismissToast(id: number): void {
  if (shown.some((toast) => toast.id === id)) show(shown.filter((toast) => toast.id !== id));
}

/** Calls back on every change of the toasts shown. Returns a function that unsubscribes. */
export function subscribeToToasts(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The toasts shown, oldest first. The same array until they change, as `useSyncExternalStore` requires. */
export function shownToasts(): readonly ShownToast[] {
  return shown;
}

const NONE: readonly ShownToast[] = [];

/** A server never shows any. */
export function noToasts(): readonly ShownToast[] {
  return NONE;
}
