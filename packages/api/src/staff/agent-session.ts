import { type AgentAccess, authenticateAgent } from '@switchyard/staff';
import type { Switchyard } from '../process.ts';
import { readStaffUser } from './session.ts';
import type { StaffSession } from './staff-session.ts';

/** An agent's token, and the session of the staff user it belongs to, with the roles that they have now. */
export interface AgentSession {
  readonly access: AgentAccess;
  readonly session: StaffSession;
}

/**
 * The session behind the agent token of a request, or null: an unknown, expired or revoked token, or a disabled staff user. As after a
 * sign-in, no role applies while a second step is required and not set up.
 */
export async function agentSession(switchyard: Switchyard, headers: Headers): Promise<AgentSession | null> {
  const access = await authenticateAgent(switchyard, headers.get('authorization'));
  if (access === null) return null;
  const person = await readStaffUser(switchyard.resources.database, access.staffId);
  if (person === null) return null;
  const session = {
    ...person,
    sessionId: access.tokenId,
    staffId: access.staffId,
    signedInAt: switchyard.now(),
    endsAt: access.expiresAt,
  };
  return { access, session };
}
