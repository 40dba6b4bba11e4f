import { processSwitchyard } from '@switchyard/api/process';
import { type StaffSession, staffSession } from '@switchyard/api/staff';
import { headers } from 'next/headers';
import { cache } from 'react';

/** Who is signed in, asked once per page however many parts want to know. */
export const currentSession = cache(async (): Promise<StaffSession | null> => {
  return staffSession(processSwitchyard(), await headers());
});
