/**
 * Backups of PostgreSQL, below one folder: base backups in `base`, the archived write-ahead log in `wal`. The server is that of
 * `DATABASE_URL`, as a role that may set it up, else that of the running stack, else the embedded one.
 *
 *   npm run backup:archive -- --backup FOLDER                has the server archive its log into the folder, from its next start on
 *   npm run backup:base -- --backup FOLDER                   takes a base backup, of a server on this machine
 *   npm run backup:prune -- --backup FOLDER [--keep 2]       removes older base backups, and the log that only they needed
 *   npm run backup:restore -- --backup FOLDER --to MOMENT --data FOLDER [--timeline N] [--quiet-minutes 10] [--programs FOLDER]
 *
 * The moment has an offset (2026-11-22T21:31:19Z), or is `latest`. A restore makes a data folder, starts a server on it that archives
 * nothing, compares the newest payment and the timeline with what was asked for, brings the copy to this version, verifies its audit
 * log and its roll-ups, and stops it. The folder is then ready for a server.
 *
 * Exits with 0 when all is well, 1 when a restored copy is not what was asked for, 2 when the command could not run.
 */
import { chmodSync, existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { z } from 'zod';
import { archiveHistories, pruneBackups, takeBaseBackup, turnOnArchiving } from './backup/base-backup.ts';
import { checkWritable } from './backup/check-archive.ts';
import { checkCopy } from './backup/check-copy.ts';
import { type BackupFolder, backupFolder } from './backup/folder.ts';
import { forgetRestore, restore } from './backup/restore.ts';
import { Problem } from './bootstrap/problem.mjs';
import { readOptions, runCommand } from './stack/command.ts';
import { DATABASE, resolveDatabase, withConnection } from './stack/database.ts';
import { lastEmbeddedUrl } from './stack/postgres.ts';
import { changeOwner, databaseAccount, postgresPrograms } from './stack/postgres-files.ts';
import { runOnTerminal } from './stack/programs.ts';
import { thisProject } from './stack/project.ts';

const USAGE = 'usage: npm run backup:archive, backup:base, backup:prune or backup:restore -- --backup FOLDER …';
const MINUTE_MS = 60_000;
const CHECKS = [['scripts/db-deploy.ts'], ['scripts/audit.ts', 'verify'], ['scripts/reports.ts', 'check']] as const;

const project = thisProject();
const momentSchema = z.union([
  z.literal('latest').transform(() => null),
  z.iso.datetime({ offset: true }).transform((text) => new Date(text)),
]);

function readArguments() {
  const text = { type: 'string' } as const;
  const options = {
    ...{ backup: text, to: text, data: text, timeline: text, programs: text },
    ...{ keep: { ...text, default: '2' }, 'quiet-minutes': { ...text, default: '10' } },
  };
  const { values, positionals } = readOptions(USAGE, { options, allowPositionals: true });
  const [what, ...rest] = positionals;
  if (rest.length > 0 || values.backup === undefined) throw new Problem(USAGE);
  return { ...values, what, backups: backupFolder(fromHere(values.backup)) };
}

type Arguments = ReturnType<typeof readArguments>;

/** Below the folder that the command was given in. */
function fromHere(path: string): string {
  return resolve(process.env.INIT_CWD ?? process.cwd(), path);
}

function positive(name: string, text: string): number {
  const number = Number(text);
  if (Number.isInteger(number) && number > 0) return number;
  throw new Problem(`${name} has to be a whole number above 0, and is ${text}.`);
}

async function archive(backups: BackupFolder): Promise<number> {
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

async function takeBase(backups: BackupFolder): Promise<number> {
  console.log(`Base backup: ${await takeBaseBackup(await resolveDatabase(project), backups, new Date())}`);
  return 0;
}

async function prune({ backups, keep }: Arguments): Promise<number> {
  const removed = await pruneBackups(backups, positive('--keep', keep));
  for (const path of removed) console.log(`Removed ${path}`);
  return 0;
}

async function restoreAndCheck({ backups, to: moment, data: folder, programs, ...given }: Arguments): Promise<number> {
  const to = momentSchema.safeParse(moment);
  if (!to.success) throw new Problem(`--to has to be a moment with an offset (2026-11-22T21:31:19Z), or latest: ${moment}`);
  if (folder === undefined) throw new Problem('--data has to name the data folder to make.', [USAGE]);
  const data = fromHere(folder);
  const quietMs = positive('--quiet-minutes', given['quiet-minutes']) * MINUTE_MS;
  const timeline = given.timeline === undefined ? null : positive('--timeline', given.timeline);
  const original = process.env.DATABASE_URL || lastEmbeddedUrl(project.postgres, DATABASE);
  mkdirSync(dirname(data), { recursive: true });
  const account = databaseAccount(data);
  const program =
    programs === undefined ? postgresPrograms(dirname(data), account).postgres : join(fromHere(programs), 'postgres');
  const log = `${data}.log`;
  const copy = await restore({ backups, to: to.data, timeline, data, program, account, log });
  const url = onPort(original, copy.port);
  const findings = await checkCopy(url, { to: to.data, timeline: copy.timeline, ancestors: copy.ancestors, quietMs });
  console.log(
    `Restored from ${copy.from.folder} along timeline ${copy.timeline} to ${to.data?.toISOString() ?? 'the end of the log'}:`,
  );
  console.log(`  last commit    ${findings.lastCommitAt?.toISOString() ?? 'none after the base backup'}`);
  console.log(`  newest payment ${findings.newestPaymentAt?.toISOString() ?? 'none'}, of ${findings.payments}`);
  const failed = [...findings.problems];
  for (const args of failed.length === 0 ? CHECKS : []) {
    const env = { ...process.env, DATABASE_URL: url };
    const code = await runOnTerminal({ command: process.execPath, args, cwd: project.root, env });
    if (code !== 0) failed.push(`${args.join(' ')} failed.`);
  }
  await copy.stop();
  for (const problem of failed) console.error(`✗ ${problem}`);
  if (failed.length > 0) return 1;
  forgetRestore(data);
  console.log(`${data} is ready for a server. It archives nothing yet: npm run backup:archive, restart, and a new base backup.`);
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

await runCommand(async () => {
  const args = readArguments();
  switch (args.what) {
    case 'archive':
      return archive(args.backups);
    case 'base':
      return takeBase(args.backups);
    case 'prune':
      return prune(args);
    case 'restore':
      return restoreAndCheck(args);
    default:
      throw new Problem(USAGE);
  }
});
