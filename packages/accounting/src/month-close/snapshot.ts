import { type Database, isWriteConflict } from '@switchyard/db';
import { Prisma } from '@switchyard/db/client';

/** A month can hold millions of amounts. */
const LIMITS = { timeout: 300_000, maxWait: 10_000, isolationLevel: Prisma.TransactionIsolationLevel.RepeatableRead };
const TRIES_MAX = 5;

/** Runs a transaction whose reads share one snapshot. Where its writes met others of the merchant it runs again: the audit chain has one end. */
export async function inSnapshot<Result>(
  { prisma }: Database,
  work: (transaction: Prisma.TransactionClient) => Promise<Result>,
): Promise<Result> {
  for (let tried = 1; ; tried += 1) {
    try {
      return await prisma.$transaction(work, LIMITS);
    } catch (error) {
      if (tried === TRIES_MAX || !isWriteConflict(error)) throw error;
    }
  }
}

/** True if a row with the same unique key was stored meanwhile. */
export function isTaken(error: unknown): boolean {
  return error instanceof Prisma.PrismaClientKnownRequestError && error.code === 'P2002' && !isWriteConflict(error);
}
