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

/** Whether an error means that the database cannot be reached at present, as opposed to a mistake in a statement. */
export function isDatabaseUnavailable(error: unknown): boolean {
  let cause = error;
  for (let depth = 0; typeof cause === 'object' && cause !== null && depth < CAUSES_MAX; depth++) {
    if (codesOf(cause).some((code) => UNAVAILABLE_CODES.has(code) || code.startsWith('08'))) return true;
    if (cause instanceof Error && UNAVAILABLE_MESSAGE.test(cause.message)) return true;
    if ('errors' in cause && Array.isArray(cause.errors) && cause.errors.some(isDatabaseUnavailable)) return true;
    cause = 'cause' in cause ? cause.cause : undefined;
  }
  return false;
}

/** When a commit fails, Prisma throws an error whose cause is a plain object with PostgreSQL's code. */
function codesOf(cause: object): string[] {
  return [...('code' in cause ? [String(cause.code)] : []), ...('originalCode' in cause ? [String(cause.originalCode)] : [])];
}
