import type { Database } from '@switchyard/db';
import type { AgentToken, Prisma } from '@switchyard/db/client';

/** The listed fields of a token, without its secret. */
export type ListedAgentToken = Omit<AgentToken, 'secretHash'>;

const LIST_MAX = 500;

/** Inserts a token in the caller's transaction and returns it without its hash. */
export async function insertAgentToken(
  transaction: Prisma.TransactionClient,
  token: Omit<AgentToken, 'revokedAt' | 'revokedBy' | 'lastUsedAt'>,
): Promise<ListedAgentToken> {
  const data = { ...token, secretHash: new Uint8Array(token.secretHash) };
  return transaction.agentToken.create({ data, omit: { secretHash: true } });
}

/** The newest tokens, at most 500: all, or those of one staff user. */
export function listAgentTokens(database: Database, staffId: string | null): Promise<ListedAgentToken[]> {
  return database.prisma.agentToken.findMany({
    where: staffId === null ? {} : { staffId },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    take: LIST_MAX,
    omit: { secretHash: true },
  });
}

/** A presented token, by its public part; null when there is none. */
export function findAgentToken(database: Database, publicId: string): Promise<AgentToken | null> {
  return database.prisma.agentToken.findUnique({ where: { publicId } });
}

/** The names of tokens by their ids. */
export async function readAgentTokenNames(database: Database, tokenIds: readonly string[]): Promise<Map<string, string>> {
  if (tokenIds.length === 0) return new Map();
  const where = { id: { in: [...new Set(tokenIds)] } };
  const rows = await database.prisma.agentToken.findMany({ where, select: { id: true, name: true }, take: tokenIds.length });
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** The number of a staff user's valid tokens. */
export function countUsableAgentTokens(transaction: Prisma.TransactionClient, staffId: string, now: Date): Promise<number> {
  return transaction.agentToken.count({ where: { staffId, revokedAt: null, expiresAt: { gt: now } } });
}

/** Revokes a token; null when there is none that was not revoked before. */
export async function endAgentToken(
  transaction: Prisma.TransactionClient,
  tokenId: string,
  { revokedAt, revokedBy }: { revokedAt: Date; revokedBy: string },
): Promise<ListedAgentToken | null> {
  const { count } = await transaction.agentToken.updateMany({
    where: { id: tokenId, revokedAt: null },
    data: { revokedAt, revokedBy },
  });
  if (count === 0) return null;
  return transaction.agentToken.findUnique({ where: { id: tokenId }, omit: { secretHash: true } });
}

/** Revokes every valid token of a staff user, and returns how many there were. */
export async function endAgentTokensOf(
  transaction: Prisma.TransactionClient,
  staffId: string,
  { revokedAt, revokedBy }: { revokedAt: Date; revokedBy: string },
): Promise<number> {
  const { count } = await transaction.agentToken.updateMany({
    where: { staffId, revokedAt: null, expiresAt: { gt: revokedAt } },
    data: { revokedAt, revokedBy },
  });
  return count;
}

/** Records the use of a token, unless one was recorded within the previous minute. */
export async function recordAgentTokenUse(database: Database, tokenId: string, usedAt: Date): Promise<void> {
  const minuteAgo = new Date(usedAt.getTime() - 60_000);
  await database.prisma.agentToken.updateMany({
    where: { id: tokenId, OR: [{ lastUsedAt: null }, { lastUsedAt: { lt: minuteAgo } }] },
    data: { lastUsedAt: usedAt },
  });
}
