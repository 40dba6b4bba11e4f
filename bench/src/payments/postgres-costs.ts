import type pg from 'pg';
import { z } from 'zod';

/** Counters of the server so far. */
export interface PostgresCounts {
  /** Bytes of write-ahead log. */
  readonly walBytes: number;
  /** Where the log has come to. */
  readonly walPosition: string;
  /** Transactions that wrote something: each waits for the disk once. */
  readonly commits: number;
  readonly statements: ReadonlyMap<string, StatementCount>;
}

interface StatementCount {
  readonly text: string;
  readonly calls: number;
  readonly ms: number;
  readonly walBytes: number;
}

/** Work of the server for each operation, on average. */
export interface PostgresCosts {
  readonly walBytes: number;
  /** Bytes of images of whole pages among them, of which each page needs one after a checkpoint; null when that part of the log is gone. */
  readonly walPageBytes: number | null;
  readonly commits: number;
  /** Statements that clients sent; what triggers run is not counted. */
  readonly statements: number;
  /** Those that took the most time. */
  readonly longest: readonly StatementCost[];
}

export interface StatementCost {
  readonly text: string;
  readonly calls: number;
  /** Milliseconds that the server took, waiting included. */
  readonly ms: number;
  readonly walBytes: number;
}

const LONGEST = 8;
const TEXT_LENGTH = 160;

const countsSchema = z.object({ wal: z.coerce.number(), position: z.string(), xid: z.coerce.number() });
const statementSchema = z.object({
  id: z.string(),
  text: z.string(),
  calls: z.coerce.number(),
  ms: z.number(),
  wal: z.coerce.number(),
});

/**
 * Reads the server's counters. `pg_stat_statements` must be loaded; transactions are counted by the ids that the server gave out,
 * because `pg_stat_database` counts them up to a second late.
 */
export async function readPostgresCounts(pool: pg.Pool): Promise<PostgresCounts> {
  const counts = await pool.query(
    `SELECT pg_wal_lsn_diff(position, '0/0') AS wal, position::text, pg_snapshot_xmax(pg_current_snapshot())::text AS xid
    FROM pg_current_wal_insert_lsn() AS position`,
  );
  const { wal, position, xid } = countsSchema.parse(counts.rows[0]);
  const { rows } = await pool.query(
    `SELECT queryid::text || '/' || userid || '/' || toplevel AS id, left(query, ${TEXT_LENGTH}) AS text, calls, total_exec_time AS ms,
      wal_bytes AS wal
    FROM pg_stat_statements WHERE dbid = (SELECT oid FROM pg_database WHERE datname = current_database())`,
  );
  const statements = new Map(
    z
      .array(statementSchema)
      .parse(rows)
      .map(({ id, wal: walBytes, ...rest }) => [id, { ...rest, walBytes }]),
  );
  return { walBytes: wal, walPosition: position, commits: xid, statements };
}

/** Bytes of page images that were written to the log between two readings. `pg_walinspect` must be there. */
export async function readPageBytes(pool: pg.Pool, before: PostgresCounts, after: PostgresCounts): Promise<number | null> {
  try {
    const { rows } = await pool.query<{ bytes: string | null }>(
      'SELECT sum(fpi_size) AS bytes FROM pg_get_wal_stats($1, least($2::pg_lsn, pg_current_wal_flush_lsn()))',
      [before.walPosition, after.walPosition],
    );
    return Number(rows[0]?.bytes ?? 0);
  } catch {
    return null; // removed by a checkpoint meanwhile
  }
}

/** The costs of each of so many operations, done between two readings. */
export function costsBetween(
  before: PostgresCounts,
  after: PostgresCounts,
  pageBytes: number | null,
  operations: number,
): PostgresCosts {
  const costs: StatementCost[] = [];
  for (const [id, { text, calls, ms, walBytes }] of after.statements) {
    const earlier = before.statements.get(id) ?? { calls: 0, ms: 0, walBytes: 0 };
    if (calls === earlier.calls) continue;
    costs.push({
      text: text.replaceAll(/\s+/g, ' ').trim(),
      calls: (calls - earlier.calls) / operations,
      ms: (ms - earlier.ms) / operations,
      walBytes: (walBytes - earlier.walBytes) / operations,
    });
  }
  costs.sort((one, other) => other.ms - one.ms);
  return {
    walBytes: (after.walBytes - before.walBytes) / operations,
    walPageBytes: pageBytes === null ? null : pageBytes / operations,
    commits: (after.commits - before.commits) / operations,
    statements: costs.reduce((sum, { calls }) => sum + calls, 0),
    longest: costs.slice(0, LONGEST),
  };
}
