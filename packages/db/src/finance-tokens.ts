import type { Database } from './connect.ts';
import type { FinanceToken, Prisma } from './generated/client.ts';

/** A token as lists tell of it: nothing that could prove it. */
export type ListedFinanceToken = Omit<FinanceToken, 'secretHash'>;

const LIST_MAX = 500;

export async function insertFinanceToken(
  transaction: Prisma.TransactionClient,
  token: Omit<FinanceToken, 'revokedAt' | 'revokedBy' | 'lastUsedAt'>,
): Promise<ListedFinanceToken> {
  const data = { ...token, secretHash: new Uint8Array(token.secretHash) };
  return transaction.financeToken.create({ data, omit: { secretHash: true } });
}

/** The newest tokens, at most 500: of everybody, or of one person. */
export function listFinanceTokens(database: Database, createdBy: string | null): Promise<ListedFinanceToken[]> {
  return database.prisma.financeToken.findMany({
    where: createdBy === null ? {} : { createdBy },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    take: LIST_MAX,
    omit: { secretHash: true },
  });
}

export function findFinanceToken(database: Database, publicId: string): Promise<FinanceToken | null> {
  return database.prisma.financeToken.findUnique({ where: { publicId } });
}

/** How many of somebody's tokens could be used now. */
export function countUsableFinanceTokens(transaction: Prisma.TransactionClient, createdBy: string, now: Date): Promise<number> {
  return transaction.financeToken.count({ where: { createdBy, revokedAt: null, expiresAt: { gt: now } } });
}

/** Ends a token; null when there is none that had not ended by a hand before. */
export async function endFinanceToken(
  transaction: Prisma.TransactionClient,
  tokenId: string,
  { revokedAt, revokedBy }: { revokedAt: Date; revokedBy: string },
): Promise<ListedFinanceToken | null> {
  const { count } = await transaction.financeToken.updateMany({
    where: { id: tokenId, revokedAt: null },
    data: { revokedAt, revokedBy },
  });
  if (count === 0) return null;
  return transaction.financeToken.findUnique({ where: { id: tokenId }, omit: { secretHash: true } });
}

/** Writes down when a token was used, to the minute. */
export async function recordFinanceTokenUse(database: Database, tokenId: string, usedAt: Date): Promise<void> {
  const minuteAgo = new Date(usedAt.getTime() - 60_000);
  await database.prisma.financeToken.updateMany({
    where: { id: tokenId, OR: [{ lastUsedAt: null }, { lastUsedAt: { lt: minuteAgo } }] },
    data: { lastUsedAt: usedAt },
  });
}

/** What a person may do now, as far as a token of theirs reaches; null when they are not let in any more. */
export async function readGrantsOf(
  database: Database,
  staffId: string,
): Promise<readonly { readonly merchantId: string; readonly role: 'owner' | 'operator' | 'finance' | 'viewer' }[] | null> {
  const person = await database.prisma.staffUser.findUnique({
    where: { id: staffId },
    select: { disabledAt: true, grants: { select: { merchantId: true, role: true }, take: 10_000 } },
  });
  return person === null || person.disabledAt !== null ? null : person.grants;
}
