import type { Database } from '@switchyard/db';
import type { Attempt } from '@switchyard/db/client';

const ATTEMPTS_MAX = 100;

/** The attempts of one payment, in the order they were made. */
export function listAttempts(database: Database, merchantId: string, paymentId: string): Promise<Attempt[]> {
  return database.prisma.attempt.findMany({ where: { merchantId, paymentId }, orderBy: { position: 'asc' }, take: ATTEMPTS_MAX });
}

/** The attempt at an account under a reference, or null. */
export function findAttemptByReference(
  database: Database,
  merchantId: string,
  accountId: string,
  reference: string,
): Promise<Attempt | null> {
  return database.prisma.attempt.findUnique({ where: { merchantId_accountId_reference: { merchantId, accountId, reference } } });
}

export function findAttempt(database: Database, merchantId: string, attemptId: string): Promise<Attempt | null> {
  return database.prisma.attempt.findUnique({ where: { merchantId_id: { merchantId, id: attemptId } } });
}
