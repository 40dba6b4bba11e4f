/**
 * `npm start`: starts everything, prints the addresses, and runs until it is stopped. `npm run dev` is the same with `--dev`: pages
 * follow their sources at once, and each program starts again when what it is made of changes.
 */
import { appendFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { asProblem, noWriteAccess, problemText } from '../bootstrap/problem.mjs';
import { announcement } from './demo.ts';
import { followSources } from './follow-sources.ts';
import { stopPrograms } from './programs.ts';
import { print, seconds } from './progress.ts';
import { thisProject } from './project.ts';
import { type Stack, startStack } from './stack.ts';

/** A second request to stop counts only after this long: one Ctrl-C can arrive by way of npm as well. */
const IMPATIENT_MS = 1_000;

const project = thisProject(process.env.SWITCHYARD_LOCAL_DIR);
let stack: Stack | undefined;
let stoppedAt: number | undefined;

function report(error: unknown): void {
  const log = join(project.logs, 'start.log');
  const problem = asProblem(error, [`Details: ${log}`]);
  console.error(`\n${problemText(problem)}`);
  try {
    mkdirSync(project.logs, { recursive: true });
    appendFileSync(log, `${new Date().toISOString()} ${problem.stack ?? ''}\n`);
  } catch {
    // the error is on the console; a log that cannot be written is no further error
  }
}

async function leave(code: number): Promise<never> {
  await stopPrograms();
  stack?.release();
  process.exit(code);
}

function stop(): void {
  const now = Date.now();
  if (stoppedAt === undefined) {
    stoppedAt = now;
    console.log('\n  Stopping …');
    void leave(0);
  } else if (now - stoppedAt > IMPATIENT_MS) {
    process.exit(1); // what still runs is ended without this process
  }
}

// A terminal that was closed takes no more words; that must not keep the rest from being stopped.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, stop);
process.on('disconnect', stop); // the parent process has exited

async function main(): Promise<void> {
  const startedAt = Number(process.env.SWITCHYARD_STARTED_AT ?? Date.now());
  try {
    mkdirSync(project.local, { recursive: true });
  } catch (error) {
    throw noWriteAccess(project.local, error);
  }
  const development = process.argv.includes('--dev');
  stack = await startStack(project, process.env, { development });
  if (development) followSources(project, stack);
  print(`${announcement(stack, project, seconds(startedAt))}\n`);
  const died = stack.died.then((problem) => Promise.reject(problem));
  await Promise.race([stack.pages, died]);
  await died;
}

main().catch(async (error) => {
  if (stoppedAt !== undefined) return; // it was stopped while starting
  report(error);
  await leave(1);
});
