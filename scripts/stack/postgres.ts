import { randomBytes } from 'node:crypto';
import {
  closeSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { z } from 'zod';
import { mayReserve, reservePort } from '../../packages/runtime/src/reserve-port.ts';
import { lastLines, openFreshLog, readText, writeWhole } from '../bootstrap/files.mjs';
import { Problem } from '../bootstrap/problem.mjs';
import { commandOf, endProcess, identify, type ProcessIdentity } from '../bootstrap/processes.mjs';
import {
  type Account,
  changeOwner,
  databaseAccount,
  type PostgresPrograms,
  postgresDirectory,
  postgresPrograms,
} from './postgres-files.ts';
import { type RunningProgram, startProgram } from './programs.ts';

export interface PostgresOptions {
  /** Where the server's files live; made when missing. */
  readonly directory: string;
  /** The file its log goes to. */
  readonly log: string;
  /** True if the log is gone on with, in place of a fresh one. */
  readonly appends?: boolean;
  /** Settings on top of the durable defaults. */
  readonly settings?: Readonly<Record<string, string>>;
  /** A folder with the server's programs in `bin`, in place of those of the package. */
  readonly programs?: string;
  /** True if connections need no password, as those between the nodes of a cluster on this machine. */
  readonly trusting?: boolean;
}

export interface PostgresServer {
  readonly process: ProcessIdentity;
  /** For example `18.4`. */
  readonly version: string;
  /** Where the files really are, when they could not be where they were wanted. */
  readonly movedTo: string | undefined;
  /** Connection string for one of its databases, which may not exist yet. */
  url(database: string): string;
  /** Settles when the server exits, stopped or not. */
  readonly exited: Promise<unknown>;
  /** Ends every connection and shuts down cleanly. */
  stop(): Promise<void>;
}

const USER = 'switchyard';
/** Fast shutdown (rolls back open transactions), then immediate, then SIGKILL. */
const STOP = { signals: ['SIGINT', 'SIGQUIT', 'SIGKILL'], graceMs: 15_000 } as const;
/** Recovery after a crash is included, and replays at most a gigabyte. */
const START_LIMIT_MS = 120_000;
const ORPHAN_GRACE_MS = 2_000;
const HAS_PROC = existsSync('/proc/self/cwd');
const CONNECT_LIMIT_MS = 5_000;
const CONNECT_POLL_MS = 25;
const SHOWN_LINES = 8;

const DURABLE_SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  fsync: 'on',
  synchronous_commit: 'on',
  checkpoint_timeout: '60s',
  max_wal_size: '1GB',
  max_connections: '100',
};
const ENCODING = ['--encoding=UTF8', '--locale-provider=builtin', '--locale=C.UTF-8', '--lc-collate=C', '--lc-ctype=C'];

const accessSchema = z.object({ port: z.number().int(), password: z.string() });
type Access = z.infer<typeof accessSchema>;

/** One server's files and the account that owns them. */
interface Installation {
  readonly folder: string;
  readonly data: string;
  readonly accessFile: string;
  readonly account: Account | undefined;
  readonly programs: PostgresPrograms;
  readonly log: string;
  readonly authentication: 'scram-sha-256' | 'trust';
}

/**
 * Starts an embedded PostgreSQL on 127.0.0.1, with its files below `directory`, and resolves when it takes connections.
 * The files are made on first use and kept; the port is kept as long as it is free. A server left over from an earlier process
 * is shut down first. Should the calling process die, the server is shut down too.
 */
export async function startPostgres({
  directory,
  log,
  settings,
  trusting,
  appends = false,
  ...options
}: PostgresOptions): Promise<PostgresServer> {
  const account = databaseAccount(join(directory, 'data'));
  const { folder, moved } = postgresDirectory(directory, account);
  const programs = postgresPrograms(folder, account, options.programs);
  const data = join(folder, 'data');
  const authentication = trusting ? 'trust' : 'scram-sha-256';
  const installation = { folder, data, accessFile: join(folder, 'access.json'), account, programs, log, authentication } as const;
  await endLeftOver(data);
  if (!appends) closeSync(openFreshLog(log));
  if (!existsSync(data)) await initialise(installation);
  if (account && statSync(data).uid !== account.uid) changeOwner(data, account); // the project's owner is root now
  assertMajorVersion(installation);
  const access = await chooseAccess(installation);
  const flags = Object.entries({ ...DURABLE_SETTINGS, ...settings, port: String(access.port) });
  const server = run(installation, programs.postgres, [
    '-D',
    data,
    ...flags.flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ]);
  const url = (database: string): string => `postgresql://${USER}:${access.password}@127.0.0.1:${access.port}/${database}`;
  const version = await Promise.race([server.exited.then(() => undefined), firstAnswer(url('postgres'))]);
  if (version === undefined) throw failure(installation, 'The embedded PostgreSQL did not start.');
  const stop = (): Promise<void> => endProcess(server.process, STOP.signals, STOP.graceMs);
  return { ...server, version, url, stop, movedTo: moved ? folder : undefined };
}

/**
 * Ends a server that runs on this data, and what a server that was killed has left: a new one refuses to start while one of its backends still
 * works. Other servers are left alone, also where one has the process id in the lock file by now.
 */
async function endLeftOver(data: string): Promise<void> {
  const lockFile = join(data, 'postmaster.pid');
  const left = identify(Number(readText(lockFile)?.split('\n')[0]));
  if (left && commandOf(left.pid)?.includes('postgres') && worksIn(left.pid, data)) {
    await endProcess(left, STOP.signals, STOP.graceMs);
  }
  for (const pid of HAS_PROC ? readdirSync('/proc').filter((name) => /^\d+$/.test(name)) : []) {
    const orphan = worksIn(Number(pid), data) ? identify(Number(pid)) : undefined;
    if (orphan && commandOf(orphan.pid)?.includes('postgres')) await endProcess(orphan, ['SIGQUIT', 'SIGKILL'], ORPHAN_GRACE_MS);
  }
  // An unrelated program may have the process id by now, for which the server would refuse to start.
  rmSync(lockFile, { force: true });
}

/** True if a process works in the folder, or where this system does not say. */
function worksIn(pid: number, folder: string): boolean {
  if (!HAS_PROC) return true;
  try {
    return readlinkSync(`/proc/${pid}/cwd`) === folder;
  } catch {
    return false; // another user's, or it has ended
  }
}

/** Creates the data folder under another name first: the next start removes an interrupted attempt. */
async function initialise(installation: Installation): Promise<void> {
  const { folder, data, account, accessFile, programs, authentication } = installation;
  const unfinished = `${data}.unfinished`;
  const passwordFile = join(folder, 'password.unfinished');
  const password = randomBytes(24).toString('hex');
  for (const path of [unfinished, passwordFile]) rmSync(path, { recursive: true, force: true });
  mkdirSync(unfinished, { mode: 0o700 });
  writeFileSync(passwordFile, password, { mode: 0o600 });
  for (const path of [unfinished, passwordFile]) changeOwner(path, account);
  const access = [`--username=${USER}`, `--pwfile=${passwordFile}`, `--auth=${authentication}`];
  const args = [`--pgdata=${unfinished}`, ...access, ...ENCODING, '--no-instructions'];
  const { code, how } = await run(installation, programs.initdb, args).exited;
  rmSync(passwordFile);
  if (code !== 0) throw failure(installation, `The embedded PostgreSQL could not be set up (${how}).`);
  writeWhole(accessFile, JSON.stringify({ port: await reservePort(), password }));
  renameSync(unfinished, data);
}

function assertMajorVersion({ data, programs }: Installation): void {
  const found = readFileSync(join(data, 'PG_VERSION'), 'utf8').trim();
  if (found === programs.major) return;
  throw new Problem(`The data in ${data} is PostgreSQL ${found}'s; this version brings PostgreSQL ${programs.major}.`, [
    `Keep it by a dump from the old version, or remove ${data} to start with empty data.`,
  ]);
}

/** The server's password and port, which is another one when the last is taken. */
async function chooseAccess({ accessFile, data }: Installation): Promise<Access> {
  const access = readAccess(accessFile, data);
  if (await mayReserve(access.port)) return access;
  const moved = { ...access, port: await reservePort() };
  writeWhole(accessFile, JSON.stringify(moved));
  return moved;
}

/** The address that the embedded server had last, with its password. Throws a Problem when it was never started. */
export function lastEmbeddedUrl(directory: string, database: string): string {
  const { port, password } = readAccess(join(directory, 'access.json'), join(directory, 'data'));
  return `postgresql://${USER}:${password}@127.0.0.1:${port}/${database}`;
}

function readAccess(file: string, data: string): Access {
  try {
    return accessSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch (error) {
    const hint = `Put the file back, or remove ${data} to start with empty data.`;
    throw new Problem(`The password of the database in ${data} is lost (${file}).`, [hint], error);
  }
}

function run({ account, folder, log }: Installation, command: string, args: readonly string[]): RunningProgram {
  const { PATH = '', TZ } = process.env;
  return startProgram({
    command,
    args,
    cwd: account ? '/' : folder,
    env: { PATH, LC_ALL: 'C', TZ },
    log,
    account,
    ...STOP,
    endsLast: true,
  });
}

/** The server's version, as soon as it takes connections. */
async function firstAnswer(url: string): Promise<string | undefined> {
  const deadline = Date.now() + START_LIMIT_MS;
  while (Date.now() < deadline) {
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: CONNECT_LIMIT_MS });
    client.on('error', () => undefined);
    try {
      await client.connect();
      const { rows } = await client.query<{ server_version: string }>('SHOW server_version');
      return rows[0]?.server_version ?? '';
    } catch {
      await pause(CONNECT_POLL_MS);
    } finally {
      await client.end().catch(() => undefined);
    }
  }
  return undefined;
}

function failure({ log, account }: Installation, message: string): Problem {
  const hint = account ? 'Or run this as an ordinary user, or set DATABASE_URL.' : 'Or set DATABASE_URL to a server of yours.';
  return new Problem(message, [...lastLines(log, SHOWN_LINES), `Its log: ${log}`, hint]);
}
