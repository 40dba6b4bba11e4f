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

/** What is done about an attempt: with the webhook that spoke of it, or because something else made us doubt. */
export interface AttemptChecks {
  readonly followUp: (job: Attempt & { readonly webhookId: string }) => Promise<void>;
  readonly ask: (job: Attempt & { readonly transactionId: string | null }) => Promise<void>;
}

/** Task `check-attempt`: something hinted that an attempt changed. */
export async function checkAttempt(payload: unknown, { followUp, ask }: AttemptChecks): Promise<void> {
  const { webhookId, transactionId = null, ...attempt } = payloadSchema.parse(payload);
  await (webhookId === undefined ? ask({ ...attempt, transactionId }) : followUp({ ...attempt, webhookId }));
}
