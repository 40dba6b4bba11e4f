import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { commandOf } from './processes.ts';

/** Who listens on a port, as far as the current user may know. */
export interface PortHolder {
  readonly pid: number;
  readonly command: string;
  /** The folder it runs in, when that may be known. */
  readonly folder: string | undefined;
}

const LISTENING = '0A';

function listeningInodes(port: number): Set<string> {
  const inodes = new Set<string>();
  for (const table of ['/proc/net/tcp', '/proc/net/tcp6']) {
    for (const line of readLines(table).slice(1)) {
      const [, local, , state, , , , , , inode] = line.trim().split(/\s+/);
      const localPort = Number.parseInt(local?.split(':').at(-1) ?? '', 16);
      if (state === LISTENING && localPort === port && inode !== undefined) inodes.add(inode);
    }
  }
  return inodes;
}

function readLines(file: string): string[] {
  try {
    return readFileSync(file, 'utf8').split('\n');
  } catch {
    return [];
  }
}

function holdsOneOf(pid: number, inodes: ReadonlySet<string>): boolean {
  try {
    return readdirSync(`/proc/${pid}/fd`).some((fd) => inodes.has(inodeOf(`/proc/${pid}/fd/${fd}`)));
  } catch {
    return false; // another user's process, or one that has ended
  }
}

function inodeOf(link: string): string {
  try {
    return /^socket:\[(\d+)\]$/.exec(readlinkSync(link))?.[1] ?? '';
  } catch {
    return '';
  }
}

function pidFromLsof(port: number): number | undefined {
  try {
    const lines = execFileSync('lsof', ['-nP', `-iTCP:${port}`, '-sTCP:LISTEN', '-Fp'], { encoding: 'utf8', stdio: 'pipe' });
    return Number(/^p(\d+)$/m.exec(lines)?.[1]) || undefined;
  } catch {
    return undefined;
  }
}

function pidFromProc(port: number): number | undefined {
  const inodes = listeningInodes(port);
  if (inodes.size === 0) return undefined;
  const pids = readdirSync('/proc').map(Number).filter(Number.isInteger);
  return pids.find((pid) => holdsOneOf(pid, inodes));
}

function folderOf(pid: number): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return undefined;
  }
}

/** The process that listens on a port of this machine; undefined when it is another user's or cannot be found. */
export function portHolder(port: number): PortHolder | undefined {
  const pid = process.platform === 'linux' ? pidFromProc(port) : pidFromLsof(port);
  return pid === undefined ? undefined : { pid, command: commandOf(pid) ?? 'a program', folder: folderOf(pid) };
}
