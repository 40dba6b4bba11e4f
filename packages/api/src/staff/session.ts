import type { Database, StaffRole } from '@switchyard/db';
import { NIL_ID } from '@switchyard/db';
import type { StaffAuth } from './auth.ts';

/** Who is signed in, and what as. */
export interface StaffSession {
  readonly sessionId: string;
  readonly staffId: string;
  readonly name: string;
  readonly email: string;
  readonly twoFactorEnabled: boolean;
  readonly grants: readonly StaffGrant[];
  readonly signedInAt: Date;
  /** Ends then at the latest; earlier when nothing is done for half an hour. */
  readonly endsAt: Date;
}

/** A role for one merchant, or for all of them where `merchantId` is null. */
export interface StaffGrant {
  readonly merchantId: string | null;
  readonly role: StaffRole;
}

const IDLE_MS = 30 * 60_000;
const TOUCH_MS = 60_000;
const GRANTS_MAX = 10_000;

/** The session a request's cookie stands for, or null: none, ended, or idle for too long. */
export async function readSession(
  auth: StaffAuth,
  database: Database,
  headers: Headers,
  now: Date,
): Promise<StaffSession | null> {
  if (!headers.has('cookie')) return null;
  const found = await auth.api.getSession({ headers, query: { disableRefresh: true } }).catch(async (error: unknown) => {
    // The library keeps to itself why it failed; a database that is away says so again.
    await database.pool.query('SELECT 1');
    throw error;
  });
  if (found === null) return null;
  const { session, user } = found;
  const idleMs = now.getTime() - session.updatedAt.getTime();
  if (idleMs > IDLE_MS) {
    await database.prisma.staffSession.deleteMany({ where: { id: session.id } });
    return null;
  }
  if (idleMs > TOUCH_MS) {
    await database.prisma.staffSession.updateMany({ where: { id: session.id }, data: { updatedAt: now } });
  }
  const grants = await database.prisma.staffGrant.findMany({ where: { staffId: user.id }, take: GRANTS_MAX });
  return {
    sessionId: session.id,
    staffId: user.id,
    name: user.name,
    email: user.email,
    twoFactorEnabled: user.twoFactorEnabled === true,
    grants: grants.map(({ merchantId, role }) => ({ merchantId: merchantId === NIL_ID ? null : merchantId, role })),
    signedInAt: session.createdAt,
    endsAt: session.expiresAt,
  };
}

/** The roles a person has for one merchant: those granted for it and those granted for all. */
export function rolesFor(session: Pick<StaffSession, 'grants'>, merchantId: string): StaffRole[] {
  return session.grants.filter((grant) => grant.merchantId === null || grant.merchantId === merchantId).map(({ role }) => role);
}
