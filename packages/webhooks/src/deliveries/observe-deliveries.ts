import { channel } from 'node:diagnostics_channel';
import type { Database } from '@switchyard/db';
import { sendFailures } from './send.ts';

/** How an attempt can end: `delivered` for a 2xx answer, `refused` for any other, else why there was none. */
export const deliveryOutcomes = ['delivered', 'refused', ...sendFailures] as const;

/** An attempt to deliver an event that has ended. */
export interface DeliveryAttempt {
  readonly eventId: string;
  readonly type: string;
  readonly outcome: (typeof deliveryOutcomes)[number];
  /** True if the event is given up with this attempt. */
  readonly givenUp: boolean;
  /** True if this was the first attempt of the delivery. */
  readonly first: boolean;
  readonly seconds: number;
  /** From the event's delivery being recorded to the end of this attempt. */
  readonly secondsSinceRecorded: number;
}

const DELIVERY_ATTEMPTS = channel('switchyard:delivery-attempt');

/** Calls `observe` after each attempt to deliver in this process; the returned function ends that. */
export function observeDeliveryAttempts(observe: (attempt: DeliveryAttempt) => void): () => void {
  const listener = (message: unknown) => observe(message as DeliveryAttempt);
  DELIVERY_ATTEMPTS.subscribe(listener);
  return () => DELIVERY_ATTEMPTS.unsubscribe(listener);
}

/** Publishes an attempt to those who observe. */
export function publishDeliveryAttempt(attempt: DeliveryAttempt): void {
  DELIVERY_ATTEMPTS.publish(attempt);
}

/** Counting stops here. */
const COUNTED_MAX = 100_000;

const COUNT = `
SELECT count(*)::int AS count, min(next_attempt_at) AS "oldestAt" FROM (
  SELECT d.next_attempt_at FROM due_delivery AS due
  JOIN webhook_delivery AS d ON d.merchant_id = due.merchant_id AND d.id = due.delivery_id
  JOIN webhook_endpoint AS e ON e.merchant_id = due.merchant_id AND e.id = due.endpoint_id AND e.enabled AND e.failing_since IS NULL
  WHERE due.due_at < $1 AND d.state = 'PENDING' AND d.next_attempt_at < $1 ORDER BY d.next_attempt_at LIMIT ${COUNTED_MAX}) AS overdue`;

/**
 * Deliveries that were due before a moment and that no process has claimed, all merchants together. Endpoints that fail are left out:
 * what waits for them waits because of them.
 */
export async function countOverdueDeliveries(
  database: Database,
  dueBefore: Date,
): Promise<{ readonly count: number; readonly oldestAt: Date | null }> {
  const { rows } = await database.pool.query<{ count: number; oldestAt: Date | null }>({
    name: 'count-overdue-deliveries',
    text: COUNT,
    values: [dueBefore],
  });
  return rows[0] ?? { count: 0, oldestAt: null };
}
