import { NIL_ID } from '@switchyard/db';
import { appendAuditEntry } from '@switchyard/db/audit';
import { z } from 'zod';
import type { StaffContext } from '../context.ts';

/** Sign-in methods by the path that completes them. */
const WAYS: Readonly<Record<string, string>> = {
  '/sign-in/email': 'password',
  '/two-factor/verify-totp': 'password and one-time code',
  '/two-factor/verify-backup-code': 'password and backup code',
};

const signedInSchema = z.object({ token: z.string(), user: z.object({ id: z.uuid(), email: z.string() }) });

/**
 * Writes the audit entry of a sign-in from a network address when the library's response completes one, and returns the e-mail address of
 * who signed in; null when it does not. Throws when the entry cannot be written: the sign-in then fails.
 */
export async function recordSignIn(
  context: StaffContext,
  { path, address }: { readonly path: string; readonly address: string | null },
  response: Response,
): Promise<string | null> {
  const way = WAYS[path];
  if (way === undefined || !response.ok) return null;
  const signedIn = signedInSchema.safeParse(await response.clone().json());
  if (!signedIn.success) return null;
  const { id: staffId, email } = signedIn.data.user;
  const { now, newId } = context;
  const who = { tenantId: NIL_ID, entryId: newId(), actor: `staff:${staffId}` };
  const what = { action: 'staff.signed_in', objectType: 'staff', objectId: staffId };
  const after = { with: way, address };
  await context.resources.database.prisma.$transaction((transaction) =>
    appendAuditEntry(transaction, context.resources.auditKeys, { ...who, ...what, before: null, after }, now()),
  );
  return email;
}
