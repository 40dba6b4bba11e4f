import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { errorCode, Problem } from '../bootstrap/problem.mjs';
import { withConnection } from '../stack/database.ts';
import type { BackupFolder } from './folder.ts';

const INSUFFICIENT_PRIVILEGE = '42501';
/** A segment that is handed on wakes the archiver, which tries three times, a second apart. */
const TRIES = 20;
const TRY_MS = 500;

/**
 * Has the server write into the folder of the log, as it will when it archives. Throws a Problem with what its account met where it cannot;
 * proves nothing for a role that may not run programs there.
 */
export async function checkWritable(client: pg.Client, { wal }: BackupFolder): Promise<void> {
  const probe = `${wal}/.written-by-the-server`;
  try {
    // The path is plain: it needs no quotes of its own.
    await client.query(`COPY (SELECT 1) TO PROGRAM 'cat > ${probe} && rm ${probe}'`);
  } catch (error) {
    if (errorCode(error) === INSUFFICIENT_PRIVILEGE) return;
    throw new Problem(`The server cannot write into ${wal}: ${meant(error)}`, [
      `Its account has to own ${wal}, and to be let through every folder above it (chmod o+x).`,
    ]);
  }
}

/** The program's own message, else the server's about it. */
function meant(error: unknown): string {
  const { message = 'unknown', detail } = error instanceof Error ? { message: error.message, ...detailOf(error) } : {};
  return detail ?? message;
}

function detailOf(error: Error): { readonly detail?: string } {
  return 'detail' in error && typeof error.detail === 'string' ? { detail: error.detail } : {};
}

interface Archiver {
  readonly segment: string | null;
  readonly failing: boolean;
}

/** Throws a Problem where the last segment could not be archived, and cannot now either. */
export async function checkArchiver(client: pg.Client): Promise<void> {
  let archiver = await readArchiver(client);
  if (!archiver.failing) return;
  // The cause may be gone since: a segment that is handed on is tried at once.
  await client.query("SELECT pg_logical_emit_message(true, 'backup', 'so that there is something to archive')");
  await client.query('SELECT pg_switch_wal()');
  for (let tries = 0; archiver.failing && tries < TRIES; tries += 1) {
    await pause(TRY_MS);
    archiver = await readArchiver(client);
  }
  if (!archiver.failing) return;
  throw new Problem(
    `The server fails to archive its log, at ${archiver.segment ?? 'the first segment'}: a base backup could not end.`,
    [
      "The server's log says what its archive_command met; backups archive sets the command.",
      'SELECT last_failed_wal, last_failed_time FROM pg_stat_archiver',
    ],
  );
}

async function readArchiver(client: pg.Client): Promise<Archiver> {
  const { rows } = await client.query<Archiver>(
    `SELECT last_failed_wal AS segment, last_failed_time > coalesce(last_archived_time, '-infinity') IS TRUE AS failing
     FROM pg_stat_archiver`,
  );
  return rows[0] ?? { segment: null, failing: false };
}

/** Contents of a restored copy, compared with the request. */
export interface Findings {
  readonly payments: number;
  readonly newestPaymentAt: Date | null;
  /** When the last transaction was committed that the copy has. */
  readonly lastCommitAt: Date | null;
  /** Why the copy is not what was asked for; empty when it is. */
  readonly problems: readonly string[];
}

/** The requested moment and timeline, and the timelines that the copy came from. */
export interface Expected {
  readonly to: Date | null;
  readonly timeline: number;
  readonly ancestors: readonly number[];
  /** No longer than this without a payment is usual. */
  readonly quietMs: number;
}

/** The application's clock gives a payment its time, the database's a commit. */
const CLOCKS_DIFFER_MS = 5_000;

/** Compares a restored copy with the moment and the timeline that were asked for. */
export async function checkCopy(url: string, expected: Expected): Promise<Findings> {
  const { rows } = await withConnection(url, (client) =>
    client.query<{ payments: number; newest: Date | null; committed: Date | null }>(
      `SELECT count(*)::int AS payments, max(created_at) AS newest, pg_last_xact_replay_timestamp() AS committed FROM payment`,
    ),
  );
  const { payments = 0, newest = null, committed = null } = rows[0] ?? {};
  const found = { payments, newestPaymentAt: newest, lastCommitAt: committed };
  return { ...found, problems: [...timelineProblems(expected), ...paymentProblems(newest, expected, committed)] };
}

function timelineProblems({ timeline, ancestors }: Expected): string[] {
  const left = ancestors.at(-1);
  if (left === timeline) return [];
  return [`The copy came from timeline ${left ?? 'none'} and not from ${timeline}: it holds another history.`];
}

function paymentProblems(newest: Date | null, { to, quietMs }: Expected, committed: Date | null): string[] {
  if (newest === null) return ['The copy has no payment.'];
  const until = to ?? committed;
  if (until === null) return [];
  const behindMs = until.getTime() - newest.getTime();
  if (behindMs < -CLOCKS_DIFFER_MS)
    return [`The newest payment, of ${newest.toISOString()}, is from after ${until.toISOString()}.`];
  if (behindMs <= quietMs) return [];
  const minutes = Math.round(behindMs / 60_000);
  return [
    `The newest payment, of ${newest.toISOString()}, is from ${minutes} minutes before ${until.toISOString()}: ` +
      'payments in between are missing, unless there were none (then say so by --quiet-minutes).',
  ];
}
