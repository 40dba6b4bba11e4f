import { AsyncLocalStorage } from 'node:async_hooks';
import { type Database, NIL_ID } from '@switchyard/db';
import { appendAuditEntry } from '@switchyard/db/audit';
import type { Prisma } from '@switchyard/db/client';
import type { StaffContext } from '../context.ts';
import { endTokensOf } from '../machine-tokens/queries.ts';
import type { StaffSession } from '../sessions/staff-session.ts';

/*
 * Staff users change their own sign-in through the library, which writes by itself. The library is given a client that joins the
 * current transaction, so its write and our audit row commit or roll back together.
 */

const underWay = new AsyncLocalStorage<Prisma.TransactionClient>();

/** A client that writes into the transaction of {@link auditedChange} where one is open. */
export function transactionOr(prisma: Database['prisma']): Database['prisma'] {
  return new Proxy(prisma, { get: (target, name) => Reflect.get(underWay.getStore() ?? target, name) });
}

/** Library paths that change how a staff user signs in, with their audit actions. */
const ACTIONS: Readonly<Record<string, string>> = {
  '/two-factor/verify-totp': 'staff.two_factor_enabled',
  '/two-factor/disable': 'staff.two_factor_disabled',
  '/two-factor/generate-backup-codes': 'staff.backup_codes_renewed',
  '/change-password': 'staff.password_changed',
};

const TRANSACTION_OPTIONS = { timeout: 10_000 };

/** Runs the library; when it changes how this staff user signs in, the change and its audit row are one transaction. */
export async function auditedChange(
  context: StaffContext,
  { path, session }: { readonly path: string; readonly session: StaffSession | null },
  answer: () => Promise<Response>,
): Promise<Response> {
  const action = ACTIONS[path];
  // Verifying a code again changes nothing.
  const isChange = session !== null && (path !== '/two-factor/verify-totp' || !session.twoFactorEnabled);
  if (action === undefined || !isChange) return answer();
  return context.resources.database.prisma.$transaction(async (transaction) => {
    const response = await underWay.run(transaction, answer);
    if (!response.ok) return response;
    const { staffId } = session;
    const who = { tenantId: NIL_ID, entryId: context.newId(), actor: `staff:${staffId}` };
    const what = { action, objectType: 'staff', objectId: staffId, before: null };
    const after = path === '/change-password' ? await revokeTokens(context, transaction, staffId) : null;
    await appendAuditEntry(transaction, context.resources.auditKeys, { ...who, ...what, after }, context.now());
    return response;
  }, TRANSACTION_OPTIONS);
}

/** A new password ends whatever was issued under the old one. */
async function revokeTokens(context: StaffContext, transaction: Prisma.TransactionClient, staffId: string) {
  const revoked = { revokedAt: context.now(), revokedBy: `staff:${staffId}` };
  return { tokensRevoked: await endTokensOf(transaction, staffId, revoked) };
}
