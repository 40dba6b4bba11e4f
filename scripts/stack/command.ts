import { asProblem, problemText } from '../bootstrap/problem.mjs';
import { stopPrograms } from './programs.ts';
import { thisProject } from './project.ts';

const INTERRUPTED = 130;

/**
 * Runs a command of this project to its end and sets the exit code: the one it resolves with, or `failed` when it throws, which is
 * shown with the hint. The programs it started, an embedded database for example, are stopped at the end and on a signal.
 */
export async function runCommand(
  run: () => Promise<number>,
  { failed = 2, hint = `Logs: ${thisProject().logs}` }: { readonly failed?: number; readonly hint?: string } = {},
): Promise<void> {
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP', 'disconnect'] as const) {
    process.once(name, () => void stopPrograms().then(() => process.exit(INTERRUPTED)));
  }
  try {
    process.exitCode = await run();
  } catch (error) {
    console.error(problemText(asProblem(error, [hint])));
    process.exitCode = failed;
  }
  await stopPrograms();
}
