import type { Mode } from '@switchyard/db/client';
import { hasPermissionAnywhere, merchantsWhere, type Permission, type StaffSession } from '@switchyard/staff/permissions';
import { authenticateToken, type MachineAccess, readTokenSession } from '@switchyard/staff/token-access';
import { isFromOurPages } from '../http/same-origin.ts';
import type { Switchyard } from '../process.ts';
import { RETRY_LATER, whyUnavailable } from '../unavailable.ts';

/** The authenticated caller with its permissions. Every field checks access here and nowhere else. */
export interface Viewer {
  /** `staff:<id>` or `token:<id>`. */
  readonly actor: string;
  readonly modes: readonly Mode[];
  /** True for a token without the scope `reports`: it asks what tools ask, and exports nothing. */
  readonly onlyTools: boolean;
  /** True if the permission is granted for any merchant. */
  may(permission: Permission): boolean;
  /** The merchants for which the permission is granted. */
  merchantsFor(permission: Permission): readonly string[];
  /** True if the permission is granted for this merchant. */
  mayAccess(merchantId: string, permission: Permission): boolean;
}

/** The owner of a record and the permission needed to read it. */
export interface Owned {
  readonly merchantId: string;
  /** Null for records without a mode. */
  readonly mode: Mode | null;
  readonly permission: Permission;
}

/** True if a viewer may read a record of this owner. */
export function isAuthorized(viewer: Viewer, { merchantId, mode, permission }: Owned): boolean {
  return viewer.mayAccess(merchantId, permission) && (mode === null || viewer.modes.includes(mode));
}

/** The known merchants. */
type Merchants = readonly { readonly merchant: { readonly id: string } }[];

/** A staff user signed in to the dashboard, or their agent. */
export function staffViewer(session: StaffSession, merchants: Merchants, { onlyTools = false } = {}): Viewer {
  const known = merchants.map(({ merchant }) => merchant.id);
  return {
    actor: `staff:${session.staffId}`,
    modes: ['test', 'live'],
    onlyTools,
    may: (permission) => hasPermissionAnywhere(session, permission),
    ...memoized((permission) => merchantsWhere(session, permission, known)),
  };
}

/** A program with the scope `reports`, limited by its token and by the current roles of the staff user who issued it. */
export function tokenViewer(
  access: Pick<MachineAccess, 'tokenId' | 'merchantIds' | 'modes' | 'grants'>,
  merchants: Merchants,
): Viewer {
  const named = new Set(access.merchantIds);
  const known = merchants.map(({ merchant }) => merchant.id).filter((merchantId) => named.has(merchantId));
  const reach = memoized((permission) => merchantsWhere(access, permission, known));
  return {
    actor: `token:${access.tokenId}`,
    modes: access.modes,
    onlyTools: false,
    may: (permission) => reach.merchantsFor(permission).length > 0,
    ...reach,
  };
}

/** Caches access checks: every row of a response needs the same ones. */
function memoized(work: (permission: Permission) => readonly string[]): Pick<Viewer, 'merchantsFor' | 'mayAccess'> {
  const known = new Map<Permission, { readonly list: readonly string[]; readonly set: ReadonlySet<string> }>();
  const find = (permission: Permission) => {
    const before = known.get(permission);
    if (before !== undefined) return before;
    const list = work(permission);
    const found = { list, set: new Set(list) };
    known.set(permission, found);
    return found;
  };
  return {
    merchantsFor: (permission) => find(permission).list,
    mayAccess: (merchantId, permission) => find(permission).set.has(merchantId),
  };
}

/** The authenticated caller, or the HTTP response that refuses it. */
export type Authentication =
  | { readonly kind: 'known'; readonly viewer: Viewer }
  | {
      readonly kind: 'refused';
      readonly status: number;
      readonly code: string;
      readonly message: string;
      readonly headers: Record<string, string>;
    };

const UNKNOWN_TOKEN = 'This token is invalid or expired.';

/**
 * The caller of a request: a program with a machine token, or a signed-in staff user whose request came from our own pages. A request
 * with a token is authenticated by it alone.
 */
export async function authenticateViewer(switchyard: Switchyard, headers: Headers): Promise<Authentication> {
  try {
    const { configuration, publicUrl } = switchyard.resources;
    await configuration.ready();
    const merchants = configuration.merchants();
    const authorization = headers.get('authorization');
    if (authorization !== null) {
      const access = await authenticateToken(switchyard, authorization);
      if (access?.scopes.includes('reports')) return { kind: 'known', viewer: tokenViewer(access, merchants) };
      const session = access && (await readTokenSession(switchyard, access));
      if (session === null) return refused(401, 'UNAUTHENTICATED', UNKNOWN_TOKEN, { 'www-authenticate': 'Bearer' });
      return { kind: 'known', viewer: staffViewer(session, merchants, { onlyTools: true }) };
    }
    if (!isFromOurPages({ method: 'POST', headers, publicUrl })) {
      return refused(403, 'FOREIGN_ORIGIN', 'This request did not come from the dashboard.');
    }
    const session = await switchyard.signIn().readSession(headers);
    if (session === null) return refused(401, 'UNAUTHENTICATED', 'Sign in, or send a machine token.');
    return { kind: 'known', viewer: staffViewer(session, merchants) };
  } catch (error) {
    const why = whyUnavailable(error);
    if (why === null) throw error;
    return refused(503, 'UNAVAILABLE', why, RETRY_LATER);
  }
}

function refused(status: number, code: string, message: string, headers: Record<string, string> = {}): Authentication {
  return { kind: 'refused', status, code, message, headers };
}
