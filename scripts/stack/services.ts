import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import type { Environment } from './environment.ts';
import { lastLines, openFreshLog } from './files.ts';
import { endOnExit } from './guard.ts';
import { Problem } from './problem.ts';
import { endProcess, identify, isRunning, type ProcessIdentity } from './processes.ts';
import type { Project } from './project.ts';
import { Interrupted } from './teardown.ts';

/** A program of the stack that runs until it is stopped. */
export interface ServicePlan {
  readonly name: string;
  readonly entry: string;
  /** From the project's root. */
  readonly folder: string;
  /** Whether it is ready. */
  readonly isReady: (log: string) => Promise<boolean>;
}

export interface Service {
  readonly name: string;
  readonly process: ProcessIdentity;
  /** Resolves when it is ready. Throws a Problem with the end of its log when it exits before, or takes too long. */
  ready(): Promise<void>;
  /** Resolves with a Problem when it exits without having been stopped. */
  readonly died: Promise<Problem>;
  /** Stops it with SIGTERM, and kills it when it does not exit in time. */
  stop(): Promise<void>;
}

const STOP_SIGNALS = ['SIGTERM', 'SIGKILL'] as const;
/** For open requests and running jobs; short, because a person waits after Ctrl-C. */
const STOP_GRACE_MS = 10_000;
const READY_TIMEOUT_MS = 60_000;
const READY_CHECK_MS = 30;
const SHOWN_LINES = 15;

const readyLine = z.object({ ready: z.literal(true) });

/** Ready when its log holds the line `{"ready":true,…}`. */
export async function logsReady(log: string): Promise<boolean> {
  return lastLines(log, 50).some((line) => {
    if (!line.startsWith('{')) return false;
    try {
      return readyLine.safeParse(JSON.parse(line)).success;
    } catch {
      return false;
    }
  });
}

/** Ready when this address answers 200. */
export function answersAt(url: string): () => Promise<boolean> {
  return async () => {
    try {
      const response = await fetch(url, { signal: AbortSignal.timeout(5_000) });
      await response.arrayBuffer();
      return response.status === 200;
    } catch {
      return false;
    }
  };
}

/**
 * Starts a program with its output in a log of its own. It gets its own process group, so that Ctrl-C reaches only the launcher,
 * which then stops everything in order.
 */
export function startService(project: Project, plan: ServicePlan, env: Environment): Service {
  const logFile = join(project.logs, `${plan.name}.log`);
  const log = openFreshLog(logFile);
  const cwd = join(project.root, plan.folder);
  const child = spawn(process.execPath, [plan.entry], { cwd, env, detached: true, stdio: ['ignore', log, log] });
  closeSync(log);
  const identity = child.pid === undefined ? undefined : identify(child.pid);
  if (!identity) throw new Problem(`The ${plan.name} could not be started.`, [`Its log: ${logFile}`]);
  endOnExit({ process: identity, signals: STOP_SIGNALS, graceMs: STOP_GRACE_MS });

  let stopping = false;
  const died = new Promise<Problem>((report) => {
    onExit(child, (how) => stopping || report(problemOf(`The ${plan.name} has stopped (${how}).`, logFile)));
  });
  return {
    name: plan.name,
    process: identity,
    died,
    async ready() {
      const hasExited = (): boolean => stopping || !isRunning(identity);
      if (await becomesReady(plan, logFile, hasExited)) return;
      throw stopping ? new Interrupted() : await died;
    },
    async stop() {
      stopping = true;
      await endProcess(identity, STOP_SIGNALS, STOP_GRACE_MS);
    },
  };
}

function problemOf(message: string, log: string): Problem {
  return new Problem(message, [...lastLines(log, SHOWN_LINES), `All of its log: ${log}`]);
}

function onExit(child: ChildProcess, report: (how: string) => void): void {
  child.once('error', (error) => report(error.message));
  child.once('exit', (code, signal) => report(code === null ? `${signal}` : `code ${code}`));
}

/** False when it exited before it was ready. */
async function becomesReady(plan: ServicePlan, log: string, hasExited: () => boolean): Promise<boolean> {
  const deadline = Date.now() + READY_TIMEOUT_MS;
  while (!(await plan.isReady(log))) {
    if (hasExited()) return false;
    if (Date.now() > deadline) throw problemOf(`The ${plan.name} was not ready after ${READY_TIMEOUT_MS / 1_000} s.`, log);
    await pause(READY_CHECK_MS);
  }
  return true;
}
