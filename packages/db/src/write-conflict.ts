import { Prisma } from './generated/client.ts';

/** True if a transaction of one snapshot met what another had written since: run again, it reads that too. */
export function isWriteConflict(error: unknown): boolean {
  if (!(error instanceof Prisma.PrismaClientKnownRequestError)) return false;
  const { code, meta, message } = error;
  if (code === 'P2034') return true;
  // Another continued the audit log: its end, as the snapshot has it, is taken.
  if (code === 'P2002') return meta?.modelName === 'AuditEntry';
  // A statement of the caller's own, with the server's code inside.
  return code === 'P2010' && /40001|could not serialize/.test(JSON.stringify([meta, message]));
}
