import type { StaffSession } from '@switchyard/api/auth';
import { cookies, headers } from 'next/headers';
import { redirect } from 'next/navigation';
import { cache } from 'react';
import { PATH_HEADER } from '../path-header.ts';
import { loadScope, MODE_COOKIE, type Scope } from '../scope/scope.ts';
import { processSwitchyard } from './native/process.ts';

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

/** The viewer's session, read once per page request. */
export const currentSession = cache(async (): Promise<StaffSession | null> => {
  return processSwitchyard()
    .signIn()
    .readSession(await headers());
});

/** The scope that the requested address names, test mode where it names none: for what stands on every page. */
export async function requestedScope(): Promise<Scope> {
  const path = (await headers()).get(PATH_HEADER) ?? '';
  const { mode, merchant } = loadScope(new URL(path, 'http://page').searchParams);
  return { mode: mode ?? 'test', merchantId: merchant };
}

/** The query parameters of a page, as Next passes them. */
export type PageQuery = Promise<Record<string, string | string[] | undefined>>;

/** The scope of a page's address. An address that names no mode is led to the one that does, by the mode last chosen. */
export async function requireScope(path: string, searchParams: PageQuery): Promise<Scope> {
  const query = await searchParams;
  const { mode, merchant } = await loadScope(query);
  if (mode !== null) return { mode, merchantId: merchant };
  const chosen = (await cookies()).get(MODE_COOKIE)?.value === 'live' ? 'live' : 'test';
  const search = new URLSearchParams({ mode: chosen });
  for (const [name, value] of Object.entries(query)) {
    if (name !== 'mode' && typeof value === 'string') search.set(name, value);
  }
  redirect(`${path}?${search}`);
}
