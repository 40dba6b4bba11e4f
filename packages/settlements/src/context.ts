import { createHash } from 'node:crypto';
import type { Prisma } from '@switchyard/db/client';
import type { RuntimeContext } from '@switchyard/runtime';

/** Dependencies of the use cases of settlements. */
export interface SettlementContext extends RuntimeContext<'auditKeys' | 'configuration' | 'database' | 'openAccount'> {
  /** Called with errors of background work that no caller waits for. */
  readonly onError: (error: unknown, doing: string) => void;
  /** True if all that is done will be undone, and is to be seen by nothing else. */
  readonly isRehearsal?: boolean;
}

/** An account of a merchant. */
export interface AccountKey {
  readonly merchantId: string;
  readonly accountId: string;
}

/** Limits of a transaction that changes all that a file brought. */
export const FILE_TRANSACTION = { timeout: 120_000, maxWait: 10_000 } as const;

/**
 * Lets a transaction be idle between its statements for as long as it may take: what 100,000 rows change is computed meanwhile, which takes a
 * busy machine longer than requests may let a connection wait.
 */
export async function allowComputing(transaction: Pick<Prisma.TransactionClient, '$executeRaw'>): Promise<void> {
  await transaction.$executeRaw`SELECT set_config('idle_in_transaction_session_timeout', ${String(FILE_TRANSACTION.timeout)}, true)`;
}

/** SHA-256, hexadecimal. */
export function sha256(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}
