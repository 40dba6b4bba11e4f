import type { StaffRole } from '@switchyard/db/client';

/** The signed-in staff user with their roles. */
export interface StaffSession {
  readonly sessionId: string;
  readonly staffId: string;
  readonly name: string;
  readonly email: string;
  readonly twoFactorEnabled: boolean;
  /** A second step is required and not set up, or was not taken after a provider's sign-in: until then, no role applies. */
  readonly mustSetUpTwoFactor: boolean;
  /** IANA time zone in which they read times; null for the workspace's. */
  readonly timeZone: string | null;
  readonly grants: readonly StaffGrant[];
  readonly signedInAt: Date;
  /** The latest end; a session also ends after half an hour without a request. */
  readonly endsAt: Date;
}

/** A role for one merchant, or for all of them where `merchantId` is null. */
export interface StaffGrant {
  readonly merchantId: string | null;
  readonly role: Role;
}

/** A role of the workspace's own. */
export interface CustomRole {
  readonly roleId: string;
  readonly name: string;
  readonly permissions: readonly string[];
  /** More, in test mode alone. */
  readonly testPermissions: readonly string[];
}

/** A role that a person may have. */
export type Role = StaffRole | CustomRole;

/** A role as it is chosen and stored: the name of one of `STAFF_ROLES`, or the id of one of the workspace's own. */
export type RoleKey = string;
