import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { z } from 'zod';
import { reservePort } from '../../packages/runtime/src/reserve-port.ts';
import { holderOf } from '../bootstrap/claim.mjs';
import { writeWhole } from '../bootstrap/files.mjs';
import { errorCode, Problem } from '../bootstrap/problem.mjs';
import { commandOf } from '../bootstrap/processes.mjs';
import type { Environment } from './programs.ts';
import type { Project } from './project.ts';

/** The secrets of a local installation, under the names of the environment variables that carry them. */
const secretsSchema = z.object({
  SWITCHYARD_ENCRYPTION_KEYS: z.string().min(1),
  SWITCHYARD_KEY_PEPPER: z.string().min(1),
  SWITCHYARD_AUTH_SECRET: z.string().min(1),
});
type Secrets = z.infer<typeof secretsSchema>;

const SECRET_BYTES = 32;
const WRITTEN_VARIABLES = /^(DATABASE_URL|SWITCHYARD_[A-Z_]+)$/;

/**
 * The secrets of this installation: created on the first start and stored in a file that only its owner may read. Data in the
 * database is encrypted with them, so a damaged file stops the start instead of being replaced.
 */
export function localSecrets(file: string): Secrets {
  const newSecret = (): string => randomBytes(SECRET_BYTES).toString('base64');
  if (!existsSync(file)) {
    const secrets = {
      SWITCHYARD_ENCRYPTION_KEYS: `local-${randomBytes(4).toString('hex')}:${newSecret()}`,
      SWITCHYARD_KEY_PEPPER: newSecret(),
      SWITCHYARD_AUTH_SECRET: newSecret(),
    };
    writeWhole(file, `${JSON.stringify(secrets, null, 2)}\n`);
    return secrets;
  }
  return parseSecrets(file);
}

/**
 * The secrets of this installation where a command is about its database: the embedded one, or the one that its running stack has. None for
 * any other database, whose secrets are in the environment alone, and before the first start. Throws a Problem when the file is damaged.
 */
export function readLocalSecrets({ secretsFile, runFile }: Project, { DATABASE_URL }: Environment): Partial<Secrets> {
  const isLocal = !DATABASE_URL || DATABASE_URL === holderOf(runFile)?.databaseUrl;
  return isLocal && existsSync(secretsFile) ? parseSecrets(secretsFile) : {};
}

function parseSecrets(file: string): Secrets {
  try {
    return secretsSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch (error) {
    const hint = 'Restore the file. Without it the local data is lost: remove the whole folder then, to start with empty data.';
    throw new Problem(`The secrets in ${file} cannot be read.`, [hint], error);
  }
}

/** How Node spends memory, as `deploy/entrypoint.sh` sets it too: docs/decisions/memory.md. */
export const MEMORY_SETTINGS = { NODE_OPTIONS: '--max-semi-space-size=8', MALLOC_ARENA_MAX: '2' } as const;

/**
 * The environment of every program of the stack: the user's variables override the defaults, except ports and the database, which
 * were chosen from the user's variables already. A variable that is set to nothing counts as not set.
 */
export function stackEnvironment(project: Project, user: Environment, ports: Ports, databaseUrl: string): Environment {
  const at = (port: number): string => `http://127.0.0.1:${port}`;
  return {
    NEXT_TELEMETRY_DISABLED: '1',
    MALLOC_ARENA_MAX: MEMORY_SETTINGS.MALLOC_ARENA_MAX,
    ...localSecrets(project.secretsFile),
    SWITCHYARD_PUBLIC_URL: `http://localhost:${ports.web}`,
    SWITCHYARD_REPORTING_URL: at(ports.reporting),
    SWITCHYARD_SANDBOX_URL: at(ports.sandbox),
    SWITCHYARD_DEMO_FILE: project.demoFile,
    SWITCHYARD_PRIVATE_ADDRESSES: 'allow',
    SANDBOX_STATE_DIR: join(project.local, 'sandbox'),
    ...Object.fromEntries(Object.entries(user).filter(([, value]) => value !== '')),
    // The last value of an option that is given twice counts.
    NODE_OPTIONS: [MEMORY_SETTINGS.NODE_OPTIONS, user.NODE_OPTIONS].filter(Boolean).join(' '),
    NODE_ENV: 'production',
    DATABASE_URL: databaseUrl,
    PORT: String(ports.web),
    REPORTING_PORT: String(ports.reporting),
    SANDBOX_PORT: String(ports.sandbox),
  };
}

/**
 * Writes the environment to a file that only its owner may read, for a program that is started by hand with `node --env-file=.local/env`.
 * No program reads it by itself: one in production has the settings that it is given, and no others.
 */
export function writeEnvironment(project: Project, env: Environment): void {
  const lines = Object.entries(env).flatMap(([name, value]) =>
    WRITTEN_VARIABLES.test(name) && value !== undefined ? [`${name}='${value}'`] : [],
  );
  writeWhole(project.environmentFile, `${lines.join('\n')}\n`);
}

/** The variable that sets each port, its default, and what listens there. */
const PORTS = {
  web: { variable: 'PORT', usual: 3000, program: 'the web application' },
  reporting: { variable: 'REPORTING_PORT', usual: 3001, program: 'reporting' },
  sandbox: { variable: 'SANDBOX_PORT', usual: 4010, program: 'the sandbox' },
} as const;

type Listener = keyof typeof PORTS;

/** The ports the programs listen on. */
export type Ports = Readonly<Record<Listener, number>>;

const PORT_MAX = 65_535;

type PortState = 'free' | 'taken' | 'not_permitted';

/** Listens at a port for a moment. Resolves with the code of the error that it met, undefined when there was none. */
function listenError(port: number, host: string): Promise<string | undefined> {
  return new Promise((done) => {
    const server = createServer();
    server.once('error', (error) => done(errorCode(error) ?? 'UNKNOWN'));
    server.listen({ port, host, exclusive: true }, () => server.close(() => done(undefined)));
  });
}

/** State of a port: `free` if a server could listen on it on every address of the machine. */
async function portState(port: number): Promise<PortState> {
  for (const host of ['::', '0.0.0.0', '127.0.0.1']) {
    const code = await listenError(port, host);
    if (code === 'EADDRINUSE') return 'taken';
    if (code === 'EACCES') return 'not_permitted';
  }
  return 'free';
}

async function isFree(port: number): Promise<boolean> {
  return (await portState(port)) === 'free';
}

function linkTarget(link: string): string {
  try {
    return readlinkSync(link);
  } catch {
    return ''; // closed meanwhile, or not for this user to know
  }
}

/** The process that listens on a port, as Linux has it in /proc: the sockets of the port, then who has one of them open. */
function holderInProc(port: number): number | undefined {
  const listening = `:${port.toString(16).toUpperCase().padStart(4, '0')} `;
  const sockets = new Set<string>();
  for (const table of ['/proc/net/tcp', '/proc/net/tcp6']) {
    for (const line of readFileSync(table, 'utf8').split('\n')) {
      const [, local = '', , state, , , , , , inode] = line.trim().split(/\s+/);
      if (state === '0A' && `${local} `.endsWith(listening)) sockets.add(`socket:[${inode}]`);
    }
  }
  const isOpenIn = (pid: string): boolean => {
    try {
      return readdirSync(`/proc/${pid}/fd`).some((fd) => sockets.has(linkTarget(`/proc/${pid}/fd/${fd}`)));
    } catch {
      return false; // another user's process, or one that has ended
    }
  };
  const holder = readdirSync('/proc').find((name) => /^\d+$/.test(name) && isOpenIn(name));
  return holder === undefined ? undefined : Number(holder);
}

/** The program that listens on a port, in words, as far as the current user may see. */
function describeHolder(port: number): string {
  try {
    if (process.platform === 'linux') {
      const pid = holderInProc(port);
      if (pid !== undefined) return `${commandOf(pid)} (process ${pid}, in ${linkTarget(`/proc/${pid}/cwd`)})`;
    } else {
      const list = execFileSync('lsof', ['-nP', `-iTCP:${port}`, '-sTCP:LISTEN', '-Fp'], { encoding: 'utf8', stdio: 'pipe' });
      const pid = Number(/^p(\d+)$/m.exec(list)?.[1]);
      if (pid) return `${commandOf(pid)} (process ${pid})`;
    }
  } catch {
    // not for this user to know, or no lsof
  }
  return 'another program';
}

function parsePort(variable: string, text: string): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= PORT_MAX) return port;
  const hint = `A port is a number up to ${PORT_MAX}, for example: ${variable}=3001 npm start`;
  throw new Problem(`${variable} is "${text}", which is no port.`, [hint]);
}

async function assertFree(listener: Listener, port: number): Promise<void> {
  const state = await portState(port);
  if (state === 'free') return;
  const { variable, program } = PORTS[listener];
  const choice = `another port for ${program}:  ${variable}=${await reservePort()} npm start`;
  if (state === 'not_permitted') throw new Problem(`This user may not open port ${port}.`, [`Choose ${choice}`]);
  throw new Problem(`Port ${port} is taken by ${describeHolder(port)}.`, [`Stop that program, or choose ${choice}`]);
}

/**
 * Chooses the ports before anything is started. Those that the user set have to be free, and so has the web application's default,
 * because people bookmark its address; the others move to free ports when their defaults are taken. 0 means any.
 */
export async function choosePorts(env: Environment): Promise<Ports> {
  const chosen = new Set<number>();
  const choose = async (listener: Listener): Promise<number> => {
    const { variable, usual } = PORTS[listener];
    const text = env[variable];
    const wanted = text ? parsePort(variable, text) : usual;
    if (wanted !== 0 && (text || listener === 'web')) await assertFree(listener, wanted);
    const mayUse = wanted !== 0 && !chosen.has(wanted) && (await isFree(wanted));
    const port = mayUse ? wanted : await reservePort();
    chosen.add(port);
    return port;
  };
  return {
    web: await choose('web'),
    reporting: await choose('reporting'),
    sandbox: await choose('sandbox'),
  };
}
