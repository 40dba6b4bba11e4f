import type { Database } from '@switchyard/db';
import type { Attempt } from '@switchyard/db/client';

/** The newest attempt made at an account, or null. */
export function findLatestAttempt(database: Database, merchantId: string, accountId: string): Promise<Attempt | null> {
  return database.prisma.attempt.findFirst({ where: { merchantId, accountId }, orderBy: { createdAt: 'desc' } });
}
