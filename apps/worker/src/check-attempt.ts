import { z } from 'zod';

const payloadSchema = z.object({
  merchantId: z.uuid(),
  attemptId: z.uuid(),
  webhookId: z.uuid().optional(),
  transactionId: z.string().max(100).optional(),
});

interface Attempt {
  readonly merchantId: string;
  readonly attemptId: string;
}

/** How an attempt is checked: with the webhook about it, or by a look-up alone. */
export interface AttemptChecks {
  readonly followUp: (job: Attempt & { readonly webhookId: string }) => Promise<void>;
  readonly verify: (job: Attempt & { readonly transactionId: string | null }) => Promise<void>;
}

/** Task `check-attempt`: an attempt may have changed at its gateway. */
export async function checkAttempt(payload: unknown, { followUp, verify }: AttemptChecks): Promise<void> {
  const { webhookId, transactionId = null, ...attempt } = payloadSchema.parse(payload);
  if (webhookId === undefined) await verify({ ...attempt, transactionId });
  else await followUp({ ...attempt, webhookId });
}
