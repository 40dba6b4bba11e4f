import type { StaffSession } from '@switchyard/api/auth';
import { headers } from 'next/headers';
import { redirect } from 'next/navigation';
import { PATH_HEADER } from '../path-header.ts';
import { currentSession } from './current-session.ts';

/**
 * The signed-in staff user. Redirects to the sign-in page and back without a session, or to the set-up of a required second
 * factor.
 */
export async function requireSession(): Promise<StaffSession> {
  const session = await currentSession();
  const path = (await headers()).get(PATH_HEADER) ?? '/overview';
  if (session?.mustSetUpTwoFactor) redirect(`/sign-in/two-factor?next=${encodeURIComponent(path)}`);
  if (session !== null) return session;
  redirect(`/sign-in?next=${encodeURIComponent(path)}`);
}
