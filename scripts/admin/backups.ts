import { chmodSync, existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { archiveHistories, pruneBackups, takeBaseBackup, turnOnArchiving } from '../backup/base-backup.ts';
import { checkCopy, checkWritable } from '../backup/check-archive.ts';
import { type BackupFolder, backupFolder } from '../backup/folder.ts';
import { forgetRestore, restore } from '../backup/restore.ts';
import { DATABASE, resolveDatabase, withConnection } from '../stack/database.ts';
import { lastEmbeddedUrl } from '../stack/postgres.ts';
import { changeOwner, databaseAccount, postgresPrograms } from '../stack/postgres-files.ts';
import { runOnTerminal } from '../stack/programs.ts';
import { thisProject } from '../stack/project.ts';
import { fromHere } from './verb.ts';

const MINUTE_MS = 60_000;
/** Verbs that a restored copy is tried by. */
const CHECKS = [
  ['database', 'deploy'],
  ['audit', 'verify'],
  ['reports', 'check'],
] as const;

const project = thisProject();

interface Backup {
  readonly backup: string;
}

/** `backups archive`, from the next start of the server on. */
export async function archive({ backup }: Backup): Promise<number> {
  const backups = backupFolder(fromHere(backup));
  const url = await resolveDatabase(project);
  await prepareFolders(url, backups);
  await withConnection(url, (client) => checkWritable(client, backups));
  await turnOnArchiving(url, backups);
  console.log(`PostgreSQL archives its log into ${backups.wal} from its next start on: restart it, then take a base backup.`);
  return 0;
}

/** Makes the folders where the server is on this machine, for the account that it runs as. */
async function prepareFolders(url: string, { base, wal }: BackupFolder): Promise<void> {
  const data = await withConnection(url, async (client) => {
    const { rows } = await client.query<{ data: string }>("SELECT current_setting('data_directory') AS data");
    return rows[0]?.data ?? '';
  });
  if (!existsSync(join(data, 'PG_VERSION'))) {
    if (existsSync(wal)) return archiveHistories(url, { base, wal });
    console.log(`The server is elsewhere: ${wal} has to be there, and its account has to be able to write to it.`);
    return;
  }
  makePassage(dirname(wal));
  for (const folder of [base, wal]) mkdirSync(folder, { recursive: true, mode: 0o700 });
  await archiveHistories(url, { base, wal });
  const { uid, gid } = statSync(data);
  if (process.getuid?.() !== 0) return;
  for (const folder of [base, wal]) changeOwner(folder, { uid, gid });
}

/** Makes a folder and those that lead to it, which let every account through whatever the umask says. */
function makePassage(folder: string): void {
  const first = mkdirSync(folder, { recursive: true });
  for (let made = folder; first !== undefined && made.startsWith(first); made = dirname(made)) chmodSync(made, 0o755);
}

/** `backups base`, of a server on this machine. */
export async function takeBase({ backup }: Backup): Promise<number> {
  const backups = backupFolder(fromHere(backup));
  console.log(`Base backup: ${await takeBaseBackup(await resolveDatabase(project), backups, new Date())}`);
  return 0;
}

/** `backups prune`: as many base backups as to keep stay, and the log that they need. */
export async function prune({ backup, keep }: Backup & { readonly keep: number }): Promise<number> {
  const removed = await pruneBackups(backupFolder(fromHere(backup)), keep);
  for (const path of removed) console.log(`Removed ${path}`);
  return 0;
}

interface Restore extends Backup {
  /** Null for the end of the log. */
  readonly to: Date | null;
  readonly data: string;
  readonly timeline?: number | undefined;
  readonly 'quiet-minutes': number;
  readonly programs?: string | undefined;
}

/**
 * `backups restore`: makes a data folder, starts a server on it that archives nothing, compares the newest payment and the timeline with what
 * was asked for, brings the copy to this version, verifies its audit log and its roll-ups, and stops it. The folder is then ready for a
 * server. Resolves with 0 when all is well, 1 when the copy is not what was asked for.
 */
export async function restoreAndCheck({ to, programs, timeline: asked, ...given }: Restore): Promise<number> {
  const backups = backupFolder(fromHere(given.backup));
  const data = fromHere(given.data);
  const quietMs = given['quiet-minutes'] * MINUTE_MS;
  const timeline = asked ?? null;
  const original = process.env.DATABASE_URL || lastEmbeddedUrl(project.postgres, DATABASE);
  mkdirSync(dirname(data), { recursive: true });
  const account = databaseAccount(data);
  const program =
    programs === undefined ? postgresPrograms(dirname(data), account).postgres : join(fromHere(programs), 'postgres');
  const log = `${data}.log`;
  const copy = await restore({ backups, to, timeline, data, program, account, log });
  const url = onPort(original, copy.port);
  const findings = await checkCopy(url, { to, timeline: copy.timeline, ancestors: copy.ancestors, quietMs });
  console.log(
    `Restored from ${copy.from.folder} along timeline ${copy.timeline} to ${to?.toISOString() ?? 'the end of the log'}:`,
  );
  console.log(`  last commit    ${findings.lastCommitAt?.toISOString() ?? 'none after the base backup'}`);
  console.log(`  newest payment ${findings.newestPaymentAt?.toISOString() ?? 'none'}, of ${findings.payments}`);
  const failed = [...findings.problems];
  for (const args of failed.length === 0 ? CHECKS : []) {
    const env = { ...process.env, DATABASE_URL: url };
    const code = await runOnTerminal({
      command: process.execPath,
      args: ['scripts/admin/main.ts', ...args],
      cwd: project.root,
      env,
    });
    if (code !== 0) failed.push(`${args.join(' ')} failed.`);
  }
  await copy.stop();
  for (const problem of failed) console.error(`✗ ${problem}`);
  if (failed.length > 0) return 1;
  forgetRestore(data);
  console.log(
    `${data} is ready for a server. It archives nothing yet: npm run admin -- backups archive, restart, and a new base backup.`,
  );
  return 0;
}

/** The address of the copy, which has the roles of the original. */
function onPort(original: string, port: number): string {
  const url = new URL(original);
  url.hostname = '127.0.0.1';
  url.port = String(port);
  url.search = '';
  return url.href;
}
