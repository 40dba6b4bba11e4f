import type { StaffSession } from '@switchyard/api/staff';
import { headers } from 'next/headers';
import { redirect } from 'next/navigation';
import { PATH_HEADER } from '../path-header.ts';
import { currentSession } from './current-session.ts';

/** Who is signed in; whoever is not is led to the sign-in page, and back afterwards; whoever owes a second step, to set it up. */
export async function requireSession(): Promise<StaffSession> {
  const session = await currentSession();
  const path = (await headers()).get(PATH_HEADER) ?? '/overview';
  if (session?.mustSetUpTwoFactor) redirect(`/sign-in/two-factor?next=${encodeURIComponent(path)}`);
  if (session !== null) return session;
  redirect(`/sign-in?next=${encodeURIComponent(path)}`);
}
