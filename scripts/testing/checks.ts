import { setPriority } from 'node:os';
import { join } from 'node:path';
import { startProgram } from '../stack/programs.ts';
import type { Project } from '../stack/project.ts';
import { FAILED, PASSED, type Tally } from './runner-reports.ts';

/** Niceness with which a process gets a third of a processor that it shares with one of the usual priority. */
const BEHIND_OTHERS = 4;

/** A part of a run, with a heading and a duration of its own. */
export interface Step {
  readonly name: string;
  /** Runs it, with the output of its runner in this log, or on the terminal when there is none. */
  run(log?: string): Promise<Tally>;
}

/**
 * Runs a command of the packages, which are on the PATH, with its output in this log, or on the terminal when there is none. It leaves the
 * processors to others when they are short: the product answers within limits of time in the journeys. Resolves with its exit code.
 */
export async function runTool(command: string, args: readonly string[], cwd: string, log?: string): Promise<number> {
  const program = { command, args, cwd, env: process.env };
  const { process: tool, exited } = startProgram(log === undefined ? program : { ...program, log });
  setPriority(tool.pid, BEHIND_OTHERS);
  return (await exited).code;
}

/** Checks that read the code without running it. Formatting and lint look at these paths alone when some are given. */
export function checks(project: Project, paths: readonly string[] = []): Step[] {
  const lint = ['ci', '--colors=off', '--diagnostic-level=error', '--no-errors-on-unmatched', ...paths];
  return [
    step('format and lint', (log) => runTool('biome', lint, project.root, log)),
    step('types', (log) => checkTypes(project, log)),
    step('boundaries', (log) => runTool('turbo', ['boundaries', '--no-color'], project.root, log)),
    step('nothing unused', (log) => runTool('knip', KNIP, project.root, log)),
  ];
}

/** Only what changed since its last run is read again. */
const KNIP = ['--no-progress', '--cache', '--cache-location', '.local/knip'];

function step(name: string, run: (log?: string) => Promise<number>): Step {
  return { name, run: async (log) => ((await run(log)) === 0 ? PASSED : FAILED) };
}

/**
 * Checks the types of everything: one program of what Node runs and one of the pages, at once. Each is incremental, so that a file is
 * checked again when it changed, or when a type that it uses did. Resolves with 0 when both are right.
 */
export async function checkTypes({ root }: Project, log?: string): Promise<number> {
  // More threads would check the libraries' types again in each.
  const compile = ['--checkers', '1'];
  const web = join(root, 'apps', 'web');
  const [node, pages] = await Promise.all([
    runTool('tsc', compile, root, log),
    runTool('next', ['typegen'], web, log).then((code) => code || runTool('tsc', compile, web, log)),
  ]);
  return node || pages;
}
