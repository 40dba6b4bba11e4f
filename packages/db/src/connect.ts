import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { PrismaClient } from './generated/client.ts';
import type { Hint } from './job-payloads.ts';
import { openSnapshots, type Snapshots } from './snapshots.ts';

/** Access to PostgreSQL: Prisma for most queries, prepared statements on the same pool for the few hot ones. */
export interface Database extends Pick<Snapshots, 'inSnapshot'> {
  readonly prisma: PrismaClient;
  readonly pool: pg.Pool;
  /** A few connections for statements over many rows, planned by indexes: see {@link PLAN_BY_INDEX}. */
  readonly batches: pg.Pool;
  /** True once it is known that statements may hold rows of several merchants. */
  readonly rowsShareANode: () => boolean;
  /** Does what a hint says in this process, in place of others; false where it cannot. */
  takeHint?: ((hint: Hint) => boolean) | undefined;
  /** Work that {@link Database.close} waits for before it ends the connections. */
  beforeClose(finish: () => Promise<void>): void;
  /** Waits for work under way and ends the connections. */
  close(): Promise<void>;
}

/** How to connect to one PostgreSQL server. */
export interface DatabaseOptions {
  readonly url: string;
  readonly maxConnections?: number;
  /** How long a query waits for a connection, in milliseconds. */
  readonly acquireTimeoutMs?: number;
  /** Called for connections that broke while idle; the pool replaces them by itself. */
  readonly onIdleError?: (error: Error) => void;
  /** Called with each new connection. */
  readonly onConnection?: ((connection: pg.PoolClient) => void) | undefined;
}

const ACQUIRE_TIMEOUT_MS = 2_000;
const STATEMENT_TIMEOUT_MS = 10_000;
/** Longer than the server's own limit: this ends only connections that no longer answer. */
const ANSWER_TIMEOUT_MS = 12_000;

/**
 * Gateways are called once a commit is acknowledged, so commits must be durable whatever the server's default. A stricter default,
 * which waits for standbys, stays.
 */
const COMMIT_DURABLY = "SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'";

/**
 * A prepared statement keeps the plan of its first executions. Made while a table is still small, that plan would read the whole
 * table for the rows of a batch, and go on doing so for as long as it takes the server to analyse the grown table. Without
 * materialized inner sides a nested loop goes by an index too.
 */
const PLAN_BY_INDEX = `SELECT set_config(name, 'off', false) FROM unnest(ARRAY['enable_seqscan', 'enable_hashjoin', 'enable_mergejoin', 'enable_material', 'enable_bitmapscan']) AS name`;

const BATCH_CONNECTIONS = 6;

/** Opens the pools; connects on first use. */
export function openDatabase(options: DatabaseOptions): Database {
  const pool = openPool(options, options.maxConnections ?? 16, [COMMIT_DURABLY]);
  const batches = openPool(options, BATCH_CONNECTIONS, [COMMIT_DURABLY, PLAN_BY_INDEX]);
  const prisma = new PrismaClient({
    adapter: new PrismaPg(pool, { disposeExternalPool: false }),
    errorFormat: 'minimal',
    // A transaction waits for its connection as long as a query does.
    transactionOptions: { maxWait: options.acquireTimeoutMs ?? ACQUIRE_TIMEOUT_MS },
  });
  const snapshots = openSnapshots((max) => openPool(options, max, []));
  const rowsShareANode = watchRowsShareANode(pool);
  const finishers: (() => Promise<void>)[] = [];
  return {
    prisma,
    pool,
    batches,
    inSnapshot: snapshots.inSnapshot,
    rowsShareANode,
    beforeClose: (finish) => void finishers.push(finish),
    async close() {
      await Promise.all(finishers.map((finish) => finish()));
      await prisma.$disconnect();
      await Promise.all([pool.end(), batches.end(), snapshots.close()]);
    },
  };
}

/** A pool whose connections begin with these statements. */
function openPool(
  { url, acquireTimeoutMs = ACQUIRE_TIMEOUT_MS, onIdleError, onConnection }: DatabaseOptions,
  max: number,
  begin: readonly string[],
): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max,
    connectionTimeoutMillis: acquireTimeoutMs,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    query_timeout: ANSWER_TIMEOUT_MS,
    keepAlive: true,
    idle_in_transaction_session_timeout: STATEMENT_TIMEOUT_MS,
    application_name: 'switchyard',
    onConnect: async (client) => {
      for (const statement of begin) await client.query(statement);
    },
  });
  // Without a listener a broken idle connection would end the process.
  pool.on('error', (error) => onIdleError?.(error));
  pool.on('connect', (client) => {
    client.on('error', (error) => onIdleError?.(error));
    onConnection?.(client);
  });
  return pool;
}

/**
 * Asks the database once whether rows of several merchants share a node. False until it has answered: statements of one merchant each are
 * right in any case, and only dearer.
 */
function watchRowsShareANode(pool: pg.Pool): () => boolean {
  let answer: boolean | undefined;
  let isReading = false;

  async function read(): Promise<void> {
    const { rows } = await pool.query<{ answer: boolean }>('SELECT rows_share_a_node() AS answer');
    answer = rows[0]?.answer;
  }

  return () => {
    if (answer === undefined && !isReading) {
      isReading = true;
      // Without an answer the next statement asks again, which fails for the same reason.
      read()
        .catch(() => undefined)
        .finally(() => {
          isReading = false;
        });
    }
    return answer ?? false;
  };
}
