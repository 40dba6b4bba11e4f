import type { Database } from '@switchyard/db';

/**
 * The roles of a session as text that changes with them, or null once the session has ended or the staff user is disabled. Reading
 * it does not count as a use of the session.
 */
export async function readSessionState(database: Database, sessionId: string, now: Date): Promise<string | null> {
  const rows = await database.prisma.$queryRaw<{ grants: string }[]>`
    SELECT coalesce(string_agg(staff_grant.merchant_id || ':' || staff_grant.role, ',' ORDER BY staff_grant.merchant_id), '') AS grants
    FROM staff_session JOIN staff_user ON staff_user.id = staff_session.user_id
    LEFT JOIN staff_grant ON staff_grant.staff_id = staff_user.id
    WHERE staff_session.id = ${sessionId}::uuid AND staff_session.expires_at > ${now} AND staff_user.disabled_at IS NULL
    GROUP BY staff_session.id`;
  return rows[0]?.grants ?? null;
}
