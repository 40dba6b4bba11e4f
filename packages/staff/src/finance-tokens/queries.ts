import type { Database } from '@switchyard/db';
import type { FinanceToken, Prisma, StaffRole } from '@switchyard/db/client';

/** The listed fields of a token, without its secret. */
export type ListedFinanceToken = Omit<FinanceToken, 'secretHash'>;

const LIST_MAX = 500;

/** Inserts a token in the caller's transaction and returns it without its hash. */
export async function insertFinanceToken(
  transaction: Prisma.TransactionClient,
  token: Omit<FinanceToken, 'revokedAt' | 'revokedBy' | 'lastUsedAt'>,
): Promise<ListedFinanceToken> {
  const data = { ...token, secretHash: new Uint8Array(token.secretHash) };
  return transaction.financeToken.create({ data, omit: { secretHash: true } });
}

/** The newest tokens, at most 500: all, or those of one staff user. */
export function listFinanceTokens(database: Database, createdBy: string | null): Promise<ListedFinanceToken[]> {
  return database.prisma.financeToken.findMany({
    where: createdBy === null ? {} : { createdBy },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    take: LIST_MAX,
    omit: { secretHash: true },
  });
}

/** A presented token, with the current permissions of its staff user. */
type PresentedFinanceToken = Pick<
  FinanceToken,
  'id' | 'secretHash' | 'merchantIds' | 'modes' | 'createdBy' | 'expiresAt' | 'revokedAt' | 'lastUsedAt'
> & {
  /** Null when they have been disabled. */
  readonly grants: readonly { readonly merchantId: string; readonly role: StaffRole }[] | null;
};

/** The number of tokens whose merchants a process caches. */
const KNOWN_MAX = 200;
const GRANTS_MAX = 10_000;
const FIND_PRESENTED = `
SELECT t.id, t.secret_hash AS "secretHash", CASE WHEN t.id = $2 THEN NULL ELSE to_json(t.merchant_ids) END AS "merchantIds",
  to_json(t.modes) AS modes, t.created_by AS "createdBy",
  t.expires_at AS "expiresAt", t.revoked_at AS "revokedAt", t.last_used_at AS "lastUsedAt",
  CASE WHEN person.id IS NOT NULL AND person.disabled_at IS NULL THEN (
    SELECT COALESCE(json_agg(json_build_object('merchantId', g.merchant_id, 'role', g.role)), '[]')
    FROM (SELECT merchant_id, role FROM staff_grant WHERE staff_id = person.id LIMIT ${GRANTS_MAX}) AS g) END AS grants
FROM finance_token AS t LEFT JOIN staff_user AS person ON person.id = t.created_by
WHERE t.public_id = $1`;

type KnownTokens = Map<string, Pick<FinanceToken, 'id' | 'merchantIds'>>;
const knownTokens = new WeakMap<Database, KnownTokens>();

/**
 * Looks a token up by its public part, in one statement: every request with a token starts here. The merchants, which may be many
 * and never change, are cached.
 */
export async function findFinanceToken(database: Database, publicId: string): Promise<PresentedFinanceToken | null> {
  const known: KnownTokens = knownTokens.get(database) ?? new Map();
  knownTokens.set(database, known);
  const before = known.get(publicId);
  const { rows } = await database.pool.query<
    Omit<PresentedFinanceToken, 'merchantIds'> & { readonly merchantIds: string[] | null }
  >({ name: 'present-token', text: FIND_PRESENTED, values: [publicId, before?.id ?? null] });
  const [found] = rows;
  if (found === undefined) return null;
  const merchantIds = found.merchantIds ?? before?.merchantIds ?? [];
  if (found.merchantIds !== null) {
    const [oldest] = known.keys();
    if (known.size >= KNOWN_MAX && oldest !== undefined) known.delete(oldest);
    known.set(publicId, { id: found.id, merchantIds });
  }
  return { ...found, merchantIds };
}

/** The number of a staff user's valid tokens. */
export function countUsableFinanceTokens(transaction: Prisma.TransactionClient, createdBy: string, now: Date): Promise<number> {
  return transaction.financeToken.count({ where: { createdBy, revokedAt: null, expiresAt: { gt: now } } });
}

/** Revokes a token; null when there is none that was not revoked before. */
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

/** Records the use of a token, unless one was recorded within the previous minute. */
export async function recordFinanceTokenUse(database: Database, tokenId: string, usedAt: Date): Promise<void> {
  const minuteAgo = new Date(usedAt.getTime() - 60_000);
  await database.prisma.financeToken.updateMany({
    where: { id: tokenId, OR: [{ lastUsedAt: null }, { lastUsedAt: { lt: minuteAgo } }] },
    data: { lastUsedAt: usedAt },
  });
}
