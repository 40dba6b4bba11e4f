'use client';

import { createContext, type ReactNode, useContext, useState, useSyncExternalStore } from 'react';
import { noteServerTime, serverNow } from '#/clock/server-clock.ts';

const TICK_MS = 5_000;
const NowContext = createContext(0);

const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;
let current = 0;

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  if (timer === undefined) {
    // A page that has just been opened keeps the time it was rendered at: nothing is rendered twice for a second's difference.
    if (current !== 0) current = serverNow();
    timer = setInterval(tick, TICK_MS);
    document.addEventListener('visibilitychange', tick); // a hidden page's timers are late by up to a minute
  }
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    document.removeEventListener('visibilitychange', tick);
    timer = undefined;
  };
}

function tick(): void {
  current = serverNow();
  for (const listener of listeners) listener();
}

/** Gives the page the time it was rendered at, so that browser and server render the same text, and sets its clock by it. */
export function NowProvider({ initial, children }: { initial: number; children: ReactNode }) {
  useState(() => {
    if (typeof document === 'undefined') return;
    noteServerTime({ serverMs: initial, sentAt: performance.timeOrigin, receivedAt: Date.now() });
  });
  return <NowContext value={initial}>{children}</NowContext>;
}

/** The server's time in ms since 1970, moving on every five seconds; the same for all that a page shows. */
export function useNow(): number {
  const initial = useContext(NowContext);
  return useSyncExternalStore(
    subscribe,
    () => current || initial,
    () => initial,
  );
}

/** A text that depends on the present time, such as `4 min ago`. Renders again only when the text changes. */
export function useNowText(describe: (nowMs: number) => string): string {
  const initial = useContext(NowContext);
  return useSyncExternalStore(
    subscribe,
    () => describe(current || initial),
    () => describe(initial),
  );
}
