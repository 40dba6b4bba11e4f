import { spawn } from 'node:child_process';
import { closeSync } from 'node:fs';
import type { Environment } from './environment.ts';
import { lastLines, openFreshLog } from './files.ts';
import { endOnExit } from './guard.ts';
import { Problem } from './problem.ts';
import { endProcess, identify } from './processes.ts';
import type { Teardown } from './teardown.ts';

/** A program that is run to its end. */
export interface Command {
  /** What could not be done when it fails, as the beginning of a sentence: `The pages could not be built`. */
  readonly failure: string;
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Environment;
  readonly log: string;
}

const STOP_SIGNALS = ['SIGTERM', 'SIGKILL'] as const;
const STOP_GRACE_MS = 3_000;
const SHOWN_LINES = 15;

/** Runs a command with its output in its log. Throws a Problem with the last lines when it fails. */
export async function runCommand(command: Command, teardown: Teardown): Promise<void> {
  teardown.check();
  const { cwd, env } = command;
  const log = openFreshLog(command.log);
  const child = spawn(command.program, command.args, { cwd, env, detached: true, stdio: ['ignore', log, log] });
  closeSync(log);
  const exit = new Promise<number | string>((done) => {
    child.once('error', (error) => done(error.message));
    child.once('exit', (code, signal) => done(code ?? signal ?? 1));
  });
  const identity = child.pid === undefined ? undefined : identify(child.pid);
  if (identity) {
    endOnExit({ process: identity, signals: STOP_SIGNALS, graceMs: STOP_GRACE_MS });
    await teardown.add(() => endProcess(identity, STOP_SIGNALS, STOP_GRACE_MS));
  }
  const outcome = await exit;
  teardown.check();
  if (outcome === 0) return;
  throw new Problem(`${command.failure} (${outcome}).`, [
    ...lastLines(command.log, SHOWN_LINES),
    `All of its output: ${command.log}`,
  ]);
}
