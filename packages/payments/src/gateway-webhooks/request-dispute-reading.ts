import { enqueueJob } from '@switchyard/db';

/** Has the disputes of an account read from its gateway. */
export async function requestDisputeReading(
  prisma: Parameters<typeof enqueueJob>[0],
  { merchantId, accountId }: { readonly merchantId: string; readonly accountId: string },
): Promise<void> {
  await enqueueJob(prisma, 'read-disputes', { merchantId, accountId }, { key: `read-disputes:${accountId}`, keepsJob: true });
}
