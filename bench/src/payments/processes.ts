import { type ChildProcess, fork } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The kernel's clock ticks, in which it counts CPU time: 100 a second on every Linux that Node runs on. */
const TICK_US = 10_000;
const PAGE_BYTES = 4_096;

/** Counters of the kernel for a process. */
export interface ProcessStat {
  readonly parent: number;
  /** CPU time of the process itself, in microseconds. */
  readonly ownUs: number;
  /** CPU time of its ended children, in microseconds. */
  readonly endedChildrenUs: number;
  readonly residentBytes: number;
}

/** Reads the text of `/proc/PID/stat`. The command's name may hold spaces and parentheses: fields are counted from behind it. */
export function parseProcessStat(text: string): ProcessStat {
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const field = (number: number) => Number(fields[number - 3] ?? Number.NaN);
  return {
    parent: field(4),
    ownUs: (field(14) + field(15)) * TICK_US,
    endedChildrenUs: (field(16) + field(17)) * TICK_US,
    residentBytes: field(24) * PAGE_BYTES,
  };
}

/** Null where there is no `/proc`, or no such process. */
export function readProcessStat(pid: number): ProcessStat | null {
  try {
    return parseProcessStat(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return null;
  }
}

/** The processes whose costs are counted separately, by name: `web`, `worker`, `postgres`, … */
export interface MeasuredProcesses {
  /** Each counted alone. */
  readonly single: Readonly<Record<string, number>>;
  /** First processes of PostgreSQL servers: each counted with all its children, ended ones too. */
  readonly postmasters: Readonly<Record<string, number>>;
}

/** CPU time by name so far, in microseconds; null for one that cannot be read. */
export function readCpu({ single, postmasters }: MeasuredProcesses): Readonly<Record<string, number | null>> {
  const cpu: Record<string, number | null> = {};
  for (const [name, pid] of Object.entries(single)) cpu[name] = readProcessStat(pid)?.ownUs ?? null;
  for (const [name, pid] of Object.entries(postmasters)) {
    cpu[name] = familyOf(pid)?.reduce((sum, { ownUs, endedChildrenUs }) => sum + ownUs + endedChildrenUs, 0) ?? null;
  }
  return cpu;
}

/** A process and its children; null where they cannot be read. */
function familyOf(pid: number): ProcessStat[] | null {
  const first = readProcessStat(pid);
  if (first === null) return null;
  const others = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const children = others.map((name) => readProcessStat(Number(name))).filter((stat) => stat !== null && stat.parent === pid);
  return [first, ...children.filter((stat) => stat !== null)];
}

/** Resident memory by name, in bytes; null for one that cannot be read. */
export function readMemory({ single }: MeasuredProcesses): Readonly<Record<string, number | null>> {
  return Object.fromEntries(Object.entries(single).map(([name, pid]) => [name, readProcessStat(pid)?.residentBytes ?? null]));
}

/** Names the product's processes after the folders they run in: `apps/web` is `web`. */
export function nameProcesses(pids: readonly number[]): Record<string, number> {
  const named: Record<string, number> = {};
  for (const pid of pids) {
    try {
      named[basename(readlinkSync(`/proc/${pid}/cwd`))] = pid;
    } catch {
      // no /proc: it is not measured
    }
  }
  return named;
}

/** A program of the benchmark, in a process of its own, that answers each message with one. It ends with the benchmark. */
export interface Child {
  readonly pid: number;
  /** The program's first message, sent when it is ready. */
  readonly greeting: unknown;
  /** Sends a message and resolves with the answer. One at a time. Throws when the program ends. */
  ask(message: object): Promise<unknown>;
  close(): Promise<void>;
}

/** Starts a program beside this file; resolves when it is ready. */
export async function startChild(file: string, env: Readonly<Record<string, string>> = {}): Promise<Child> {
  const child = fork(fileURLToPath(new URL(file, import.meta.url)), { env: { ...process.env, ...env } });
  const greeting = await nextMessage(child, file);
  const { pid } = child;
  if (pid === undefined) throw new Error(`${file} has no process`);
  return {
    pid,
    greeting,
    ask(message) {
      const answer = nextMessage(child, file);
      child.send(message);
      return answer;
    },
    async close() {
      const ended = new Promise((done) => child.once('exit', done));
      if (!child.connected) return;
      child.disconnect();
      await ended;
    },
  };
}

function nextMessage(child: ChildProcess, file: string): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const onMessage = (message: unknown): void => {
      child.off('exit', onExit);
      resolve(message);
    };
    const onExit = (code: number | null): void => {
      child.off('message', onMessage);
      reject(new Error(`${file} has ended (${code})`));
    };
    child.once('message', onMessage);
    child.once('exit', onExit);
  });
}
