import { execFileSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { errorCode, Problem } from '../bootstrap/problem.mjs';
import { commandOf } from '../bootstrap/processes.mjs';
import type { Environment } from './programs.ts';

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

/** Below the ports that systems give to connections and to servers that ask for any: Linux begins at 32768, others at 49152. */
const RESERVED_PORTS = { min: 12_000, max: 32_000 } as const;
const RESERVE_TRIES = 200;

/**
 * A free port of the loopback address for a program that is yet to start, reserved until this process ends. No connection gets it, as the
 * system gives none of these ports by itself; no other caller of this function gets it, in whatever process, as a UDP socket of the same
 * number holds it. (A TCP socket cannot: the program could not listen there then.)
 */
export async function reservePort(): Promise<number> {
  for (let tried = 0; tried < RESERVE_TRIES; tried += 1) {
    const port = randomInt(RESERVED_PORTS.min, RESERVED_PORTS.max);
    if (!reserved.has(port) && (await mayReserve(port))) return port;
  }
  throw new Error(`No port from ${RESERVED_PORTS.min} to ${RESERVED_PORTS.max} can be opened on 127.0.0.1`);
}

const reserved = new Set<number>();

/** Reserves a port until this process ends. Resolves with false when something listens there, or another process has reserved it. */
export async function mayReserve(port: number): Promise<boolean> {
  if (!(await isFree(port))) return false;
  if (!reserved.has(port) && !(await holdByUdp(port))) return false;
  reserved.add(port);
  return true;
}

/** Binds a UDP socket that stays open as long as this process, without keeping it running. Resolves with false when another has it. */
function holdByUdp(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createSocket('udp4');
    socket.once('error', () => resolve(false));
    socket.bind({ port, address: '127.0.0.1', exclusive: true }, () => {
      socket.unref();
      resolve(true);
    });
  });
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

/** Who listens on a port, in words, as far as the current user may see. */
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
