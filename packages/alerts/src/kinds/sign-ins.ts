import { NIL_ID } from '@switchyard/db';
import { listBreakGlassUses, listNewSignInPlaces } from '@switchyard/staff/sessions';
import { z } from 'zod';
import { incidentKind } from './kind.ts';
import { instant } from './words.ts';

/** For how long a sign-in is shown as open. */
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

/** Sign-ins of the break-glass owner with a password in the last day. */
export const breakGlassUsed = incidentKind({
  title: 'Break-glass sign-in',
  severity: 'critical',
  permission: 'audit:read',
  sendsRecovery: false,
  facts: z.object({ of: z.literal('break_glass'), name: z.string(), address: z.string().nullable(), at: instant }),
  async find({ resources }, { workspace, now }) {
    if (!workspace) return [];
    const uses = await listBreakGlassUses(resources.database, new Date(now.getTime() - SHOWN_MS));
    return uses.map(({ staffId, name, address, at }) => ({
      merchantId: NIL_ID,
      // A condition of no mode is recorded as live.
      mode: 'live' as const,
      kind: 'break_glass_used' as const,
      subject: `${staffId} ${at.toISOString()}`,
      since: at,
      facts: { of: 'break_glass' as const, name, address, at: at.toISOString() },
    }));
  },
  describe: ({ name, address, at }, { clock }) => ({
    title: `${name} signed in as the break-glass owner`,
    why: `${name} signed in with a password at ${clock.timeOf(at)}${address === null ? '' : ` from ${address}`}, past the sign-in provider.`,
    figures: [],
    action: { path: '/audit', query: {}, label: 'View audit log' },
  }),
});
