'use client';

import { useEffect } from 'react';
import { ZONE_COOKIE } from '../format/zone.ts';
import { rememberInCookie } from './remember.ts';

/** Gives this browser the staff user's time zone, which another browser may have changed, and shows the page again in it. */
export function ZoneCookie({ timeZone }: { timeZone: string | null }) {
  useEffect(() => {
    if (followZone(timeZone)) window.location.reload();
  }, [timeZone]);
  return null;
}

/** Writes the preference into the cookie that pages are rendered by. False when it was there already. */
export function followZone(timeZone: string | null): boolean {
  const kept = `${ZONE_COOKIE}=${encodeURIComponent(timeZone ?? '')}`;
  const pairs = document.cookie.split('; ');
  if (pairs.includes(kept) || (timeZone === null && !pairs.some((pair) => pair.startsWith(`${ZONE_COOKIE}=`)))) return false;
  rememberInCookie(ZONE_COOKIE, timeZone ?? '');
  return true;
}
