import type { StaffSession } from '@switchyard/api/staff';
import { headers } from 'next/headers';
import { redirect } from 'next/navigation';
import { PATH_HEADER } from '../path-header.ts';
import { currentSession } from './current-session.ts';

/** Who is signed in; whoever is not is led to the sign-in page, and back afterwards. */
export async function requireSession(): Promise<StaffSession> {
  const session = await currentSession();
  if (session !== null) return session;
  const path = (await headers()).get(PATH_HEADER) ?? '/overview';
  redirect(`/sign-in?next=${encodeURIComponent(path)}`);
}
