export { listNewSignInPlaces } from './list-new-sign-in-places.ts';
export { readStaffUser } from './read-session.ts';
export { readSessionState } from './session-state.ts';
export { endSessions, listSessions, SESSION_IDLE_MS } from './sessions.ts';
