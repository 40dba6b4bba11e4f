import { z } from 'zod';

const payloadSchema = z.object({ merchantId: z.uuid(), attemptId: z.uuid(), webhookId: z.uuid() });

/** Task `check-attempt`: a gateway's webhook spoke of an attempt. */
export async function checkAttempt(
  payload: unknown,
  followUp: (job: z.output<typeof payloadSchema>) => Promise<void>,
): Promise<void> {
  await followUp(payloadSchema.parse(payload));
}
