import { enqueueJob } from '@switchyard/db';
import { findGateway } from '@switchyard/gateways';
import type { PaymentsContext } from '@switchyard/payments/context';

/** Often: Paystack gives sixteen hours to answer, and a webhook may be lost. */
const POLL_MS = 15 * 60_000;
const SOURCES_MAX = 100_000;

/** Requests reading of the accounts that are due and whose gateway lists disputes, a job `read-disputes` each. Returns how many. */
export async function scheduleDisputeReading(context: PaymentsContext): Promise<number> {
  const { database, configuration } = context.resources;
  await configuration.ready();
  const now = context.now();
  const rows = await database.prisma.disputeSource.findMany({ take: SOURCES_MAX });
  const nextPollAt = new Map(rows.map((row) => [row.accountId, row.nextPollAt]));
  let requestCount = 0;
  for (const { merchant, accounts } of configuration.merchants()) {
    for (const { id: accountId, gateway, credentials } of accounts) {
      if (credentials === null || findGateway(gateway)?.listDisputes === undefined) continue;
      if ((nextPollAt.get(accountId) ?? now) > now) continue;
      const key = { merchantId: merchant.id, accountId };
      await database.prisma.$transaction(async (transaction) => {
        await transaction.disputeSource.createMany({ data: [key], skipDuplicates: true });
        const next = new Date(now.getTime() + POLL_MS);
        await transaction.disputeSource.updateMany({ where: key, data: { nextPollAt: next } });
        await enqueueJob(transaction, 'read-disputes', key, { key: `read-disputes:${accountId}`, keepsJob: true });
      });
      requestCount += 1;
    }
  }
  return requestCount;
}
