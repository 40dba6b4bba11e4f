import { NIL_ID } from '@switchyard/db';
import type { StaffLink, StaffRole } from '@switchyard/db/client';
import { z } from 'zod';
import type { RoleFor } from '../users/merchant-scope.ts';

const DAY_MS = 86_400_000;

/** How long an invitation's link is valid. */
export const INVITATION_MS = 7 * DAY_MS;

/** How long a link to reset a password is valid. */
export const RESET_MS = 3_600_000;

/** A new link. Its secret is stored nowhere else: it must be delivered now or replaced. */
export interface IssuedLink {
  readonly linkId: string;
  readonly token: string;
  readonly expiresAt: Date;
}

const storedGrants = z.array(z.object({ merchantId: z.uuid(), role: z.enum(['owner', 'operator', 'finance', 'viewer']) }));

/** The roles an invitation grants. Throws `ZodError` for JSON that we did not store. */
export function grantsOfLink(link: Pick<StaffLink, 'grants'>): RoleFor[] {
  return storedGrants
    .parse(link.grants)
    .map(({ merchantId, role }) => ({ merchantId: merchantId === NIL_ID ? null : merchantId, role }));
}

/** Roles as a link stores them. */
export function grantsForLink(grants: readonly RoleFor[]): { merchantId: string; role: StaffRole }[] {
  return grants.map(({ merchantId, role }) => ({ merchantId: merchantId ?? NIL_ID, role }));
}

/** True if a link is still valid. */
export function isOpen(link: Pick<StaffLink, 'usedAt' | 'revokedAt' | 'expiresAt'>, now: Date): boolean {
  return link.usedAt === null && link.revokedAt === null && link.expiresAt > now;
}
