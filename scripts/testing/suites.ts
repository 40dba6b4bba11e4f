import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { arePagesCurrent, buildPages } from '../stack/pages.ts';
import type { Project } from '../stack/project.ts';
import { currentRun } from '../stack/run-file.ts';
import type { Teardown } from '../stack/teardown.ts';
import { FAILED, PASSED, runTool, type Step, type Tally } from './step.ts';

const vitestReport = z.object({ numPassedTests: z.number(), numFailedTests: z.number(), numPendingTests: z.number() });
const playwrightReport = z.object({
  stats: z.object({ expected: z.number(), unexpected: z.number(), flaky: z.number(), skipped: z.number() }),
});

/** A report as JSON; undefined when the runner wrote none. */
function readReport(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

/** A runner that failed without a failed test (a file that cannot be loaded, say) counts as one. */
function held(tally: Tally, code: number): Tally {
  return code !== 0 && tally.failed === 0 ? { ...tally, failed: 1 } : tally;
}

/** Builds the pages when they are not those of the sources: some suites serve them. */
export function pages(project: Project, teardown: Teardown): Step {
  return {
    name: 'pages',
    async run() {
      if (arePagesCurrent(project)) return PASSED;
      const running = currentRun(project);
      if (running) console.log(`The start at ${running.webUrl} serves pages that are being replaced: start it again afterwards.`);
      await buildPages(project, process.env, teardown);
      return PASSED;
    },
  };
}

/** Unit, property, integration and contract suites: everything beside the code that vitest finds. */
export function vitestSuites(project: Project, filters: readonly string[], teardown: Teardown): Step {
  return {
    name: 'unit, integration and contract tests',
    async run() {
      const file = join(project.local, 'test-results', 'vitest.json');
      rmSync(file, { force: true });
      const args = ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${file}`, ...filters];
      const { code } = await runTool({ program: 'vitest', args, cwd: project.root }, true, teardown);
      const report = vitestReport.safeParse(readReport(file));
      if (!report.success) return FAILED;
      const { numPassedTests: passed, numFailedTests: failed, numPendingTests: skipped } = report.data;
      return held({ passed, failed, skipped }, code);
    },
  };
}

/** The browser journeys, against a stack that is already running. */
export async function playwrightJourneys(
  project: Project,
  env: NodeJS.ProcessEnv,
  filters: readonly string[],
  teardown: Teardown,
): Promise<Tally> {
  const file = join(project.local, 'test-results', 'journeys.json');
  rmSync(file, { force: true });
  const call = { program: 'playwright', args: ['test', ...filters], cwd: join(project.root, 'e2e') };
  const { code } = await runTool({ ...call, env: { ...process.env, ...env, JOURNEYS_REPORT: file } }, true, teardown);
  const report = playwrightReport.safeParse(readReport(file));
  if (!report.success) return FAILED;
  const { expected, unexpected, flaky, skipped } = report.data.stats;
  return held({ passed: expected + flaky, failed: unexpected, skipped }, code);
}
