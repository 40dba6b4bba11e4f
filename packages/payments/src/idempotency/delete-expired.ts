import type { PaymentsContext } from '../context.ts';
import { deleteExpiredRecords } from './queries.ts';

const BATCH_MAX = 5_000;
/** Margin beyond the expiry, so that a process whose clock is ahead deletes no record that others still honour. */
const MARGIN_MS = 3_600_000;

/** Deletes idempotency records that ended more than an hour ago, at most 5,000 a call. Returns how many. */
export function deleteExpiredIdempotencyRecords({ resources, now }: PaymentsContext): Promise<number> {
  return deleteExpiredRecords(resources.database, new Date(now().getTime() - MARGIN_MS), BATCH_MAX);
}
