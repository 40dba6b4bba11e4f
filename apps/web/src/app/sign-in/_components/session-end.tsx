'use client';

import dynamic from 'next/dynamic';
import { useSyncExternalStore } from 'react';
import { hasSessionEnded, subscribeToSession } from '#/auth/ended-session.ts';

// Loaded when a session has ended: pages do without it until then.
const SignInAgain = dynamic(() => import('./sign-in-again.tsx').then((module) => module.SignInAgain));

/** Asks the person to sign in again, over whatever page is open, while calls wait for it. */
export function SessionEnd() {
  return useSyncExternalStore(subscribeToSession, hasSessionEnded, () => false) ? <SignInAgain /> : null;
}
