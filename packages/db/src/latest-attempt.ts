import type { Database } from './connect.ts';
import type { Attempt } from './generated/client.ts';

/** The newest attempt made at an account, or null. */
export function findLatestAttempt(database: Database, merchantId: string, accountId: string): Promise<Attempt | null> {
  return database.prisma.attempt.findFirst({ where: { merchantId, accountId }, orderBy: { createdAt: 'desc' } });
}
