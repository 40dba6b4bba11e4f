import type { Mode } from '@switchyard/db';
import type { FinanceAccess, Permission } from '@switchyard/merchants';
import { mayAnywhere, merchantsWhere } from '../staff/merchants-where.ts';
import type { StaffSession } from '../staff/session.ts';
import { remember } from './remember.ts';

/** Who asks, and what they reach. Every field asks this and nothing else. */
export interface Viewer {
  /** `staff:<id>` or `token:<id>`. */
  readonly actor: string;
  readonly modes: readonly Mode[];
  /** Whether anything is allowed by this permission at all. */
  may(permission: Permission): boolean;
  /** The merchants for which the permission holds. */
  merchantsFor(permission: Permission): readonly string[];
  /** Whether it holds for this one. */
  reaches(merchantId: string, permission: Permission): boolean;
}

/** Whose something is, and what is needed to see it. */
export interface Owned {
  readonly merchantId: string;
  /** Null where it has none of its own. */
  readonly mode: Mode | null;
  readonly permission: Permission;
}

/** Whether a viewer may see what is somebody's. */
export function isWithinReach(viewer: Viewer, { merchantId, mode, permission }: Owned): boolean {
  return viewer.reaches(merchantId, permission) && (mode === null || viewer.modes.includes(mode));
}

/** Somebody signed in to the dashboard. */
export function staffViewer(session: StaffSession, merchants: Merchants): Viewer {
  const { staffId, grants } = session;
  return asBefore(merchants, { actor: `staff:${staffId}`, grants, named: null }, (actor, known) => ({
    actor,
    modes: ['test', 'live'],
    may: (permission) => mayAnywhere(session, permission),
    ...workedOutOnce((permission) => merchantsWhere(session, permission, known)),
  }));
}

/** A program with a token: never further than the token says, nor than the person who made it. */
export function tokenViewer(access: FinanceAccess, merchants: Merchants): Viewer {
  const { tokenId, modes, grants, merchantIds } = access;
  return asBefore(merchants, { actor: `token:${tokenId}`, grants, named: merchantIds }, (actor, known) => {
    const named = new Set(merchantIds);
    const reached = known.filter((merchantId) => named.has(merchantId));
    const reach = workedOutOnce((permission) => merchantsWhere(access, permission, reached));
    return { actor, modes, may: (permission) => reach.merchantsFor(permission).length > 0, ...reach };
  });
}

/** All merchants there are: another list as soon as anything of one of them is another. */
type Merchants = readonly { readonly merchant: { readonly id: string } }[];

/** All that a viewer's reach follows from, beside the merchants. */
interface Basis {
  readonly actor: string;
  readonly grants: FinanceAccess['grants'];
  /** The list of merchants a token names, which is the same for as long as it says the same; null for staff. */
  readonly named: readonly string[] | null;
}

interface Seen {
  readonly known: readonly string[];
  readonly viewers: Map<string, { readonly basis: Basis; readonly viewer: Viewer }>;
}

const VIEWERS_MAX = 500;
const seen = new WeakMap<Merchants, Seen>();

/** The viewer of the request before, when that followed from the very same: what is reached is then worked out already. */
function asBefore(merchants: Merchants, basis: Basis, make: (actor: string, known: readonly string[]) => Viewer): Viewer {
  const { known, viewers }: Seen = seen.get(merchants) ?? {
    known: merchants.map(({ merchant }) => merchant.id),
    viewers: new Map(),
  };
  seen.set(merchants, { known, viewers });
  const { actor } = basis;
  const before = viewers.get(actor);
  if (before !== undefined && before.basis.named === basis.named && sameGrants(before.basis.grants, basis.grants))
    return before.viewer;
  const viewer = make(actor, known);
  remember(viewers, actor, { basis, viewer }, VIEWERS_MAX);
  return viewer;
}

function sameGrants(some: Basis['grants'], others: Basis['grants']): boolean {
  return (
    some.length === others.length &&
    some.every(({ merchantId, role }, at) => others[at]?.merchantId === merchantId && others[at]?.role === role)
  );
}

/** Every row asks the same of a viewer, and so does every request. */
function workedOutOnce(work: (permission: Permission) => readonly string[]): Pick<Viewer, 'merchantsFor' | 'reaches'> {
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
    reaches: (merchantId, permission) => find(permission).set.has(merchantId),
  };
}
