import type { TokenContext } from '../context.ts';
import { readStaffUser } from '../sessions/read-session.ts';
import type { StaffSession } from '../sessions/staff-session.ts';
import { type AgentAccess, authenticateAgent } from './authenticate-agent.ts';

/** An agent's token, and the session of the staff user it belongs to, with the roles that they have now. */
export interface AgentSession {
  readonly access: AgentAccess;
  readonly session: StaffSession;
}

/**
 * The session behind the agent token of a request, or null: an unknown, expired or revoked token, or a disabled staff user. As after a
 * sign-in, no role applies while a second step is required and not set up.
 */
export async function readAgentSession(context: TokenContext, headers: Headers): Promise<AgentSession | null> {
  const access = await authenticateAgent(context, headers.get('authorization'));
  if (access === null) return null;
  const person = await readStaffUser(context.resources.database, access.staffId);
  if (person === null) return null;
  const session = {
    ...person,
    sessionId: access.tokenId,
    staffId: access.staffId,
    signedInAt: context.now(),
    endsAt: access.expiresAt,
  };
  return { access, session };
}
