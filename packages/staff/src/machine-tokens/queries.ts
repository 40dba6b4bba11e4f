import type { Database } from '@switchyard/db';
import type { MachineToken, Prisma } from '@switchyard/db/client';
import type { Role } from '../permissions/permissions.ts';

/** The listed fields of a token, without its secret. */
export type ListedToken = Omit<MachineToken, 'secretHash'>;

const LIST_MAX = 500;

/** Inserts a token in the caller's transaction and returns it without its hash. */
export async function insertToken(
  transaction: Prisma.TransactionClient,
  token: Omit<MachineToken, 'revokedAt' | 'revokedBy' | 'lastUsedAt'>,
): Promise<ListedToken> {
  const data = { ...token, secretHash: new Uint8Array(token.secretHash) };
  return transaction.machineToken.create({ data, omit: { secretHash: true } });
}

/** The newest tokens, at most 500: all with null, or those of one staff user. */
export function listTokenRows(database: Database, staffId: string | null): Promise<ListedToken[]> {
  return database.prisma.machineToken.findMany({
    where: ofStaffUser(staffId),
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    take: LIST_MAX,
    omit: { secretHash: true },
  });
}

const ofStaffUser = (staffId: string | null) => (staffId === null ? {} : { staffId });

/** A presented token, with the current permissions of its staff user. */
type PresentedToken = Omit<MachineToken, 'publicId' | 'lastFour' | 'createdAt' | 'revokedBy'> & {
  /** None while a second step is required of them and not set up; null when they have been disabled. */
  readonly grants: readonly { readonly merchantId: string; readonly role: Role }[] | null;
};

/** The number of tokens whose merchants a process caches. */
const KNOWN_MAX = 200;
const GRANTS_MAX = 10_000;
const FIND_PRESENTED = `
SELECT t.id, t.secret_hash AS "secretHash", t.name, t.staff_id AS "staffId", to_json(t.scopes) AS scopes,
  CASE WHEN t.id = $2 THEN NULL ELSE to_json(t.merchant_ids) END AS "merchantIds", to_json(t.modes) AS modes,
  t.expires_at AS "expiresAt", t.revoked_at AS "revokedAt", t.last_used_at AS "lastUsedAt",
  CASE WHEN person.id IS NOT NULL AND person.disabled_at IS NULL THEN (
    SELECT COALESCE(json_agg(json_build_object('merchantId', g.merchant_id, 'role', g.role)), '[]')
    FROM (SELECT merchant_id, CASE WHEN custom_role.id IS NULL THEN to_json(staff_grant.role) ELSE json_build_object('roleId', custom_role.id,
        'name', custom_role.name, 'permissions', custom_role.permissions, 'testPermissions', custom_role.test_permissions) END AS role
      FROM staff_grant LEFT JOIN custom_role ON custom_role.id = staff_grant.custom_role_id WHERE staff_id = person.id
      AND (person.two_factor_enabled OR NOT person.two_factor_required) LIMIT ${GRANTS_MAX}) AS g) END AS grants
FROM machine_token AS t LEFT JOIN staff_user AS person ON person.id = t.staff_id
WHERE t.public_id = $1`;

type KnownTokens = Map<string, Pick<MachineToken, 'id' | 'merchantIds'>>;
const knownTokens = new WeakMap<Database, KnownTokens>();

/**
 * Looks a token up by its public part, in one statement: every request with a token starts here. The merchants, which may be many
 * and never change, are cached.
 */
export async function findToken(database: Database, publicId: string): Promise<PresentedToken | null> {
  const known: KnownTokens = knownTokens.get(database) ?? new Map();
  knownTokens.set(database, known);
  const before = known.get(publicId);
  const { rows } = await database.pool.query<Omit<PresentedToken, 'merchantIds'> & { readonly merchantIds: string[] | null }>({
    name: 'present-token',
    text: FIND_PRESENTED,
    values: [publicId, before?.id ?? null],
  });
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

/** The names of tokens by their ids. */
export async function readTokenNames(database: Database, tokenIds: readonly string[]): Promise<Map<string, string>> {
  if (tokenIds.length === 0) return new Map();
  const where = { id: { in: [...new Set(tokenIds)] } };
  const rows = await database.prisma.machineToken.findMany({ where, select: { id: true, name: true }, take: tokenIds.length });
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** The number of a staff user's valid tokens. */
export function countUsableTokens(transaction: Prisma.TransactionClient, staffId: string, now: Date): Promise<number> {
  return transaction.machineToken.count({ where: { staffId, revokedAt: null, expiresAt: { gt: now } } });
}

interface Revocation {
  readonly revokedAt: Date;
  readonly revokedBy: string;
}

/** Revokes a token, of one staff user unless null; null when there is none that was not revoked before. */
export async function endToken(
  transaction: Prisma.TransactionClient,
  { tokenId, staffId, ...revocation }: Revocation & { readonly tokenId: string; readonly staffId: string | null },
): Promise<ListedToken | null> {
  const { count } = await transaction.machineToken.updateMany({
    where: { id: tokenId, ...ofStaffUser(staffId), revokedAt: null },
    data: revocation,
  });
  if (count === 0) return null;
  return transaction.machineToken.findUnique({ where: { id: tokenId }, omit: { secretHash: true } });
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

export async function recordTokenUse(database: Database, tokenId: string, usedAt: Date): Promise<void> {
  await database.prisma.machineToken.updateMany({ where: { id: tokenId }, data: { lastUsedAt: usedAt } });
}
