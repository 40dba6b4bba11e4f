export { type AgentSession, agentSession } from './agent-session.ts';
export { type CreateStaffUserOutcome, createStaffUser, type NewStaffUser } from './create-staff-user.ts';
export { exportAudit } from './export-audit.ts';
export { linkAddress } from './link-emails.ts';
export { isFromOurPages } from './same-origin.ts';
export { rolesFor } from './session.ts';
export { handleStaffAuth, staffSession } from './staff-auth.ts';
export type { StaffGrant, StaffSession } from './staff-session.ts';
