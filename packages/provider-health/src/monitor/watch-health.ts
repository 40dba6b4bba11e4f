import { setTimeout as pause } from 'node:timers/promises';
import type { HealthContext } from '../context.ts';
import { describeHealth, type HealthOverview, type HealthQuery } from '../history/describe-health.ts';

const LOOK_EVERY_MS = 1_000;

/**
 * The health of accounts now, and again whenever something about it has changed, until `signal` is aborted. `query` is asked anew
 * each time, so that what the person may see can change meanwhile.
 */
export async function* watchHealth(
  context: HealthContext,
  query: () => HealthQuery,
  signal: AbortSignal,
  everyMs = LOOK_EVERY_MS,
): AsyncGenerator<HealthOverview, void, void> {
  let shown = '';
  while (!signal.aborted) {
    const { asOf, ...overview } = await describeHealth(context, query());
    const seen = JSON.stringify(overview);
    if (seen !== shown) yield { asOf, ...overview };
    shown = seen;
    // Being aborted is no failure: it ends the wait, and with it the watch.
    await pause(everyMs, undefined, { signal }).catch(() => undefined);
  }
}
