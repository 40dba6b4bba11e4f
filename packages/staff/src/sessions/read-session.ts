import { type Database, NIL_ID } from '@switchyard/db';
import type { StaffRole } from '@switchyard/db/client';
import { pingDatabase } from '@switchyard/db/ping';
import type { StaffAuth } from '../sign-in/auth.ts';
import { SESSION_IDLE_MS } from './sessions.ts';
import type { StaffGrant, StaffSession } from './staff-session.ts';

const TOUCH_MS = 60_000;
const GRANTS_MAX = 10_000;

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
  const person = await readStaffUser(database, user.id);
  if (person === null) {
    await database.prisma.staffSession.deleteMany({ where: { id: session.id } });
    return null;
  }
  return { ...person, sessionId: session.id, staffId: user.id, signedInAt: session.createdAt, endsAt: session.expiresAt };
}

/** State of a staff user that every request checks; null when they are disabled. Without a required second step, no role applies. */
export async function readStaffUser(
  database: Database,
  staffId: string,
): Promise<Pick<StaffSession, 'name' | 'email' | 'twoFactorEnabled' | 'mustSetUpTwoFactor' | 'timeZone' | 'grants'> | null> {
  const found = await database.prisma.staffUser.findUnique({
    where: { id: staffId },
    select: {
      name: true,
      email: true,
      disabledAt: true,
      twoFactorEnabled: true,
      twoFactorRequired: true,
      timeZone: true,
      grants: { select: { merchantId: true, role: true }, take: GRANTS_MAX },
    },
  });
  if (found === null || found.disabledAt !== null) return null;
  const { name, email, twoFactorEnabled, twoFactorRequired, timeZone, grants } = found;
  const mustSetUpTwoFactor = twoFactorRequired && !twoFactorEnabled;
  return { name, email, twoFactorEnabled, mustSetUpTwoFactor, timeZone, grants: mustSetUpTwoFactor ? [] : grants.map(toGrant) };
}

function toGrant({ merchantId, role }: { merchantId: string; role: StaffRole }): StaffGrant {
  return { merchantId: merchantId === NIL_ID ? null : merchantId, role };
}
