import type { Database } from '@switchyard/db';
import type { Prisma } from '@switchyard/db/client';

/** The names of tokens by their ids. */
export async function readTokenNames(database: Database, tokenIds: readonly string[]): Promise<Map<string, string>> {
  if (tokenIds.length === 0) return new Map();
  const where = { id: { in: [...new Set(tokenIds)] } };
  const rows = await database.prisma.machineToken.findMany({ where, select: { id: true, name: true }, take: tokenIds.length });
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** When access ends, and who ends it. */
interface Revocation {
  readonly revokedAt: Date;
  readonly revokedBy: string;
}

/** Revokes every valid token of this staff user, whatever its scopes, and returns how many there were. */
export async function endTokensOf(
  transaction: Prisma.TransactionClient,
  staffId: string,
  { revokedAt, revokedBy }: Revocation,
): Promise<number> {
  const { count } = await transaction.machineToken.updateMany({
    where: { staffId, revokedAt: null, expiresAt: { gt: revokedAt } },
    data: { revokedAt, revokedBy },
  });
  return count;
}

/** Ends a staff user's sessions and tokens. Returns how many. */
export async function endAccess(
  transaction: Prisma.TransactionClient,
  staffId: string,
  revocation: Revocation,
): Promise<{ readonly sessionsEnded: number; readonly tokensRevoked: number }> {
  const { count: sessionsEnded } = await transaction.staffSession.deleteMany({ where: { userId: staffId } });
  return { sessionsEnded, tokensRevoked: await endTokensOf(transaction, staffId, revocation) };
}
