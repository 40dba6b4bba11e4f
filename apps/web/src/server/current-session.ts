import type { StaffSession } from '@switchyard/api/staff';
import { headers } from 'next/headers';
import { cache } from 'react';
import { processSwitchyard } from './native/process.ts';
import { staffSession } from './native/staff.ts';

/** The viewer's session, read once per page request. */
export const currentSession = cache(async (): Promise<StaffSession | null> => {
  return staffSession(processSwitchyard(), await headers());
});
