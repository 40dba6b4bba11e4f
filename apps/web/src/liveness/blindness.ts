'use client';

import { useSyncExternalStore } from 'react';

/** Why what a page shows may be out of date, and since when, in ms by the server's clock. */
export interface Blindness {
  readonly reason: 'offline' | 'unanswered';
  readonly since: number;
}

let present: Blindness | null = null;
const listeners = new Set<() => void>();

/** The present blindness of the page; null while what it shows is fresh. */
export function useBlindness(): Blindness | null {
  return useSyncExternalStore(
    subscribe,
    () => present,
    () => null,
  );
}

/** True if what the page shows may be out of date: no word on it may claim that all is well. */
export function useIsBlind(): boolean {
  return useBlindness() !== null;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** The present blindness, outside of components. */
export function presentBlindness(): Blindness | null {
  return present;
}

/** Changes the blindness of the page. */
export function setBlindness(next: Blindness | null): void {
  if (next?.reason === present?.reason && next?.since === present?.since) return;
  present = next;
  for (const listener of listeners) listener();
}
