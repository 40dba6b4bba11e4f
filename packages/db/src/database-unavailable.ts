import type { Database } from './connect.ts';
import { Prisma } from './generated/client.ts';

const CAUSES_MAX = 5;

/** Error codes of the network and of Prisma. */
const UNAVAILABLE_CODE =
  /^(ECONNABORTED|ECONNREFUSED|ECONNRESET|EHOSTDOWN|EHOSTUNREACH|ENETDOWN|ENETUNREACH|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|P1001|P1002|P1008|P1017|P2024|P2028|P2037)$/;
/**
 * SQLSTATEs of a server that cannot do what it is asked now: connections (08), a server that goes, comes or is read-only after a failover
 * (57000, 57P, 25006), sessions that it ended (25P03, 25P04), resources that are used up, such as disk, memory and connections (53), and
 * faults of the system below it, such as input and output (58).
 */
const UNAVAILABLE_STATE = /^(08...|25006|25P0[34]|53...|57000|57P..|58...)$/;
const UNAVAILABLE_MESSAGE =
  /timeout exceeded when trying to connect|Can't reach database server|Query read timeout|Connection terminated|Server has closed the connection|Client has encountered a connection error|Client was closed and is not queryable|Cannot use a pool after calling end/i;

/**
 * SQLSTATEs of a statement that was not done in time, of which nothing was stored: its time was up, it would have waited for a lock, or it gave
 * way to another one.
 */
const LATE_STATE = /^(40001|40P01|55P03|57014)$/;
const LATE_CODE = 'P2034';
const LATE_MESSAGE = /canceling statement due to statement timeout/;

/** Prisma writes PostgreSQL's code into the message of its own error. */
const STATE_IN_MESSAGE = /Code: `([0-9A-Z]{5})`/;

/**
 * True if an error means that the database cannot be used at present: it cannot be reached, or has no room, memory or connection left. Not a
 * mistake in a statement.
 */
export function isDatabaseUnavailable(error: unknown): boolean {
  return hasCause(
    error,
    (cause) =>
      codesOf(cause).some((code) => UNAVAILABLE_CODE.test(code) || UNAVAILABLE_STATE.test(code)) ||
      (cause instanceof Error && UNAVAILABLE_MESSAGE.test(cause.message)),
  );
}

/**
 * True if an error means that the database could not do the work in time, unavailable or overloaded, and that the same may
 * succeed later. For work whose statements are short by themselves: the time of a report may always be up.
 */
export function isDatabaseTimeout(error: unknown): boolean {
  const isLate = (cause: object): boolean =>
    codesOf(cause).some((code) => code === LATE_CODE || LATE_STATE.test(code)) ||
    (cause instanceof Error && LATE_MESSAGE.test(cause.message));
  return isDatabaseUnavailable(error) || hasCause(error, isLate);
}

/** True if an error, its cause, or one of several that it holds is such a one. */
function hasCause(error: unknown, isSuch: (cause: object) => boolean): boolean {
  let cause = error;
  for (let depth = 0; typeof cause === 'object' && cause !== null && depth < CAUSES_MAX; depth++) {
    if (isSuch(cause)) return true;
    if ('errors' in cause && Array.isArray(cause.errors) && cause.errors.some((one) => hasCause(one, isSuch))) return true;
    cause = 'cause' in cause ? cause.cause : undefined;
  }
  return false;
}

/** When a commit fails, Prisma throws an error whose cause is a plain object with PostgreSQL's code. */
function codesOf(cause: object): string[] {
  const inMessage = cause instanceof Error ? STATE_IN_MESSAGE.exec(cause.message)?.[1] : undefined;
  return [
    ...('code' in cause ? [String(cause.code)] : []),
    ...('originalCode' in cause ? [String(cause.originalCode)] : []),
    ...(inMessage === undefined ? [] : [inMessage]),
  ];
}

/**
 * A fault of this installation: a wrong secret, a setting, an error in the program. Reported where others are, and logged as an error,
 * because no one outside can end it.
 */
export class OwnFaultError extends Error {
  override readonly name: string = 'OwnFaultError';
}

/**
 * Something that this process cannot do or find out, through a fault of ours, and that a later try or another process may: callers hear
 * that it is unavailable, and never what it might have found.
 */
export class UnavailableError extends OwnFaultError {
  override readonly name: string = 'UnavailableError';
}

/** The result of work, or null where it is unavailable. For choosing among ways to do something, never for saying what one of them knows. */
export function unlessUnavailable<Result>(work: () => Result): Result | null {
  try {
    return work();
  } catch (error) {
    if (error instanceof UnavailableError) return null;
    throw error;
  }
}

/** True if a short piece of work may succeed later: the database cannot be used or was late, or a fault of ours is in the way. */
export function isUnavailable(error: unknown): boolean {
  return isDatabaseTimeout(error) || isOwnUnavailability(error);
}

/** True if an error, or its cause, is an {@link UnavailableError}. */
export function isOwnUnavailability(error: unknown): boolean {
  return (
    error instanceof UnavailableError || (error instanceof Error && error.cause !== undefined && isOwnUnavailability(error.cause))
  );
}

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

/** Resolves when the database answers; rejects like any query when it does not. */
export async function pingDatabase({ pool }: Pick<Database, 'pool'>): Promise<void> {
  await pool.query('SELECT 1');
}
