import type { Database } from '@switchyard/db';

/** An attempt with what its payment must match. */
interface ProbedAttempt {
  readonly reference: string;
  readonly payment: { readonly amount: bigint; readonly currency: string };
}

/** The newest attempt made at an account, or null. */
export function findLatestAttempt(database: Database, merchantId: string, accountId: string): Promise<ProbedAttempt | null> {
  return database.prisma.attempt.findFirst({
    where: { merchantId, accountId },
    orderBy: { createdAt: 'desc' },
    select: { reference: true, payment: { select: { amount: true, currency: true } } },
  });
}
