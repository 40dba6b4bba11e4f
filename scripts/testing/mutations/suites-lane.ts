import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { z } from 'zod';
import { serveTasks } from '../../../e2e/simulate/lanes.ts';
import type { MutationResult, MutationTask } from '../../../e2e/simulate/mutations/level.ts';
import { openSuites } from './suites-of.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..');
/** Seconds for one suite without the bug. */
const CONTROL_SECONDS = 120;
const VITEST = join(ROOT, 'node_modules', 'vitest', 'vitest.mjs');

const report = z.object({
  testResults: z.array(
    z.object({
      name: z.string(),
      message: z.string().optional(),
      assertionResults: z.array(z.object({ status: z.string(), fullName: z.string() })),
    }),
  ),
});

/** Runs suites with one bug after the other, those first that are nearest to it, until a test fails. */
const suitesFor = openSuites();
serveTasks(async ({ mutation: { file, search, replace }, seconds }: MutationTask): Promise<MutationResult> => {
  const edit = { file, search, replace };
  const found = await runSuites(edit, suitesFor(edit), seconds);
  if (found.suite === null) return found;
  // A suite that fails without the bug as well has found nothing.
  const control = await runSuites(null, [found.suite], CONTROL_SECONDS);
  return control.by === null && control.runs === 1 ? found : { ...found, by: null };
});

interface SuitesResult extends MutationResult {
  /** The suite that failed; null when none did. */
  readonly suite: string | null;
}

/** Runs suites with a bug, or as the code is. */
function runSuites(edit: object | null, suites: readonly string[], seconds: number): Promise<SuitesResult> {
  if (suites.length === 0) return Promise.resolve({ by: null, suite: null, runs: 0, seconds: 0 });
  const folder = mkdtempSync(join(tmpdir(), 'switchyard-mutation-'));
  const file = join(folder, 'report.json');
  const begunAt = performance.now();
  const child = spawn(
    process.execPath,
    [VITEST, 'run', '--config', 'scripts/testing/mutations/vitest.config.ts', '--reporter=json', `--outputFile=${file}`],
    {
      cwd: ROOT,
      detached: true,
      env: { ...process.env, SWITCHYARD_MUTATION: JSON.stringify(edit), SWITCHYARD_SUITES: JSON.stringify(suites) },
      stdio: 'ignore',
    },
  );
  return new Promise((resolve, reject) => {
    // With what it started: a server, workers, and what a suite starts.
    const end = (): boolean => child.pid === undefined || process.kill(-child.pid, 'SIGTERM');
    const timer = setTimeout(end, seconds * 1_000);
    process.once('exit', end);
    child.once('error', reject);
    child.once('exit', () => {
      clearTimeout(timer);
      process.off('exit', end);
      const took = (performance.now() - begunAt) / 1_000;
      resolve({ ...readReport(file), seconds: took });
      rmSync(folder, { recursive: true, force: true });
    });
  });
}

/** First failure of a report; nothing where there is none, as time was up. */
function readReport(file: string): Omit<SuitesResult, 'seconds'> {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    return { by: null, suite: null, runs: 0 };
  }
  const { testResults } = report.parse(JSON.parse(text));
  const tests = testResults.flatMap(({ name, message = '', assertionResults }) => [
    ...assertionResults.map(({ status, fullName }) => ({ suite: name, status, test: fullName })),
    ...(message === '' ? [] : [{ suite: name, status: 'failed', test: message }]),
  ]);
  const runs = new Set(tests.filter(({ status }) => status === 'passed' || status === 'failed').map(({ suite }) => suite)).size;
  const failed = tests.find(({ status }) => status === 'failed');
  if (failed === undefined) return { by: null, suite: null, runs };
  const suite = relative(ROOT, failed.suite);
  return { by: `\`${suite}\`: ${failed.test}`, suite, runs };
}
