import type { StaffSession } from '@switchyard/api/staff';
import { headers } from 'next/headers';
import { cache } from 'react';
import { processSwitchyard } from './native/process.ts';
import { staffSession } from './native/staff.ts';

/** Who is signed in, asked once per page however many parts want to know. */
export const currentSession = cache(async (): Promise<StaffSession | null> => {
  return staffSession(processSwitchyard(), await headers());
});
