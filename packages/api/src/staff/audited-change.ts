import { AsyncLocalStorage } from 'node:async_hooks';
import { appendAuditEntry, type Database, NIL_ID } from '@switchyard/db';
import type { Prisma } from '@switchyard/db/client';
import type { MerchantsContext } from '@switchyard/merchants';
import type { StaffSession } from './staff-session.ts';

/*
 * People change their own sign-in through the library, which writes by itself. So that its writing and our audit row stand or fall
 * together, it is given a client that is the transaction while one is under way.
 */

const underWay = new AsyncLocalStorage<Prisma.TransactionClient>();

/** A client that writes into the transaction of {@link auditedChange} where there is one. */
export function transactionOr(prisma: Database['prisma']): Database['prisma'] {
  return new Proxy(prisma, { get: (target, name) => Reflect.get(underWay.getStore() ?? target, name) });
}

/** What of the library's paths changes how a person signs in, as the audit log calls it. */
const ACTIONS: Readonly<Record<string, string>> = {
  '/two-factor/verify-totp': 'staff.two_factor_enabled',
  '/two-factor/disable': 'staff.two_factor_disabled',
  '/two-factor/generate-backup-codes': 'staff.backup_codes_renewed',
  '/change-password': 'staff.password_changed',
};

const PATIENCE = { timeout: 10_000 };

/** Lets the library answer; when that changes how this person signs in, the change and its audit row are one transaction. */
export async function auditedChange(
  context: MerchantsContext,
  { path, session }: { readonly path: string; readonly session: StaffSession | null },
  answer: () => Promise<Response>,
): Promise<Response> {
  const action = ACTIONS[path];
  // A code checked again changes nothing.
  const isChange = session !== null && (path !== '/two-factor/verify-totp' || !session.twoFactorEnabled);
  if (action === undefined || !isChange) return answer();
  return context.resources.database.prisma.$transaction(async (transaction) => {
    const response = await underWay.run(transaction, answer);
    if (!response.ok) return response;
    const { staffId } = session;
    const who = { tenantId: NIL_ID, entryId: context.newId(), actor: `staff:${staffId}` };
    const what = { action, objectType: 'staff', objectId: staffId, before: null, after: null };
    await appendAuditEntry(transaction, { ...who, ...what }, context.now());
    return response;
  }, PATIENCE);
}
