import { forgetOpened } from './commands/recent/forget-opened.ts';

/** Ends the session and leaves the dashboard, also when the server does not answer. This browser forgets what was opened. */
export async function signOut(): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  await fetch('/api/auth/sign-out', { method: 'POST', headers, body: '{}' }).catch(() => null);
  forgetOpened();
  window.location.assign('/sign-in');
}
