export { listNewSignInPlaces } from './list-new-sign-in-places.ts';
export { endSessions, listSessions, SESSION_IDLE_MS } from './sessions.ts';
