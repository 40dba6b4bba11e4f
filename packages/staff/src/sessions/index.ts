import { type Database, NIL_ID } from '@switchyard/db';

export { readStaffUser } from '../users/queries.ts';
export { endSessions, listSessions, SESSION_IDLE_MS } from './sessions.ts';

/** A sign-in of the break-glass owner with a password. */
export interface BreakGlassUse {
  readonly staffId: string;
  readonly name: string;
  readonly address: string | null;
  readonly at: Date;
}

/** Sign-ins of the break-glass owner with a password since a moment, newest first. */
export async function listBreakGlassUses({ prisma }: Database, since: Date): Promise<BreakGlassUse[]> {
  return prisma.$queryRaw<BreakGlassUse[]>`
    SELECT entry.object_id AS "staffId", staff_user.name, entry.after->>'address' AS address, entry.created_at AS at
    FROM audit_entry AS entry JOIN staff_user ON staff_user.id::text = entry.object_id
    WHERE entry.tenant_id = ${NIL_ID}::uuid AND entry.created_at >= ${since} AND entry.action = 'staff.signed_in'
      AND entry.after->>'breakGlass' = 'true' ORDER BY entry.created_at DESC LIMIT ${LISTED_MAX}`;
}

/** The naming of a break-glass owner. */
export interface BreakGlassNaming {
  readonly staffId: string;
  readonly name: string;
  /** The name of the owner who named them; null where they no longer exist. */
  readonly by: string | null;
  readonly at: Date;
}

/** Namings of a break-glass owner since a moment, newest first. */
export async function listBreakGlassNamings({ prisma }: Database, since: Date): Promise<BreakGlassNaming[]> {
  return prisma.$queryRaw<BreakGlassNaming[]>`
    SELECT entry.object_id AS "staffId", staff_user.name, author.name AS by, entry.created_at AS at
    FROM audit_entry AS entry JOIN staff_user ON staff_user.id::text = entry.object_id
    LEFT JOIN staff_user AS author ON entry.actor = 'staff:' || author.id::text
    WHERE entry.tenant_id = ${NIL_ID}::uuid AND entry.created_at >= ${since} AND entry.action = 'staff.break_glass_named'
    ORDER BY entry.created_at DESC LIMIT ${LISTED_MAX}`;
}

/** A sign-in from a network that the staff user had not signed in from before. */
interface NewSignInPlace {
  readonly staffId: string;
  readonly name: string;
  readonly address: string;
  /** `password`, `password and one-time code`, … */
  readonly with: string;
  readonly at: Date;
}

/** Most sign-ins listed. */
const LISTED_MAX = 200;
/** An address last seen longer ago is new again. */
const KNOWN_FOR = "interval '90 days'";

/** The network of an entry's address, as limits of sign-ins count it: the first 64 bits of IPv6, else the address. */
const networkOf = (entry: string): string =>
  `CASE WHEN pg_input_is_valid(${entry}.after->>'address', 'inet') AND family((${entry}.after->>'address')::inet) = 6
    THEN network(set_masklen((${entry}.after->>'address')::inet, 64))::text ELSE ${entry}.after->>'address' END`;

const LIST = `
SELECT DISTINCT ON (entry.object_id, ${networkOf('entry')}) entry.object_id AS "staffId", staff_user.name,
  entry.after->>'address' AS address, coalesce(entry.after->>'with', '') AS "with", entry.created_at AS at
FROM audit_entry AS entry JOIN staff_user ON staff_user.id::text = entry.object_id
WHERE entry.tenant_id = $1 AND entry.created_at >= $2 AND entry.action = 'staff.signed_in' AND entry.after->>'address' IS NOT NULL
  AND EXISTS (SELECT FROM audit_entry AS earlier WHERE earlier.tenant_id = $1 AND earlier.object_id = entry.object_id
    AND earlier.action = 'staff.signed_in' AND earlier.created_at < entry.created_at)
  AND NOT EXISTS (SELECT FROM audit_entry AS earlier WHERE earlier.tenant_id = $1 AND earlier.object_id = entry.object_id
    AND earlier.action = 'staff.signed_in' AND earlier.created_at < entry.created_at
    AND earlier.created_at >= entry.created_at - ${KNOWN_FOR} AND ${networkOf('earlier')} = ${networkOf('entry')})
ORDER BY entry.object_id, ${networkOf('entry')}, entry.created_at LIMIT ${LISTED_MAX}`;

/**
 * Sign-ins since a moment from networks that the person had not used in the 90 days before, the first of each network: a household keeps
 * the first 64 bits of its IPv6 address, and changes the rest daily. A person's first sign-in is none: every place is new then.
 */
export async function listNewSignInPlaces(database: Database, since: Date): Promise<NewSignInPlace[]> {
  const { rows } = await database.pool.query<NewSignInPlace>({
    name: 'list-new-sign-in-places',
    text: LIST,
    values: [NIL_ID, since],
  });
  return rows;
}

/**
 * The roles of a session as text that changes with them, or null once the session has ended or the staff user is disabled. Reading
 * it does not count as a use of the session.
 */
export async function readSessionState(database: Database, sessionId: string, now: Date): Promise<string | null> {
  const rows = await database.prisma.$queryRaw<{ grants: string }[]>`
    SELECT coalesce(string_agg(staff_grant.merchant_id || ':' || coalesce(staff_grant.role::text, custom_role.id || '@' || custom_role.updated_at),
      ',' ORDER BY staff_grant.merchant_id), '') AS grants
    FROM staff_session JOIN staff_user ON staff_user.id = staff_session.user_id
    LEFT JOIN staff_grant ON staff_grant.staff_id = staff_user.id
      AND CASE staff_session.factor WHEN 'provider' THEN true WHEN 'pending' THEN false
        ELSE staff_user.two_factor_enabled OR NOT staff_user.two_factor_required END
    LEFT JOIN custom_role ON custom_role.id = staff_grant.custom_role_id
    WHERE staff_session.id = ${sessionId}::uuid AND staff_session.expires_at > ${now} AND staff_user.disabled_at IS NULL
    GROUP BY staff_session.id`;
  return rows[0]?.grants ?? null;
}
