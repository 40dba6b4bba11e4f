import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { PrismaClient } from './generated/client.ts';
import { openSnapshots } from './snapshots.ts';

interface ReadOptions {
  readonly signal?: AbortSignal;
  /** True runs without a transaction, each statement in its own snapshot: saves two round trips for a single statement. */
  readonly single?: boolean;
}

/** Where reports read: all connections, or the one of a snapshot. */
export interface ReportsSource {
  /** The models, for reading. */
  readonly prisma: PrismaClient;
  readonly pool: pg.Pool;
  /** Runs queries in one read-only snapshot. Throws when a statement exceeds the time limit, or `signal` is aborted. */
  read<T>(runQueries: (client: pg.PoolClient) => Promise<T>, options?: ReadOptions): Promise<T>;
}

/** Read-only connections for reports, apart from the pool that payments use, with a time limit per statement. */
export interface Reports extends ReportsSource {
  /** Seconds by which a replica is behind its primary; 0 on the primary, and on a replica that has everything. */
  readLagSeconds(): Promise<number>;
  /** Runs reads of one snapshot, as {@link Snapshots.inSnapshot} says. */
  inSnapshot<T>(read: (reports: ReportsSource) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

interface ReportsOptions {
  readonly url: string;
  /** Wait for a connection, in milliseconds. */
  readonly acquireTimeoutMs?: number;
  readonly onIdleError: (error: Error) => void;
  /** Called with each new connection. */
  readonly onConnection?: ((connection: pg.PoolClient) => void) | undefined;
}

const ACQUIRE_TIMEOUT_MS = 5_000;
const STATEMENT_TIMEOUT_MS = 10_000;
const CONNECTIONS = 4;

// While nothing is written the last replayed transaction grows old, and nothing is missing.
const REPLICA_LAG = `
SELECT CASE WHEN NOT pg_is_in_recovery() OR pg_last_wal_receive_lsn() = pg_last_wal_replay_lsn() THEN 0
  ELSE greatest(0, coalesce(extract(epoch FROM now() - pg_last_xact_replay_timestamp()), 0)) END::float8 AS lag`;

/** Opens the pool for reports, on a replica where there is one; connects on first use. */
export function openReports(options: ReportsOptions): Reports {
  const { url } = options;
  const pool = openPool(options, CONNECTIONS);
  const prisma = new PrismaClient({ adapter: new PrismaPg(pool, { disposeExternalPool: false }), errorFormat: 'minimal' });
  const snapshots = openSnapshots((max) => openPool(options, max));
  return {
    prisma,
    pool,
    inSnapshot: (read) =>
      snapshots.inSnapshot((snapshot) =>
        read({
          ...snapshot,
          // The transaction of the snapshot is theirs too.
          read: (runQueries, options = {}) => readFrom({ pool: snapshot.pool, url }, runQueries, { ...options, single: true }),
        }),
      ),
    async readLagSeconds() {
      const { rows } = await pool.query<{ lag: number }>(REPLICA_LAG);
      return rows[0]?.lag ?? 0;
    },
    read: (runQueries, options = {}) => readFrom({ pool, url: url }, runQueries, options),
    async close() {
      await prisma.$disconnect();
      await Promise.all([pool.end(), snapshots.close()]);
    },
  };
}

function openPool(
  { url, acquireTimeoutMs = ACQUIRE_TIMEOUT_MS, onIdleError, onConnection }: ReportsOptions,
  max: number,
): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max,
    connectionTimeoutMillis: acquireTimeoutMs,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    idle_in_transaction_session_timeout: STATEMENT_TIMEOUT_MS,
    // JIT compilation takes longer than most of these queries run. Sorts fit in 32 MB. One query uses one processor.
    options:
      '-c default_transaction_read_only=on -c jit=off -c work_mem=32MB -c timezone=UTC -c datestyle=ISO -c max_parallel_workers_per_gather=0',
    application_name: 'switchyard reports',
  });
  pool.on('error', onIdleError);
  pool.on('connect', (client) => {
    client.on('error', onIdleError);
    onConnection?.(client);
  });
  return pool;
}

/** Runs queries on a connection of a pool, in a transaction unless they are `single`. */
async function readFrom<T>(
  { pool, url }: { readonly pool: pg.Pool; readonly url: string },
  runQueries: (client: pg.PoolClient) => Promise<T>,
  { signal, single = false }: ReadOptions,
): Promise<T> {
  signal?.throwIfAborted();
  const client = await pool.connect();
  let cancelling: Promise<void> | null = null;
  let hasAnswer = false;
  const cancel = () => {
    cancelling = cancelQuery(url, client);
  };
  try {
    signal?.addEventListener('abort', cancel, { once: true });
    if (!single) await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    const answer = await runQueries(client);
    hasAnswer = true;
    return answer;
  } finally {
    signal?.removeEventListener('abort', cancel);
    // A connection with an unfinished transaction must not return to the pool.
    const ended = hasAnswer && (single || (await tryCommit(client)));
    // A late cancellation must not hit the next user of the connection.
    await cancelling;
    client.release(!ended || cancelling !== null);
  }
}

async function tryCommit(client: pg.PoolClient): Promise<boolean> {
  return client.query('COMMIT').then(
    () => true,
    () => false,
  );
}

/** Cancels the running statement of a connection, from another one; the connection itself stays open. */
async function cancelQuery(url: string, client: pg.PoolClient): Promise<void> {
  if (!('processID' in client) || typeof client.processID !== 'number') return;
  const other = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 });
  try {
    await other.connect();
    await other.query('SELECT pg_cancel_backend($1::int)', [client.processID]);
  } catch {
    // The statement time-out ends it.
  } finally {
    await other.end().catch(() => undefined);
  }
}
