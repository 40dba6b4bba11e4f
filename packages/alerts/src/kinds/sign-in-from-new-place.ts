import { NIL_ID } from '@switchyard/db';
import { listNewSignInPlaces } from '@switchyard/staff/sessions';
import { z } from 'zod';
import { incidentKind } from './kind.ts';
import { instant } from './words.ts';

/** For how long a sign-in from a new location is shown as open. */
const SHOWN_MS = 24 * 3_600_000;

/** Sign-ins of the last day from addresses that the person had not used before. */
export const signInFromNewPlace = incidentKind({
  title: 'Sign-in from a new location',
  severity: 'warning',
  permission: 'audit:read',
  sendsRecovery: false,
  facts: z.object({ of: z.literal('sign_in'), name: z.string(), address: z.string(), with: z.string(), at: instant }),
  async find({ resources }, { workspace, now }) {
    if (!workspace) return [];
    const found = await listNewSignInPlaces(resources.database, new Date(now.getTime() - SHOWN_MS));
    return found.map(({ staffId, name, address, with: way, at }) => ({
      merchantId: NIL_ID,
      // A condition of no mode is recorded as live.
      mode: 'live' as const,
      kind: 'sign_in_from_new_place' as const,
      subject: `${staffId} ${address}`,
      since: at,
      facts: { of: 'sign_in' as const, name, address, with: way, at: at.toISOString() },
    }));
  },
  describe: ({ name, address, at, with: way }, { clock }) => ({
    title: `${name} signed in from a new location`,
    why: `${name} signed in from ${address} at ${clock.timeOf(at)}, an address not used in the 90 days before.`,
    figures: [{ label: 'Signed in with', value: way }],
    action: { path: '/audit', query: {}, label: 'View audit log' },
  }),
});
