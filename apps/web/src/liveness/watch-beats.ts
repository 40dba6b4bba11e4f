import type { Query, QueryClient } from '@tanstack/react-query';
import { serverNow, toServerTime } from '../clock/server-clock.ts';
import { failureCode } from '../trpc/failure-code.ts';
import { presentBlindness, setBlindness } from './blindness.ts';

const LOOK_MS = 1_000;
/** The time in which a page that is shown again, or what is opened again, can be read: nothing is read for what is hidden. */
const SHOWN_AGAIN_MS = 2_000;

/** Watches whether the queries that the page reads at intervals are answered, until the returned function is called. */
export function watchBeats(queries: QueryClient): () => void {
  let activeSince = new Map<Query, number>();
  let shownAt = Date.now();
  function look(): void {
    if (document.visibilityState === 'hidden') return;
    const now = Date.now();
    const active = queries.getQueryCache().findAll({ type: 'active' });
    activeSince = new Map(active.map((query) => [query, activeSince.get(query) ?? now]));
    if (!navigator.onLine) {
      const present = presentBlindness();
      setBlindness({ reason: 'offline', since: present?.reason === 'offline' ? present.since : serverNow() });
      return;
    }
    if (presentBlindness()?.reason === 'offline') setBlindness(null);
    if (now - shownAt < SHOWN_AGAIN_MS) return;
    const polled = [...activeSince].flatMap(([query, since]) => (now - since < SHOWN_AGAIN_MS ? [] : polledAs(query, since)));
    const oldest = oldestMissed(polled, now);
    setBlindness(oldest === null ? null : { reason: 'unanswered', since: toServerTime(oldest) });
  }
  function showAgain(): void {
    if (document.visibilityState === 'visible') shownAt = Date.now();
  }
  const timer = setInterval(look, LOOK_MS);
  document.addEventListener('visibilitychange', showAgain);
  window.addEventListener('online', look);
  window.addEventListener('offline', look);
  // Data that was read again is fresh at once.
  const unsubscribe = queries.getQueryCache().subscribe(({ type }) => {
    if (type === 'updated' && presentBlindness()?.reason === 'unanswered') look();
  });
  return () => {
    clearInterval(timer);
    document.removeEventListener('visibilitychange', showAgain);
    window.removeEventListener('online', look);
    window.removeEventListener('offline', look);
    unsubscribe();
    setBlindness(null);
  };
}

/** Failures in which the server did not say anything about the data. */
const UNANSWERED: ReadonlySet<string | null> = new Set([
  null,
  'INTERNAL_SERVER_ERROR',
  'SERVICE_UNAVAILABLE',
  'BAD_GATEWAY',
  'GATEWAY_TIMEOUT',
  'TIMEOUT',
  'TOO_MANY_REQUESTS',
  'UNAUTHORIZED',
]);

function polledAs(query: Query, activeSince: number): readonly PolledQuery[] {
  const { status, error, dataUpdatedAt } = query.state;
  // Such an answer is about the data: it does not exist any more, or may not be seen.
  if (status === 'error' && !UNANSWERED.has(failureCode(error))) return [];
  const intervals = query.observers.flatMap(({ options: { refetchInterval } }) => {
    const everyMs = typeof refetchInterval === 'function' ? refetchInterval(query) : refetchInterval;
    return typeof everyMs === 'number' && everyMs > 0 ? [everyMs] : [];
  });
  if (intervals.length === 0) return [];
  return [{ updatedAt: dataUpdatedAt === 0 ? activeSince : dataUpdatedAt, everyMs: Math.min(...intervals) }];
}
/** A query that is read again at an interval, as far as its page shows it. */
export interface PolledQuery {
  /** When its data was read, by the browser's clock in ms; where it has none, when the page first asked for it. */
  readonly updatedAt: number;
  readonly everyMs: number;
}

const BEATS = 2;
/** The least age of old data: a query of every second has missed nothing when one answer is late. */
const OLD_FROM_MS = 10_000;
/** The time that an answer may take. */
const ANSWER_MS = 2_000;

/** When the oldest data was read that has missed two beats, in ms by the browser's clock; null while all is fresh. */
export function oldestMissed(queries: readonly PolledQuery[], nowMs: number): number | null {
  const missed = queries.filter(
    ({ updatedAt, everyMs }) => nowMs - updatedAt > Math.max(BEATS * everyMs, OLD_FROM_MS) + ANSWER_MS,
  );
  return missed.length === 0 ? null : Math.min(...missed.map(({ updatedAt }) => updatedAt));
}
