import type { HealthContext } from '../context.ts';
import { mergeHealthCounts } from '../history/count-queries.ts';

const MINUTE_MS = 60_000;
const FINE_MS = 24 * 60 * MINUTE_MS;

/**
 * Compacts stored counts: ten-second buckets per process for a day, then minutes of all processes together until they age out.
 * Safe to run in several processes at once.
 */
export async function compactHealthCounts({ resources, now }: Pick<HealthContext, 'resources' | 'now'>): Promise<void> {
  const minute = Math.floor(now().getTime() / MINUTE_MS) * MINUTE_MS;
  await mergeHealthCounts(resources.database, new Date(minute - FINE_MS));
}
