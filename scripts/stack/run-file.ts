import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import { writeWhole } from './files.ts';
import { errorCode, Problem } from './problem.ts';
import { endProcess, identify, isRunning, type ProcessIdentity } from './processes.ts';
import type { Project } from './project.ts';

const identitySchema = z.object({ pid: z.number().int().positive(), startedAt: z.string() });
const runSchema = z.object({
  owner: identitySchema,
  /** Null until it is known. */
  webUrl: z.string().nullable(),
  databaseUrl: z.string().nullable(),
  /** In the order they were started. */
  processes: z.array(identitySchema),
});

/** What is running from this project's folder. */
export type Run = z.infer<typeof runSchema>;

/** The claim of one process on the local files of the project. */
export interface RunClaim {
  update(change: Partial<Omit<Run, 'owner'>>): void;
  addProcess(process: ProcessIdentity): void;
  release(): void;
}

const STOP_GRACE_MS = 10_000;

function readRun(file: string): Run | undefined {
  try {
    return runSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return undefined;
  }
}

/** The running start of this project; undefined when none is running. */
export function currentRun(project: Project): Run | undefined {
  const run = readRun(project.runFile);
  return run && isRunning(run.owner) ? run : undefined;
}

function alreadyRunning(run: Run): Problem {
  const { pid } = run.owner;
  return new Problem(`Switchyard is already running from this folder (process ${pid}).`, [
    run.webUrl ? `It answers at ${run.webUrl}` : 'It is still starting.',
    `Stop it by Ctrl-C in its terminal, or by: kill ${pid}`,
  ]);
}

/** Ends the processes of an earlier start that was killed. Each is identified by its start time, not its id alone. */
async function endStaleProcesses(file: string): Promise<void> {
  const stale = `${file}.${process.pid}.stale`;
  renameSync(file, stale);
  const left = readRun(stale)?.processes ?? [];
  for (const each of left.reverse()) await endProcess(each, ['SIGTERM', 'SIGKILL'], STOP_GRACE_MS);
  rmSync(stale);
}

/**
 * Claims the project's local files for this process, so that two starts never work on the same data. Throws a Problem that
 * gives the address when a start from this folder is running; cleans up after one that was killed.
 */
export async function claimRun(project: Project): Promise<RunClaim> {
  const owner = identify(process.pid);
  if (!owner) throw new Error('This process cannot be found in the list of processes');
  let run: Run = { owner, webUrl: null, databaseUrl: null, processes: [] };
  try {
    writeFileSync(project.runFile, JSON.stringify(run), { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
    const other = currentRun(project);
    if (other) throw alreadyRunning(other);
    await endStaleProcesses(project.runFile);
    return claimRun(project);
  }
  const update = (change: Partial<Omit<Run, 'owner'>>): void => {
    run = { ...run, ...change };
    writeWhole(project.runFile, JSON.stringify(run));
  };
  return {
    update,
    addProcess: (each) => update({ processes: [...run.processes, each] }),
    release: () => rmSync(project.runFile, { force: true }),
  };
}
