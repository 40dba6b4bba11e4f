const UNAVAILABLE_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  '57P01',
  '57P02',
  '57P03',
  '53300',
  '25006',
  'P1001',
  'P1002',
  'P1008',
  'P1017',
  'P2024',
  'P2028',
  'P2037',
]);
const CAUSES_MAX = 5;
const UNAVAILABLE_MESSAGE =
  /timeout exceeded when trying to connect|Can't reach database server|Query read timeout|Connection terminated|Server has closed the connection|Client has encountered a connection error|Code: `57P0[123]`/i;

/** The server ended a statement whose time was up. Nothing of it was stored. */
const STATEMENT_TIMEOUT = '57014';
const STATEMENT_TIMEOUT_MESSAGE = /canceling statement due to statement timeout|Code: `57014`/;

/** True if an error means that the database cannot be reached at present, as opposed to a mistake in a statement. */
export function isDatabaseUnavailable(error: unknown): boolean {
  return hasCause(
    error,
    (cause) =>
      codesOf(cause).some((code) => UNAVAILABLE_CODES.has(code) || code.startsWith('08')) ||
      (cause instanceof Error && UNAVAILABLE_MESSAGE.test(cause.message)),
  );
}

/**
 * True if an error means that the database could not do the work in time, unavailable or overloaded, and that the same may
 * succeed later. For work whose statements are short by themselves: the time of a report may always be up.
 */
export function isDatabaseTimeout(error: unknown): boolean {
  const isTimeout = (cause: object): boolean =>
    codesOf(cause).includes(STATEMENT_TIMEOUT) || (cause instanceof Error && STATEMENT_TIMEOUT_MESSAGE.test(cause.message));
  return isDatabaseUnavailable(error) || hasCause(error, isTimeout);
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
  return [...('code' in cause ? [String(cause.code)] : []), ...('originalCode' in cause ? [String(cause.originalCode)] : [])];
}
