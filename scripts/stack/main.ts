/** `npm start`: starts everything, prints the addresses, and runs until it is stopped. */
import { appendFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createProgress, seconds } from '../bootstrap/progress.mjs';
import { announcement } from './announcement.ts';
import { dismissGuard } from './guard.ts';
import { asProblem, noWriteAccess } from './problem.ts';
import { type Project, thisProject } from './project.ts';
import { startStack } from './stack.ts';
import { createTeardown, Interrupted } from './teardown.ts';

/** A second request to stop counts only after this long: one Ctrl-C can arrive by way of npm as well. */
const IMPATIENT_MS = 1_000;

const project = thisProject(process.env.SWITCHYARD_LOCAL_DIR);
const teardown = createTeardown();

function tell(error: unknown, { logs }: Project): void {
  const log = join(logs, 'start.log');
  const problem = asProblem(error, log);
  console.error(`\n${problem.message}\n${problem.hints.map((hint) => `  ${hint}`).join('\n')}`);
  try {
    mkdirSync(logs, { recursive: true });
    appendFileSync(log, `${new Date().toISOString()} ${problem.stack ?? ''}\n`);
  } catch {
    // the error is on the console; a log that cannot be written is no further error
  }
}

async function leave(code: number): Promise<never> {
  await teardown.run();
  await dismissGuard();
  process.exit(code);
}

let asked = 0;
function stop(): void {
  const now = Date.now();
  if (asked === 0) {
    asked = now;
    console.log('\n  Stopping …');
    leave(0).catch((error) => {
      tell(error, project);
      process.exit(1);
    });
  } else if (now - asked > IMPATIENT_MS) {
    process.exit(1); // the guard ends what is left
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
  const stack = await startStack({ project, user: process.env, progress: createProgress(), teardown });
  console.log(announcement(stack.demo, project, seconds(startedAt)));
  throw await stack.died;
}

main().catch(async (error) => {
  if (!(error instanceof Interrupted) && asked === 0) {
    tell(error, project);
    await leave(1);
  }
});
