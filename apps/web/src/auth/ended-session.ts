/** Called for each call that waits for the session to begin anew. */
let waiting: (() => void)[] = [];
let listeners: readonly (() => void)[] = [];

/** True from a call that was refused because the session has ended until the person has signed in again. */
export function hasSessionEnded(): boolean {
  return waiting.length > 0;
}

/** Calls a function when the session ends and when it begins anew. Returns what ends that. */
export function subscribeToSession(listener: () => void): () => void {
  listeners = [...listeners, listener];
  return () => {
    listeners = listeners.filter((each) => each !== listener);
  };
}

/** Resolves once the person has signed in again. The page asks for that from now on. */
export function signedInAgain(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  waiting = [...waiting, resolve];
  for (const listener of listeners) listener();
  return promise;
}

/** Lets all calls go on that wait: the same person has signed in again. */
export function resumeSession(): void {
  const calls = waiting;
  waiting = [];
  for (const resume of calls) resume();
  for (const listener of listeners) listener();
}

/** Leaves the page for the sign-in page, and returns to it afterwards. */
export function leaveToSignIn(): void {
  const { pathname, search } = window.location;
  window.location.assign(`/sign-in?next=${encodeURIComponent(pathname + search)}`);
}
