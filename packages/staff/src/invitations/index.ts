export { acceptInvitation } from './accept-invitation.ts';
export { renewInvitation, restoreInvitation, withdrawInvitation } from './change-invitation.ts';
export { inviteStaff } from './invite-staff.ts';
