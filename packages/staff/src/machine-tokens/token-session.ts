import type { TokenContext } from '../context.ts';
import { readStaffUser } from '../sessions/read-session.ts';
import type { StaffSession } from '../sessions/staff-session.ts';
import type { MachineAccess } from './authenticate-token.ts';

/**
 * The session of the staff user that a token belongs to, with the roles that they have now; null for a disabled one, and for a token
 * that may call no tools. As after a sign-in, no role applies while a second step is required and not set up.
 */
export async function readTokenSession(
  context: TokenContext,
  { tokenId, staffId, scopes, expiresAt }: MachineAccess,
): Promise<StaffSession | null> {
  if (!scopes.includes('tools')) return null;
  const person = await readStaffUser(context.resources.database, staffId);
  return person && { ...person, sessionId: tokenId, staffId, signedInAt: context.now(), endsAt: expiresAt };
}
