import type { RuntimeContext } from '@switchyard/runtime';
import { deleteExpiredRecords } from './queries.ts';

/** Most records that one call of {@link deleteExpiredIdempotencyRecords} deletes. */
export const EXPIRED_BATCH = 5_000;
/** Margin beyond the expiry, so that a process whose clock is ahead deletes no record that others still honour. */
const MARGIN_MS = 3_600_000;

/** Deletes idempotency records that ended more than an hour ago, at most {@link EXPIRED_BATCH} a call. Returns how many. */
export function deleteExpiredIdempotencyRecords({
  resources,
  now,
}: Pick<RuntimeContext<'database'>, 'resources' | 'now'>): Promise<number> {
  return deleteExpiredRecords(resources.database, new Date(now().getTime() - MARGIN_MS), EXPIRED_BATCH);
}
