import type { Mode } from '@switchyard/db';
import type { FinanceAccess, Permission } from '@switchyard/merchants';
import { mayAnywhere, merchantsWhere } from '../staff/merchants-where.ts';
import type { StaffSession } from '../staff/session.ts';

/** Who asks, and what they reach. Every field asks this and nothing else. */
export interface Viewer {
  /** `staff:<id>` or `token:<id>`. */
  readonly actor: string;
  readonly modes: readonly Mode[];
  /** Whether anything is allowed by this permission at all. */
  may(permission: Permission): boolean;
  /** The merchants for which the permission holds. */
  merchantsFor(permission: Permission): readonly string[];
}

/** Somebody signed in to the dashboard. */
export function staffViewer(session: StaffSession, known: readonly string[]): Viewer {
  return {
    actor: `staff:${session.staffId}`,
    modes: ['test', 'live'],
    may: (permission) => mayAnywhere(session, permission),
    merchantsFor: (permission) => merchantsWhere(session, permission, known),
  };
}

/** A program with a token: never further than the token says, nor than the person who made it. */
export function tokenViewer(access: FinanceAccess, known: readonly string[]): Viewer {
  const named = new Set(access.merchantIds);
  const reached = known.filter((merchantId) => named.has(merchantId));
  const merchantsFor = (permission: Permission) => merchantsWhere(access, permission, reached);
  return {
    actor: `token:${access.tokenId}`,
    modes: access.modes,
    may: (permission) => merchantsFor(permission).length > 0,
    merchantsFor,
  };
}
