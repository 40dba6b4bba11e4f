import { setTimeout as pause } from 'node:timers/promises';
import type { HealthContext } from '../context.ts';
import { describeHealth, type HealthOverview, type HealthQuery } from '../history/describe-health.ts';

const POLL_MS = 1_000;

/**
 * Yields the health of accounts now and after each change, until `signal` is aborted. `query` is called for every poll, because the
 * viewer's access can change meanwhile.
 */
export async function* watchHealth(
  context: HealthContext,
  query: () => HealthQuery,
  signal: AbortSignal,
  pollMs = POLL_MS,
): AsyncGenerator<HealthOverview, void, void> {
  let lastShown = '';
  while (!signal.aborted) {
    const { asOf, ...overview } = await describeHealth(context, query());
    const current = JSON.stringify(overview);
    if (current !== lastShown) yield { asOf, ...overview };
    lastShown = current;
    // An abort is not an error: it ends the wait and the loop.
    await pause(pollMs, undefined, { signal }).catch(() => undefined);
  }
}
