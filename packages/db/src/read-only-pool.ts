import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { PrismaClient } from './generated/client.ts';

interface ReadOptions {
  readonly signal?: AbortSignal;
  /** Each statement is a snapshot by itself: saves going to the database to begin one for all and to end it. */
  readonly single?: boolean;
}

/** Where reports are read: connections of their own, that can change nothing and take no longer than they may. */
export interface Reports {
  /** The models, for reading. */
  readonly prisma: PrismaClient;
  /** Runs questions in one read-only snapshot. Throws when they take longer than the limit, or `signal` says to give up. */
  read<T>(questions: (client: pg.PoolClient) => Promise<T>, options?: ReadOptions): Promise<T>;
  close(): Promise<void>;
}

const STATEMENT_TIMEOUT_MS = 10_000;
const CONNECTIONS = 4;

/** Opens the pool for reports, on a replica where there is one; connects on first use. */
export function openReports(options: { readonly url: string; readonly onIdleError: (error: Error) => void }): Reports {
  const pool = new pg.Pool({
    connectionString: options.url,
    max: CONNECTIONS,
    connectionTimeoutMillis: 5_000,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    idle_in_transaction_session_timeout: STATEMENT_TIMEOUT_MS,
    // Compiling a question takes longer than most of them; sorting on disk longer than in memory. One question keeps to one processor.
    options:
      '-c default_transaction_read_only=on -c jit=off -c work_mem=32MB -c timezone=UTC -c datestyle=ISO -c max_parallel_workers_per_gather=0',
    application_name: 'switchyard reports',
  });
  pool.on('error', options.onIdleError);
  pool.on('connect', (client) => client.on('error', options.onIdleError));
  const prisma = new PrismaClient({ adapter: new PrismaPg(pool, { disposeExternalPool: false }), errorFormat: 'minimal' });
  return {
    prisma,
    async read(questions, { signal, single = false } = {}) {
      signal?.throwIfAborted();
      const client = await pool.connect();
      let [cancelling, answered]: [Promise<void> | null, boolean] = [null, false];
      const cancel = () => {
        cancelling = cancelQuery(options.url, client);
      };
      try {
        signal?.addEventListener('abort', cancel, { once: true });
        if (!single) await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
        const answer = await questions(client);
        answered = true;
        return answer;
      } finally {
        signal?.removeEventListener('abort', cancel);
        // What was given up half-way would stand before whatever is asked next.
        const ended = answered && (single || (await endsWell(client)));
        // What is told to stop late must not stop whoever has the connection next.
        await cancelling;
        client.release(!ended || cancelling !== null);
      }
    },
    async close() {
      await prisma.$disconnect();
      await pool.end();
    },
  };
}

async function endsWell(client: pg.PoolClient): Promise<boolean> {
  return client.query('COMMIT').then(
    () => true,
    () => false,
  );
}

/** Ends what a connection is doing, from another one; the connection itself stays. */
async function cancelQuery(url: string, client: pg.PoolClient): Promise<void> {
  if (!('processID' in client) || typeof client.processID !== 'number') return;
  const other = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 });
  try {
    await other.connect();
    await other.query('SELECT pg_cancel_backend($1)', [client.processID]);
  } catch {
    // The statement's own limit ends it.
  } finally {
    await other.end().catch(() => undefined);
  }
}
