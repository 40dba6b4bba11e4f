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
const AWAY_MESSAGE =
  /timeout exceeded when trying to connect|Can't reach database server|Query read timeout|Connection terminated|Client has encountered a connection error|Code: `57P0[123]`/i;

/** Whether an error says that the database cannot be reached just now, as opposed to a mistake in a statement. */
export function isDatabaseAway(error: unknown): boolean {
  for (let cause = error, depth = 0; cause instanceof Error && depth < 5; cause = cause.cause, depth++) {
    const code = 'code' in cause ? String(cause.code) : '';
    if (AWAY_CODES.has(code) || code.startsWith('08') || AWAY_MESSAGE.test(cause.message)) return true;
    if ('errors' in cause && Array.isArray(cause.errors) && cause.errors.some(isDatabaseAway)) return true;
  }
  return false;
}
