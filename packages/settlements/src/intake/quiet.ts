import { enqueueJob } from '@switchyard/db';
import type { Prisma } from '@switchyard/db/client';
import type { AccountKey } from '../account.ts';

/**
 * How long nothing more has to come of an account before what is open is judged: the next file, statement or announcement of a batch may be what
 * lacks.
 */
export const QUIET_MS = 30_000;

/** True if nothing more came for {@link QUIET_MS}. */
export function isQuiet(lastIntakeAt: Date | null, now: Date): boolean {
  return lastIntakeAt === null || lastIntakeAt.getTime() + QUIET_MS <= now.getTime();
}

/** The moment from which on it is quiet, unless more comes. */
export function quietAt(lastIntakeAt: Date): Date {
  return new Date(lastIntakeAt.getTime() + QUIET_MS);
}

/**
 * Records in the transaction of an intake that something of an account came by file or webhook, and requests matching: at once, so that what came is
 * linked, and again to judge what is open once it is quiet.
 */
export async function noteIntake(transaction: Prisma.TransactionClient, key: AccountKey, now: Date): Promise<void> {
  const { merchantId, accountId } = key;
  const job = { merchantId, accountId };
  await transaction.settlementSource.updateMany({ where: job, data: { lastIntakeAt: now, matchedAt: null } });
  await enqueueJob(transaction, 'read-settlements', job, { key: `read-settlements:${accountId}`, keepsJob: true });
  await enqueueJob(transaction, 'read-settlements', job, { key: `judge-settlements:${accountId}`, runAt: quietAt(now) });
}
