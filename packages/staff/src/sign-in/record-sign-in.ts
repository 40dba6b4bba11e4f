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

const signedInSchema = z.object({ token: z.string(), user: z.object({ id: z.uuid() }) });

/**
 * Writes the audit entry of a sign-in from a network address when the library's response is a success. Sign-in fails when the entry
 * cannot be written.
 */
export async function recordSignIn(
  context: StaffContext,
  { path, address }: { readonly path: string; readonly address: string | null },
  response: Response,
): Promise<Response> {
  const way = WAYS[path];
  if (way === undefined || !response.ok) return response;
  const signedIn = signedInSchema.safeParse(await response.clone().json());
  if (!signedIn.success) return response;
  const { id: staffId } = signedIn.data.user;
  const { now, newId } = context;
  const who = { tenantId: NIL_ID, entryId: newId(), actor: `staff:${staffId}` };
  const what = { action: 'staff.signed_in', objectType: 'staff', objectId: staffId };
  const after = { with: way, address };
  await context.resources.database.prisma.$transaction((transaction) =>
    appendAuditEntry(transaction, context.resources.auditKeys, { ...who, ...what, before: null, after }, now()),
  );
  return response;
}
