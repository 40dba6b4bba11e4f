import { type Database, enqueueJob } from '@switchyard/db';

/** Has what was open looked up soon after no process received webhooks since a moment: what gateways sent meanwhile may never come again. */
export async function requestCheckAfterAbsence({ prisma }: Pick<Database, 'prisma'>, since: Date): Promise<void> {
  const payload = { since: since.toISOString() };
  await prisma.$transaction((transaction) =>
    enqueueJob(transaction, 'check-after-absence', payload, { key: 'check-after-absence' }),
  );
}
