import type { StaffSession } from '@switchyard/api/auth';
import { headers } from 'next/headers';
import { cache } from 'react';
import { processSwitchyard } from './native/process.ts';

/** The viewer's session, read once per page request. */
export const currentSession = cache(async (): Promise<StaffSession | null> => {
  return processSwitchyard()
    .signIn()
    .readSession(await headers());
});
