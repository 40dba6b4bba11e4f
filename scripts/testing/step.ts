import { spawn } from 'node:child_process';
import { endProcess, identify } from '../stack/processes.ts';
import type { Teardown } from '../stack/teardown.ts';

/** A test that failed: where and which it is, and the first lines of why. */
export interface Failure {
  readonly name: string;
  readonly reason: string;
}

/** How many tests a step ran, and how they ended. A check that is no suite counts as one test. */
export interface Tally {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly failures: readonly Failure[];
}

/** A part of the run, with a heading and a duration of its own. */
export interface Step {
  readonly name: string;
  run(): Promise<Tally>;
}

export interface Outcome extends Tally {
  readonly name: string;
  readonly seconds: number;
}

export const PASSED: Tally = { passed: 1, failed: 0, skipped: 0, failures: [] };
export const FAILED: Tally = { passed: 0, failed: 1, skipped: 0, failures: [] };

/** A program to run, found on the PATH unless it is a path. */
export interface ToolCall {
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env?: NodeJS.ProcessEnv;
}

const STOP_GRACE_MS = 5_000;

/**
 * Runs a tool to its end and resolves with its exit code and its output. With `isVerbose`, the output goes to the terminal instead.
 */
export async function runTool(call: ToolCall, isVerbose: boolean, teardown: Teardown): Promise<{ code: number; output: string }> {
  teardown.check();
  const { cwd, env = process.env } = call;
  const child = spawn(call.program, call.args, {
    cwd,
    env: isVerbose ? env : { ...env, NO_COLOR: '1', FORCE_COLOR: '0' },
    stdio: ['ignore', isVerbose ? 'inherit' : 'pipe', isVerbose ? 'inherit' : 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += String(chunk)));
  const ended = new Promise<number>((done) => {
    child.once('error', (error) => {
      output += `${error.message}\n`;
      done(1);
    });
    child.once('close', (code) => done(code ?? 1));
  });
  const identity = child.pid === undefined ? undefined : identify(child.pid);
  if (identity) await teardown.add(() => endProcess(identity, ['SIGTERM', 'SIGKILL'], STOP_GRACE_MS));
  const code = await ended;
  teardown.check();
  return { code, output };
}

/** A check that passes when the tool exits with 0, and shows the tool's output only when it does not. */
export function toolCheck(name: string, call: ToolCall, teardown: Teardown): Step {
  return {
    name,
    async run() {
      const { code, output } = await runTool(call, false, teardown);
      if (code === 0) return PASSED;
      console.log(output.trimEnd());
      return FAILED;
    },
  };
}
