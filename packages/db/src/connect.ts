import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { PrismaClient } from './generated/client.ts';

/** The one way to PostgreSQL: Prisma for most questions, prepared statements on the same pool for the few hot ones. */
export interface Database {
  readonly prisma: PrismaClient;
  readonly pool: pg.Pool;
  close(): Promise<void>;
}

export interface DatabaseOptions {
  readonly url: string;
  readonly maxConnections?: number;
  /** Told of connections that broke while idle; the pool replaces them by itself. */
  readonly onIdleError?: (error: Error) => void;
}

const ACQUIRE_TIMEOUT_MS = 2_000;
const STATEMENT_TIMEOUT_MS = 10_000;
/** Past the server's own limit: only a connection that has gone silent is given up by this. */
const ANSWER_TIMEOUT_MS = 12_000;

/**
 * A gateway is called on the strength of what the server says is committed, so a commit has to be written before it is answered,
 * whatever the server's default. A stricter default, which waits for standbys, stays.
 */
const COMMIT_DURABLY = "SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'";

/** Opens the pool; connects on first use. */
export function openDatabase(options: DatabaseOptions): Database {
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.maxConnections ?? 16,
    connectionTimeoutMillis: ACQUIRE_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    query_timeout: ANSWER_TIMEOUT_MS,
    keepAlive: true,
    idle_in_transaction_session_timeout: STATEMENT_TIMEOUT_MS,
    application_name: 'switchyard',
    onConnect: async (client) => {
      await client.query(COMMIT_DURABLY);
    },
  });
  // Without a listener a broken idle connection would end the process.
  pool.on('error', (error) => options.onIdleError?.(error));
  pool.on('connect', (client) => client.on('error', (error) => options.onIdleError?.(error)));
  const prisma = new PrismaClient({ adapter: new PrismaPg(pool, { disposeExternalPool: false }), errorFormat: 'minimal' });
  return {
    prisma,
    pool,
    async close() {
      await prisma.$disconnect();
      await pool.end();
    },
  };
}

const AWAY_CODES = new Set([
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
const AWAY_MESSAGE =
  /timeout exceeded when trying to connect|Can't reach database server|Query read timeout|Connection terminated|Client has encountered a connection error|Code: `57P0[123]`/i;

/** Whether an error says that the database cannot be reached just now, as opposed to a mistake in a statement. */
export function isDatabaseAway(error: unknown): boolean {
  let cause = error;
  for (let depth = 0; typeof cause === 'object' && cause !== null && depth < CAUSES_MAX; depth++) {
    if (codesOf(cause).some((code) => AWAY_CODES.has(code) || code.startsWith('08'))) return true;
    if (cause instanceof Error && AWAY_MESSAGE.test(cause.message)) return true;
    if ('errors' in cause && Array.isArray(cause.errors) && cause.errors.some(isDatabaseAway)) return true;
    cause = 'cause' in cause ? cause.cause : undefined;
  }
  return false;
}

/** PostgreSQL's own code lies in the cause of what Prisma throws when a transaction cannot commit, which is no error itself. */
function codesOf(cause: object): string[] {
  return [...('code' in cause ? [String(cause.code)] : []), ...('originalCode' in cause ? [String(cause.originalCode)] : [])];
}
