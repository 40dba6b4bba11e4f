'use client';

import { Fragment, useSyncExternalStore } from 'react';
import { useUnsaved } from '#/leaving/unsaved.ts';
import { shownSecret, subscribeToSecrets } from './secret-store.ts';

/** The secret that is shown once, over whatever page is open. Warns before the window closes with it. */
export function SecretHost() {
  const secret = useSyncExternalStore(subscribeToSecrets, shownSecret, noSecret);
  useUnsaved(secret !== null);
  return secret === null ? null : <Fragment key={secret.id}>{secret.content}</Fragment>;
}

/** A server never shows any. */
function noSecret(): null {
  return null;
}
