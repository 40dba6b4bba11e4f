'use client';

import { Fragment, useEffect, useSyncExternalStore } from 'react';
import { shownSecret, subscribeToSecrets } from './secret-store.ts';

/** The secret that is shown once, over whatever page is open. Warns before the window closes with it. */
export function SecretHost() {
  const secret = useSyncExternalStore(subscribeToSecrets, shownSecret, noSecret);
  const isShown = secret !== null;
  useEffect(() => {
    if (!isShown) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, [isShown]);
  return secret === null ? null : <Fragment key={secret.id}>{secret.content}</Fragment>;
}

/** A server never shows any. */
function noSecret(): null {
  return null;
}
