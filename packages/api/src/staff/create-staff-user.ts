import { appendAuditEntry, NIL_ID } from '@switchyard/db';
import type { StaffRole } from '@switchyard/db/client';
import { z } from 'zod';
import type { Switchyard } from '../process.ts';
import { PASSWORD_MAX, PASSWORD_MIN } from './auth.ts';
import { hashPassword } from './passwords.ts';

/** A staff user to create without an invitation. */
export interface NewStaffUser {
  readonly email: string;
  readonly name: string;
  readonly password: string;
  /** The initial grants; `merchantId` null for all merchants. */
  readonly grants?: readonly { readonly merchantId: string | null; readonly role: StaffRole }[];
  /** The author, for the audit log. */
  readonly actor?: string;
}

/** Result of creating a staff user. */
export type CreateStaffUserOutcome =
  | { readonly kind: 'created'; readonly staffId: string }
  /** Another staff user has this e-mail address; nothing was changed. */
  | { readonly kind: 'exists'; readonly staffId: string };

const newStaffUserSchema = z.object({
  email: z
    .email()
    .max(254)
    .transform((email) => email.toLowerCase()),
  name: z.string().trim().min(1).max(100),
  password: z.string().min(PASSWORD_MIN).max(PASSWORD_MAX),
});

/**
 * Creates a staff user with the first grants and the audit entry in one transaction. Throws `ZodError` for an invalid address, name
 * or password: passwords have 12 to 128 characters.
 */
export async function createStaffUser(switchyard: Switchyard, command: NewStaffUser): Promise<CreateStaffUserOutcome> {
  const { email, name, password } = newStaffUserSchema.parse(command);
  const { database } = switchyard.resources;
  const existing = await database.prisma.staffUser.findUnique({ where: { email }, select: { id: true } });
  if (existing !== null) return { kind: 'exists', staffId: existing.id };
  const { newId } = switchyard;
  const now = switchyard.now();
  const staffId = newId();
  const passwordHash = await hashPassword(password);
  const actor = command.actor ?? 'system';
  const grants = (command.grants ?? []).map(({ merchantId, role }) => ({ merchantId: merchantId ?? NIL_ID, role }));
  await database.prisma.$transaction(async (transaction) => {
    await transaction.staffUser.create({
      data: {
        id: staffId,
        email,
        name,
        emailVerified: true,
        createdAt: now,
        updatedAt: now,
        accounts: {
          create: {
            id: newId(),
            accountId: staffId,
            providerId: 'credential',
            password: passwordHash,
            createdAt: now,
            updatedAt: now,
          },
        },
        grants: { create: grants.map((grant) => ({ ...grant, grantedBy: actor, createdAt: now })) },
      },
    });
    const after = { email, name, grants };
    await appendAuditEntry(
      transaction,
      switchyard.resources.auditKeys,
      {
        tenantId: NIL_ID,
        entryId: newId(),
        actor,
        action: 'staff.created',
        objectType: 'staff',
        objectId: staffId,
        before: null,
        after,
      },
      now,
    );
  });
  return { kind: 'created', staffId };
}
