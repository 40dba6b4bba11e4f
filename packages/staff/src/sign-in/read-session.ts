import { type Database, pingDatabase } from '@switchyard/db';
import type { StaffSession } from '../permissions/staff-session.ts';
import { SESSION_IDLE_MS } from '../sessions/sessions.ts';
import { readStaffUser } from '../users/queries.ts';
import type { StaffAuth } from './auth.ts';

const TOUCH_MS = 60_000;

/** The session of a request's cookie, or null: none, ended, idle for too long, or of a disabled staff user. */
export async function readSession(
  auth: StaffAuth,
  database: Database,
  headers: Headers,
  now: Date,
): Promise<StaffSession | null> {
  if (!headers.has('cookie')) return null;
  const found = await auth.api.getSession({ headers, query: { disableRefresh: true } }).catch(async (error: unknown) => {
    // The library hides why it failed; a database outage shows again in the next query.
    await pingDatabase(database);
    throw error;
  });
  if (found === null) return null;
  const { session, user } = found;
  const idleMs = now.getTime() - session.updatedAt.getTime();
  if (idleMs > SESSION_IDLE_MS) {
    await database.prisma.staffSession.deleteMany({ where: { id: session.id } });
    return null;
  }
  if (idleMs > TOUCH_MS) {
    await database.prisma.staffSession.updateMany({ where: { id: session.id }, data: { updatedAt: now } });
  }
  const person = await readStaffUser(database, user.id, session.factor ?? null);
  if (person === null) {
    await database.prisma.staffSession.deleteMany({ where: { id: session.id } });
    return null;
  }
  return { ...person, sessionId: session.id, staffId: user.id, signedInAt: session.createdAt, endsAt: session.expiresAt };
}
