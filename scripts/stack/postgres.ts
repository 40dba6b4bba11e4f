import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { z } from 'zod';
import { type Account, databaseAccount } from './account.ts';
import { lastLines, openFreshLog, writeWhole } from './files.ts';
import { endOnExit } from './guard.ts';
import { freePort, portState } from './ports.ts';
import { handOver, postgresDirectory } from './postgres-directory.ts';
import { type PostgresProgram, postgresProgram } from './postgres-program.ts';
import { Problem } from './problem.ts';
import { commandOf, endProcess, identify, type ProcessIdentity } from './processes.ts';

export interface PostgresOptions {
  /** Where the server's files live; made when missing. */
  readonly directory: string;
  /** The file its log goes to. */
  readonly log: string;
  /** Settings on top of the durable defaults. */
  readonly settings?: Readonly<Record<string, string>>;
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
  readonly exited: Promise<void>;
  /** Ends every connection and shuts down cleanly. */
  stop(): Promise<void>;
}

const USER = 'switchyard';
/** Fast shutdown (rolls back open transactions), then immediate, then SIGKILL. */
const STOP_SIGNALS = ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const;
const STOP_GRACE_MS = 15_000;
/** Recovery after a crash is included, and replays at most a gigabyte. */
const START_LIMIT_MS = 120_000;

const DURABLE_SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  fsync: 'on',
  synchronous_commit: 'on',
  checkpoint_timeout: '60s',
  max_wal_size: '1GB',
  max_connections: '100',
};

const accessFile = z.object({ port: z.number().int(), password: z.string() });
type Access = z.infer<typeof accessFile>;

/** One server's files and the account that owns them. */
interface Place {
  readonly folder: string;
  readonly data: string;
  readonly accessFile: string;
  readonly account: Account | undefined;
  readonly program: PostgresProgram;
  readonly log: string;
}

/**
 * Starts an embedded PostgreSQL on 127.0.0.1, with its files below `directory`, and resolves when it takes connections.
 * The files are made on first use and kept; the port is kept as long as it is free. A server left over from an earlier process
 * is shut down first. Should the calling process die, the server is shut down too.
 */
export async function startPostgres(options: PostgresOptions): Promise<PostgresServer> {
  const account = databaseAccount(join(options.directory, 'data'));
  const { folder, moved } = postgresDirectory(options.directory, account);
  const program = postgresProgram(folder, account);
  const place = {
    folder,
    data: join(folder, 'data'),
    accessFile: join(folder, 'access.json'),
    account,
    program,
    log: options.log,
  };
  await endLeftOver(place.data);
  closeSync(openFreshLog(place.log));
  if (!existsSync(place.data)) await initialise(place);
  if (account && statSync(place.data).uid !== account.uid) handOver(place.data, account); // the project's owner is root now
  checkMajorVersion(place);
  const access = await withFreePort(place);
  const server = await launch(place, access, { ...DURABLE_SETTINGS, ...options.settings });
  return { ...server, movedTo: moved ? folder : undefined };
}

async function endLeftOver(data: string): Promise<void> {
  const lockFile = join(data, 'postmaster.pid');
  if (!existsSync(lockFile)) return;
  const left = identify(Number(readFileSync(lockFile, 'utf8').split('\n')[0]));
  if (left && commandOf(left.pid)?.includes('postgres')) await endProcess(left, STOP_SIGNALS, STOP_GRACE_MS);
  // An unrelated program may have the process id by now, for which the server would refuse to start.
  rmSync(lockFile, { force: true });
}

/** Creates the data folder under another name first: the next start removes an interrupted attempt. */
async function initialise(place: Place): Promise<void> {
  const unfinished = `${place.data}.unfinished`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { mode: 0o700 });
  handOver(unfinished, place.account);
  const password = randomBytes(24).toString('hex');
  const passwordFile = join(place.folder, 'password.unfinished');
  rmSync(passwordFile, { force: true });
  writeFileSync(passwordFile, password, { mode: 0o600 });
  handOver(passwordFile, place.account);
  const child = run(place, place.program.initdb, [
    ...[`--pgdata=${unfinished}`, `--username=${USER}`, `--pwfile=${passwordFile}`, '--auth=scram-sha-256'],
    ...[
      '--encoding=UTF8',
      '--locale-provider=builtin',
      '--locale=C.UTF-8',
      '--lc-collate=C',
      '--lc-ctype=C',
      '--no-instructions',
    ],
  ]);
  const code = await new Promise((done) => child.once('error', done).once('exit', done));
  rmSync(passwordFile);
  if (code !== 0) throw serverProblem(place, 'The embedded PostgreSQL could not be set up.', code);
  writeWhole(place.accessFile, JSON.stringify({ port: await freePort(), password }));
  renameSync(unfinished, place.data);
}

function checkMajorVersion({ data, program }: Place): void {
  const found = readFileSync(join(data, 'PG_VERSION'), 'utf8').trim();
  if (found === program.major) return;
  throw new Problem(`The data in ${data} is PostgreSQL ${found}'s; this version brings PostgreSQL ${program.major}.`, [
    `Keep it by a dump from the old version, or remove ${data} to start with empty data.`,
  ]);
}

async function withFreePort(place: Place): Promise<Access> {
  const access = readAccess(place);
  if ((await portState(access.port)) === 'free') return access;
  const moved = { ...access, port: await freePort() };
  writeWhole(place.accessFile, JSON.stringify(moved));
  return moved;
}

function readAccess(place: Place): Access {
  try {
    return accessFile.parse(JSON.parse(readFileSync(place.accessFile, 'utf8')));
  } catch (error) {
    const hint = `Put the file back, or remove ${place.data} to start with empty data.`;
    throw new Problem(`The password of the database in ${place.data} is lost (${place.accessFile}).`, [hint], error);
  }
}

/** In a session of its own: Ctrl-C must not stop the database under programs that are still finishing. */
function run(place: Place, program: string, args: readonly string[]): ChildProcess {
  const log = openSync(place.log, 'a', 0o600);
  const cwd = place.account ? '/' : place.folder;
  const { PATH = '', TZ } = process.env;
  const env = { PATH, LC_ALL: 'C', ...(TZ === undefined ? {} : { TZ }) };
  const child = spawn(program, args, { cwd, env, detached: true, stdio: ['ignore', log, log], ...place.account });
  closeSync(log);
  return child;
}

async function launch(place: Place, access: Access, settings: Record<string, string>): Promise<Omit<PostgresServer, 'movedTo'>> {
  const flags = Object.entries({ ...settings, port: String(access.port) }).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const child = run(place, place.program.postgres, ['-D', place.data, ...flags]);
  let failure: unknown;
  const exited = new Promise<void>((done) => {
    child.once('exit', () => done());
    child.once('error', (error) => {
      failure = error;
      done();
    });
  });
  const identity = child.pid === undefined ? undefined : identify(child.pid);
  if (identity) endOnExit({ process: identity, signals: STOP_SIGNALS, graceMs: STOP_GRACE_MS });
  const url = (database: string): string => `postgresql://${USER}:${access.password}@127.0.0.1:${access.port}/${database}`;
  const version = await Promise.race([exited.then(() => undefined), firstAnswer(url('postgres'))]);
  if (!identity || version === undefined) {
    throw serverProblem(place, 'The embedded PostgreSQL did not start.', failure);
  }
  const stop = (): Promise<void> => endProcess(identity, STOP_SIGNALS, STOP_GRACE_MS);
  return { process: identity, version, url, exited, stop };
}

/** The server's version, as soon as it takes connections. */
async function firstAnswer(url: string): Promise<string | undefined> {
  const deadline = Date.now() + START_LIMIT_MS;
  while (Date.now() < deadline) {
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
    client.on('error', () => undefined);
    try {
      await client.connect();
      const { rows } = await client.query<{ server_version: string }>('SHOW server_version');
      return rows[0]?.server_version ?? '';
    } catch {
      await pause(25);
    } finally {
      await client.end().catch(() => undefined);
    }
  }
  return undefined;
}

function serverProblem(place: Place, message: string, cause: unknown): Problem {
  const reason = cause instanceof Error ? [cause.message] : lastLines(place.log, 8);
  const last = place.account
    ? 'Or run this as an ordinary user, or set DATABASE_URL.'
    : 'Or set DATABASE_URL to a server of yours.';
  return new Problem(message, [...reason, `Its log: ${place.log}`, last], cause);
}
