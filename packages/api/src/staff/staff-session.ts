import type { StaffRole } from '@switchyard/db/client';

/** Who is signed in, and what as. */
export interface StaffSession {
  readonly sessionId: string;
  readonly staffId: string;
  readonly name: string;
  readonly email: string;
  readonly twoFactorEnabled: boolean;
  /** A second step is required and not set up: until it is, nothing is granted. */
  readonly mustSetUpTwoFactor: boolean;
  readonly grants: readonly StaffGrant[];
  readonly signedInAt: Date;
  /** Ends then at the latest; earlier when nothing is done for half an hour. */
  readonly endsAt: Date;
}

/** A role for one merchant, or for all of them where `merchantId` is null. */
export interface StaffGrant {
  readonly merchantId: string | null;
  readonly role: StaffRole;
}
