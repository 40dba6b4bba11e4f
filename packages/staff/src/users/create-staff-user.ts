import { NIL_ID } from '@switchyard/db';
import { z } from 'zod';
import type { StaffContext } from '../context.ts';
import { staffEmail, staffName } from '../entered-fields.ts';
import { changeTeam } from '../grants/change-team.ts';
import type { RoleKey } from '../permissions/permissions.ts';
import { hashPassword, PASSWORD_MAX, PASSWORD_MIN } from './passwords.ts';
import { findStaffUserByEmail, insertStaffUser } from './queries.ts';

/** A staff user to create without an invitation. */
export interface NewStaffUser {
  readonly email: string;
  readonly name: string;
  readonly password: string;
  /** The initial grants; `merchantId` null for all merchants. */
  readonly grants?: readonly { readonly merchantId: string | null; readonly role: RoleKey }[];
  /** The author, for the audit log. */
  readonly actor?: string;
}

/** Result of creating a staff user. */
export type CreateStaffUserOutcome =
  | { readonly kind: 'created'; readonly staffId: string }
  /** Another staff user has this e-mail address; nothing was changed. */
  | { readonly kind: 'exists'; readonly staffId: string };

const password = z.string().min(PASSWORD_MIN).max(PASSWORD_MAX);
const newStaffUserSchema = z.object({ email: staffEmail, name: staffName, password });

/**
 * Creates a staff user with the first grants and the audit entry in one transaction. Throws `ZodError` for an invalid address, name
 * or password: passwords have 12 to 128 characters.
 */
export async function createStaffUser(context: StaffContext, command: NewStaffUser): Promise<CreateStaffUserOutcome> {
  const { email, name, password: entered } = newStaffUserSchema.parse(command);
  const existing = await findStaffUserByEmail(context.resources.database.prisma, email);
  if (existing !== null) return { kind: 'exists', staffId: existing.id };
  const passwordHash = await hashPassword(entered);
  const actor = command.actor ?? 'system';
  const grants = (command.grants ?? []).map(({ merchantId, role }) => ({ merchantId: merchantId ?? NIL_ID, role }));
  return changeTeam<CreateStaffUserOutcome>(context, actor, async (transaction, now) => {
    const staffId = context.newId();
    const person = { id: staffId, credentialId: context.newId(), email, name, passwordHash, twoFactorRequired: false };
    const granted = grants.map((grant) => ({ ...grant, grantedBy: actor }));
    await insertStaffUser(transaction, { ...person, grants: granted }, now);
    const after = { email, name, grants };
    return {
      outcome: { kind: 'created', staffId },
      audit: { action: 'staff.created', objectType: 'staff', objectId: staffId, before: null, after },
    };
  });
}
