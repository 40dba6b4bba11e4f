import { NIL_ID } from '@switchyard/db';
import { listBreakGlassNamings, listBreakGlassUses, listNewSignInPlaces } from '@switchyard/staff/sessions';
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

const breakGlassFacts = z.discriminatedUnion('of', [
  z.object({ of: z.literal('break_glass'), name: z.string(), address: z.string().nullable(), at: instant }),
  z.object({ of: z.literal('break_glass_named'), name: z.string(), by: z.string().nullable(), at: instant }),
]);
type BreakGlassFacts = z.output<typeof breakGlassFacts>;

/** Sign-ins of the break-glass owner with a password, and namings of another one, in the last day. */
export const breakGlassUsed = incidentKind({
  title: 'Break-glass sign-in',
  severity: 'critical',
  permission: 'audit:read',
  sendsRecovery: false,
  facts: breakGlassFacts,
  async find({ resources }, { workspace, now }) {
    if (!workspace) return [];
    const since = new Date(now.getTime() - SHOWN_MS);
    const uses = await listBreakGlassUses(resources.database, since);
    const namings = await listBreakGlassNamings(resources.database, since);
    return [
      ...uses.map(({ staffId, name, address, at }) =>
        conditionOf(staffId, at, { of: 'break_glass', name, address, at: at.toISOString() }),
      ),
      ...namings.map(({ staffId, name, by, at }) =>
        conditionOf(staffId, at, { of: 'break_glass_named', name, by, at: at.toISOString() }),
      ),
    ];
  },
  describe(found, { clock }) {
    const action = { path: '/audit', query: {}, label: 'View audit log' };
    if (found.of === 'break_glass_named') {
      const why = `${found.by ?? 'An owner who left'} named ${found.name} at ${clock.timeOf(found.at)}. They sign in with a password past the sign-in provider.`;
      return { title: `${found.name} is the break-glass owner now`, why, figures: [], action };
    }
    const { name, address, at } = found;
    return {
      title: `${name} signed in as the break-glass owner`,
      why: `${name} signed in with a password at ${clock.timeOf(at)}${address === null ? '' : ` from ${address}`}, past the sign-in provider.`,
      figures: [],
      action,
    };
  },
});

function conditionOf(staffId: string, at: Date, found: BreakGlassFacts) {
  return {
    merchantId: NIL_ID,
    // A condition of no mode is recorded as live.
    mode: 'live' as const,
    kind: 'break_glass_used' as const,
    subject: `${staffId} ${at.toISOString()}`,
    since: at,
    facts: found,
  };
}
