import type { ReconcileOutcome } from '@switchyard/reconciliation/runs';
import { z } from 'zod';

const payloadSchema = z.object({ merchantId: z.uuid(), accountId: z.uuid(), day: z.iso.date() });

/** Task `reconcile-day`: reconciles one account's day, on request or on schedule. Throws where a retry may succeed. */
export async function reconcileDayTask(
  payload: unknown,
  reconcile: (key: z.output<typeof payloadSchema>) => Promise<ReconcileOutcome>,
): Promise<void> {
  const outcome = await reconcile(payloadSchema.parse(payload));
  if (outcome.kind === 'failed' && outcome.again) throw new Error(outcome.why);
}
