/** Where the browser keeps what a person opened. */
export const RECENT_KEY = 'recent';

/** Removes what was opened in this browser. */
export function forgetOpened(): void {
  try {
    window.localStorage.removeItem(RECENT_KEY);
  } catch {
    // Without storage there is none.
  }
}
