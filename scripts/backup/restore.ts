import { appendFileSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { reservePort } from '@switchyard/runtime/reserve-port';
import { lastLines, readText } from '../bootstrap/files.mjs';
import { Problem } from '../bootstrap/problem.mjs';
import { endProcess } from '../bootstrap/processes.mjs';
import { type Account, changeOwner } from '../stack/postgres-files.ts';
import { startProgram } from '../stack/programs.ts';
import {
  ancestorsInArchive,
  type BackupFolder,
  type BaseBackup,
  listBaseBackups,
  missingSegments,
  readAncestors,
  restoreCommand,
  timelinesAfter,
} from './folder.ts';

/** Source and target of a restore. */
export interface RestoreOptions {
  readonly backups: BackupFolder;
  /** The moment; null for everything that was archived. */
  readonly to: Date | null;
  /** The timeline to follow; null where there is one only. */
  readonly timeline: number | null;
  /** The data folder that is made. */
  readonly data: string;
  /** PostgreSQL's `postgres`, of the major version of the backup. */
  readonly program: string;
  /** The account to run it as; undefined for the current one. */
  readonly account: Account | undefined;
  readonly log: string;
}

/** A restored copy that takes connections on this machine. It archives nothing, so that the archive stays that of the original. */
export interface RestoredCopy {
  readonly port: number;
  /** The base backup that it began with. */
  readonly from: BaseBackup;
  /** The timeline that was asked for. */
  readonly timeline: number;
  /** Those that it went through, by its own record; the last one is to be the one asked for. */
  readonly ancestors: readonly number[];
  stop(): Promise<void>;
}

const STOP_SIGNALS = ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const;
const STOP_GRACE_MS = 60_000;
const READY_POLL_MS = 100;
const SHOWN_LINES = 8;
const MARK = '# Of the restore: may go once the server is in use, with archive_mode = off.';
/** They may name files that the copy does not have, or programs that it shall not start. */
const OF_THE_COPY = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  archive_mode: 'off',
  ssl: 'off',
  logging_collector: 'off',
  log_destination: 'stderr',
};

/**
 * Restores a data folder and starts a server on it. Resolves when the server has reached the moment and takes connections. Throws a
 * Problem when no backup serves, when the timeline has to be named, and when the log ends before the moment.
 */
export async function restore(options: RestoreOptions): Promise<RestoredCopy> {
  const { data, program, account, log } = options;
  const { from, timeline } = choose(options);
  if (existsSync(data) && readdirSync(data).length > 0) throw new Problem(`The folder is not empty: ${data}`);
  mkdirSync(data, { recursive: true, mode: 0o700 });
  cpSync(from.folder, data, { recursive: true });
  configure(options, timeline);
  changeOwner(data, account);
  const port = await reservePort();
  const flags = Object.entries({ ...OF_THE_COPY, port: String(port) }).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const env = { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' };
  const run = { command: program, args: ['-D', data, ...flags], cwd: '/', env, log, account, signals: STOP_SIGNALS };
  const server = startProgram({ ...run, graceMs: STOP_GRACE_MS });
  let hasEnded = false;
  void server.exited.then(() => {
    hasEnded = true;
  });
  while (!isReady(data)) {
    if (hasEnded) throw notRestored(log, options.to);
    await pause(READY_POLL_MS);
  }
  return {
    port,
    from,
    timeline,
    ancestors: ancestorsOf(data),
    stop: () => endProcess(server.process, STOP_SIGNALS, STOP_GRACE_MS),
  };
}

/** The newest base backup that was finished before the moment, on the timeline or one that it came from, and the timeline. */
function choose(options: RestoreOptions): { from: BaseBackup; timeline: number } {
  const { backups, to, timeline } = options;
  const line = timeline === null ? null : [timeline, ...(ancestorsInArchive(backups, timeline) ?? [])];
  const all = listBaseBackups(backups);
  const from = all.findLast((each) => (to === null || each.finishedAt < to) && (line?.includes(each.timeline) ?? true));
  if (from === undefined) {
    const known = all.map((each) => `${each.folder}: timeline ${each.timeline}, from ${each.finishedAt.toISOString()} on`);
    throw new Problem('No complete base backup was finished before that moment.', known.length > 0 ? known : ['There is none.']);
  }
  const later = timelinesAfter(backups, from.timeline);
  if (timeline === null && later.length > 0) {
    throw new Problem(
      `Name the timeline by --timeline: the log goes on from the backup on ${[from.timeline, ...later].join(', ')}.`,
      ['Every copy or standby that became the database began a timeline. The highest one is the database of today.'],
    );
  }
  const chosen = timeline ?? from.timeline;
  assertLogOf(chosen, options, from);
  return { from, timeline: chosen };
}

/**
 * Throws a Problem when a segment is missing where PostgreSQL would take that of an older timeline in its place and end on another
 * branch without an error, and, where everything is wanted, when any segment is missing before the last one.
 */
function assertLogOf(timeline: number, { backups, to }: RestoreOptions, from: BaseBackup): void {
  const missing = missingSegments(backups, from, timeline);
  const [first] = missing.filter(({ isInOlderTimeline }) => to === null || isInOlderTimeline);
  if (first === undefined) return;
  throw new Problem(
    `The log of timeline ${timeline} was not archived whole after the backup ${from.folder}: ${first.name} is missing.`,
    ['Restore from a base backup that was taken later, on that timeline, or to a moment before.'],
  );
}

/** In the file whose settings win. */
function configure({ backups, to, data }: RestoreOptions, timeline: number): void {
  const settings = {
    archive_mode: 'off',
    restore_command: restoreCommand(backups),
    recovery_target_timeline: String(timeline),
    ...(to !== null && { recovery_target_time: to.toISOString().replace('Z', '+00'), recovery_target_action: 'promote' }),
    // Connections are taken once the moment is reached, and settings need not be those of the original.
    hot_standby: 'off',
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name} = '${value.replaceAll("'", "''")}'`);
  appendFileSync(join(data, 'postgresql.auto.conf'), `${[MARK, ...lines].join('\n')}\n`);
  writeFileSync(join(data, 'recovery.signal'), '', { mode: 0o600 });
  // Debian keeps these outside of the data folder.
  const defaults = { 'postgresql.conf': '', 'pg_hba.conf': 'host all all 127.0.0.1/32 scram-sha-256\n', 'pg_ident.conf': '' };
  for (const [name, text] of Object.entries(defaults)) {
    if (!existsSync(join(data, name))) writeFileSync(join(data, name), text, { mode: 0o600 });
  }
}

/** Leaves the data folder as that of a server that archives nothing yet, and never recovers. */
export function forgetRestore(data: string): void {
  const file = join(data, 'postgresql.auto.conf');
  const [before = ''] = readFileSync(file, 'utf8').split(MARK);
  writeFileSync(file, `${before}archive_mode = 'off'\n`);
}

/** True once the server has promoted and takes connections, by what it notes in its lock file for `pg_ctl --wait`. */
function isReady(data: string): boolean {
  return readText(join(data, 'postmaster.pid'))?.split('\n')[7]?.trim() === 'ready';
}

function ancestorsOf(data: string): number[] {
  const histories = readdirSync(join(data, 'pg_wal')).filter((name) => name.endsWith('.history'));
  const newest = histories.toSorted().at(-1);
  return newest === undefined ? [] : readAncestors(readFileSync(join(data, 'pg_wal', newest), 'utf8'));
}

function notRestored(log: string, to: Date | null): Problem {
  const lines = lastLines(log, SHOWN_LINES);
  if (to !== null && lines.some((line) => line.includes('recovery ended before configured recovery target was reached'))) {
    return new Problem(`The log of this timeline ends before ${to.toISOString()}.`, [
      'Restore to an earlier moment, to another timeline, or to everything there is: --to latest',
      ...lines,
    ]);
  }
  return new Problem('The server did not restore.', [...lines, `Its log: ${log}`]);
}
