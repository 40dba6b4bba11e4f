import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { lastLines, openFreshLog } from '../bootstrap/files.mjs';
import { Problem, problemText } from '../bootstrap/problem.mjs';
import { identify, type ProcessIdentity } from '../bootstrap/processes.mjs';
import type { Ending } from './guard.ts';
import { print } from './progress.ts';

/** Environment variables of a program to be started. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** A program to start. It ends at the latest when this process does, however that ends. */
export interface Program {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Environment;
  /** Takes its output, which goes to the terminal when there is none. */
  readonly log?: string;
  /** The account to run it as, by its numbers; the current user's when left out. */
  readonly account?: { readonly uid: number; readonly gid: number } | undefined;
  /** How to end it; the defaults leave time for open requests and running jobs, a short one because a person waits. */
  readonly signals?: readonly NodeJS.Signals[];
  readonly graceMs?: number;
  /** True if it is ended after all others, whenever it was started, because they need it to finish their work. */
  readonly endsLast?: boolean;
}

export interface RunningProgram {
  readonly process: ProcessIdentity;
  /** Resolves when it ends. */
  readonly exited: Promise<Exit>;
}

export interface Exit {
  /** 1 when a signal ended it, or when it could not be started. */
  readonly code: number;
  /** In words: `code 1`, a signal, or why it could not be started. */
  readonly how: string;
}

const STOP_SIGNALS = ['SIGTERM', 'SIGKILL'] as const;
const STOP_GRACE_MS = 10_000;
const SHOWN_LINES = 15;

let guard: ChildProcess | undefined;
let isStopping = false;
let noteProgram: ((identity: ProcessIdentity) => void) | undefined;

/**
 * Has every program that is started from now on noted, so that a later process can end what is left of this one if it is killed. A database
 * server is not: its own lock file says what is left of it.
 */
export function notePrograms(note: (identity: ProcessIdentity) => void): void {
  noteProgram = note;
}

function startGuard(): ChildProcess {
  const program = fileURLToPath(new URL('./guard.ts', import.meta.url));
  // In a session of its own, so that neither Ctrl-C nor a closed terminal reaches it before its work is done.
  const child = spawn(process.execPath, [program], { stdio: ['pipe', 'ignore', 'ignore'], detached: true });
  child.unref();
  child.stdin?.on('error', () => undefined); // it has exited already
  if (child.stdin && 'unref' in child.stdin && typeof child.stdin.unref === 'function') child.stdin.unref();
  return child;
}

function endWithThisProcess(ending: Ending): void {
  guard ??= startGuard();
  guard.stdin?.write(`${JSON.stringify(ending)}\n`);
}

/**
 * Starts a program. With a log it gets a process group of its own, so that Ctrl-C reaches only this process, which then stops
 * everything in order.
 */
export function startProgram(program: Program): RunningProgram {
  if (isStopping) throw new Error('The programs of this process are being stopped');
  const { command, args, cwd, env, log, account, signals = STOP_SIGNALS, graceMs = STOP_GRACE_MS, endsLast = false } = program;
  const output = log === undefined ? 'inherit' : openSync(log, 'a', 0o600);
  const stdio: StdioOptions = [log === undefined ? 'inherit' : 'ignore', output, output];
  const child = spawn(command, args, { cwd, env, stdio, detached: log !== undefined, ...account });
  if (output !== 'inherit') closeSync(output);
  const exited = new Promise<Exit>((done) => {
    child.once('error', (error) => done({ code: 1, how: error.message }));
    child.once('exit', (code, signal) => done({ code: code ?? 1, how: code === null ? String(signal) : `code ${code}` }));
  });
  const identity = identify(child.pid) ?? { pid: child.pid ?? 0, startedAt: 'never' };
  endWithThisProcess({ process: identity, signals, graceMs, endsLast });
  if (!endsLast) noteProgram?.(identity);
  return { process: identity, exited };
}

/** Runs a program to its end, with its output on the terminal. Resolves with its exit code. */
export async function runOnTerminal(program: Omit<Program, 'log'>): Promise<number> {
  return (await startProgram(program).exited).code;
}

/**
 * Runs a program to its end, with its output in a fresh log. When it fails, throws a Problem that begins with `failure` ("The
 * pages could not be built") and shows the last lines.
 */
export async function runProgram(program: Program & { readonly log: string }, failure: string): Promise<void> {
  closeSync(openFreshLog(program.log));
  const { code, how } = await startProgram(program).exited;
  if (code !== 0) throw failureOf(`${failure} (${how}).`, program.log);
}

/** A Problem with the last lines of a log. */
export function failureOf(message: string, log: string): Problem {
  return new Problem(message, [...lastLines(log, SHOWN_LINES), `All of its log: ${log}`]);
}

/** True once `stopPrograms` was called: no program can be started any more. */
export function areProgramsStopping(): boolean {
  return isStopping;
}

/** Stops every program that this process started, the last first, and starts no more. Resolves when all have ended. */
export async function stopPrograms(): Promise<void> {
  isStopping = true;
  const stopping = guard;
  guard = undefined;
  if (!stopping || stopping.exitCode !== null || stopping.signalCode !== null) return;
  stopping.ref();
  const exited = new Promise((done) => stopping.once('exit', done));
  stopping.stdin?.end();
  await exited;
}

/** Has a signal to this process stop its programs, so that what waits for them goes on to its end. */
export function stopProgramsOnSignals(): void {
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP', 'disconnect'] as const) process.on(name, () => void stopPrograms());
}

/** A program that has been started. */
export interface Started {
  /** Resolves when it is ready. Throws a Problem when it ends before, or takes too long. */
  ready(): Promise<void>;
  /** Resolves with the reason when it ends. */
  readonly died: Promise<Problem>;
}

/** How long to wait before a program that ended is started again: twice as long each time, until it has run for a while. */
const FIRST_PAUSE_MS = 500;
const PAUSE_MAX_MS = 30_000;
const LASTING_MS = 60_000;
/** Starts in a row that never become ready, after which another one would not either. */
const FAILED_STARTS_MAX = 5;
/** The end of its log, and where all of it is. */
const SHOWN_HINTS = 3;

/**
 * Starts a running program again whenever it ends by itself, and says so, until `end`, or until the programs of this process are stopped. Resolves
 * with the reason once it does not start any more, after five starts in a row that never became ready; with null when it was ended.
 */
export async function keepRunning(
  name: string,
  running: Started,
  start: () => Started,
  end: AbortSignal,
): Promise<Problem | null> {
  const isOver = () => end.aborted || areProgramsStopping();
  let current = running;
  let pauseMs = FIRST_PAUSE_MS;
  let failedStarts = 0;
  for (;;) {
    const since = performance.now();
    const problem = await current.died;
    if (isOver()) return null;
    if (failedStarts >= FAILED_STARTS_MAX) return problem;
    if (performance.now() - since >= LASTING_MS) pauseMs = FIRST_PAUSE_MS;
    const shown = new Problem(problem.message, problem.hints.slice(-SHOWN_HINTS));
    print(`\n${problemText(shown)}\n  ${name} is started again in ${pauseMs / 1_000} s.\n`);
    await pause(pauseMs);
    if (isOver()) return null;
    pauseMs = Math.min(PAUSE_MAX_MS, 2 * pauseMs);
    current = start();
    const isReady = await current.ready().then(
      () => true,
      () => false,
    );
    failedStarts = isReady ? 0 : failedStarts + 1;
    if (isReady) print(`  ${name} runs again.\n`);
  }
}
