import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type pg from 'pg';
import { errorCode, Problem } from '../bootstrap/problem.mjs';
import { withConnection } from '../stack/database.ts';
import { checkArchiver, checkWritable } from './check-archive.ts';
import { archiveCommand, type BackupFolder, listBaseBackups, UNFINISHED } from './folder.ts';

/** Folders whose contents a server makes anew. They are copied empty ("Backing Up The Data Directory"). */
const EMPTIED = new Set([
  ...['pg_wal', 'pg_replslot', 'pg_dynshmem', 'pg_notify', 'pg_serial', 'pg_snapshots', 'pg_stat_tmp', 'pg_subtrans'],
]);
/** Files of the running server, or of an earlier backup. */
const LEFT_OUT = /^(postmaster\.(pid|opts)|backup_label.*|tablespace_map.*|backup_manifest|pgsql_tmp.*|pg_internal\.init.*)$/;
const CONTROL_FILE = join('global', 'pg_control');
/** The segments of the backup are archived within seconds, unless the command fails. */
const ARCHIVE_LIMIT_MS = 120_000;
const CANCELED = '57014';
const SHOW_ARCHIVER = 'SELECT last_failed_wal, last_failed_time FROM pg_stat_archiver';

/** Sets the server up to archive its log into a folder, within a minute at most. It does so from its next start on. */
export async function turnOnArchiving(url: string, backups: BackupFolder): Promise<void> {
  const settings = { archive_mode: 'on', archive_command: archiveCommand(backups), archive_timeout: '60s', log_timezone: 'UTC' };
  await withConnection(url, async (client) => {
    for (const [name, value] of Object.entries(settings)) {
      await client.query(`ALTER SYSTEM SET ${name} = ${client.escapeLiteral(value)}`);
    }
  });
}

/**
 * Adds the records of the server's timelines to the archive. PostgreSQL archives one at the promotion itself, when a copy archives
 * nothing yet; without it, nothing shows in the archive where the copy left the timeline before.
 */
export async function archiveHistories(url: string, { wal }: BackupFolder): Promise<void> {
  const { rows } = await withConnection(url, (client) =>
    client.query<{ name: string; text: string }>(
      "SELECT name, pg_read_file('pg_wal/' || name) AS text FROM pg_ls_waldir() WHERE name LIKE '%.history'",
    ),
  );
  for (const { name, text } of rows) {
    const file = join(wal, `${name}.gz`);
    if (!existsSync(file)) await writeFile(file, gzipSync(text), { mode: 0o600 });
  }
}

/**
 * Takes a base backup of a running server whose data folder is on this machine, by PostgreSQL's low-level API, which needs none of
 * its programs. Resolves with its folder, once everything that it needs is archived. Throws a Problem when the server does not
 * archive, cannot write into the archive, or its data folder cannot be read from here.
 */
export async function takeBaseBackup(url: string, backups: BackupFolder, now: Date): Promise<string> {
  const name = now.toISOString().replace(/\.\d+Z$/, 'Z');
  const folder = join(backups.base, name.replaceAll(':', '-'));
  const unfinished = `${folder}${UNFINISHED}`;
  await mkdir(backups.base, { recursive: true, mode: 0o700 });
  await mkdir(unfinished, { mode: 0o700 });
  try {
    // The server ends a backup whose connection ends.
    await withConnection(url, async (client) => {
      const data = await dataFolderOf(client);
      await checkWritable(client, backups);
      await checkArchiver(client);
      await client.query("SELECT pg_backup_start('switchyard', fast => true)");
      await copyFolder(data, unfinished);
      await copyFile(join(data, CONTROL_FILE), join(unfinished, CONTROL_FILE)); // last, as pg_basebackup does
      await writeFile(join(unfinished, 'backup_label'), await stopBackup(client), { mode: 0o600 });
    });
    if (spawnSync('sync', [], { stdio: 'ignore' }).status !== 0) throw new Problem(`The backup could not be written: ${folder}`);
    await rename(unfinished, folder);
    return folder;
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    throw error;
  }
}

/** The data folder of a server that archives. */
async function dataFolderOf(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ archives: boolean; data: string; tablespaces: number }>(
    `SELECT current_setting('archive_mode') <> 'off' AS archives, current_setting('data_directory') AS data,
       (SELECT count(*)::int FROM pg_tablespace WHERE spcname NOT IN ('pg_default', 'pg_global')) AS tablespaces`,
  );
  const { archives = false, data = '', tablespaces = 0 } = rows[0] ?? {};
  if (!archives) {
    throw new Problem('The server does not archive its log, without which a base backup cannot be restored.', [
      'Run npm run admin -- backups archive, then restart PostgreSQL.',
    ]);
  }
  if (tablespaces > 0) throw new Problem('The server has tablespaces: take the base backup with pg_basebackup.');
  if (existsSync(join(data, 'PG_VERSION'))) return data;
  throw new Problem(`The server's data folder ${data} is not on this machine, or cannot be read.`, [
    'Run this where PostgreSQL runs, as its account, or take the base backup with pg_basebackup.',
  ]);
}

/** Files may change and go while they are copied: the log brings them to one state. */
async function copyFolder(from: string, to: string): Promise<void> {
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const source = join(from, entry.name);
    const target = join(to, entry.name);
    if (LEFT_OUT.test(entry.name)) continue;
    if (entry.isDirectory()) {
      await mkdir(target, { mode: 0o700 });
      if (!EMPTIED.has(entry.name)) await copyFolder(source, target);
    } else if (entry.isFile()) {
      await copyFile(source, target).catch((error: unknown) => {
        if (errorCode(error) !== 'ENOENT') throw error;
      });
    }
  }
}

/** Ends the backup. Resolves with its label, once its log is archived. */
async function stopBackup(client: pg.Client): Promise<string> {
  await client.query(`SET statement_timeout = ${ARCHIVE_LIMIT_MS}`);
  try {
    const { rows } = await client.query<{ labelfile: string }>('SELECT labelfile FROM pg_backup_stop(wait_for_archive => true)');
    return rows[0]?.labelfile ?? '';
  } catch (error) {
    if (errorCode(error) !== CANCELED) throw error;
    const hints = [
      "The archive_command has to be able to write to the folder; the server's log says why it failed.",
      SHOW_ARCHIVER,
    ];
    throw new Problem('The server has not archived the log of the backup.', hints, error);
  }
}

/** Removes all but the newest base backups, and the log that only they needed. Returns what was removed. */
export async function pruneBackups(backups: BackupFolder, keep: number): Promise<string[]> {
  const all = listBaseBackups(backups);
  const [oldestKept] = all.slice(-keep);
  if (oldestKept === undefined) return [];
  const segments = (await readdir(backups.wal)).filter((name) => isSegmentBefore(name, oldestKept.firstSegment));
  const removed = [...all.slice(0, -keep).map(({ folder }) => folder), ...segments.map((name) => join(backups.wal, name))];
  for (const path of removed) await rm(path, { recursive: true });
  return removed;
}

/** True for a segment, or the record of a backup, before this segment, whatever its timeline: as `pg_archivecleanup` does. */
function isSegmentBefore(name: string, segment: string): boolean {
  return /^[0-9A-F]{24}(\.[0-9A-F]{8}\.backup)?\.gz$/.test(name) && name.slice(8, 24) < segment.slice(8);
}
