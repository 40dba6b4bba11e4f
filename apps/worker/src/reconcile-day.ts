import type { ReconcileOutcome } from '@switchyard/reconciliation';
import { z } from 'zod';

const payloadSchema = z.object({ merchantId: z.uuid(), accountId: z.uuid(), day: z.iso.date() });

/** Task `reconcile-day`: somebody, or the calendar, wants one account's day compared. Throws where another try may do better. */
export async function reconcileDayTask(
  payload: unknown,
  reconcile: (key: z.output<typeof payloadSchema>) => Promise<ReconcileOutcome>,
): Promise<void> {
  const outcome = await reconcile(payloadSchema.parse(payload));
  if (outcome.kind === 'failed' && outcome.again) throw new Error(outcome.why);
}
