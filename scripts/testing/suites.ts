import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { arePagesCurrent, buildPages } from '../stack/pages.ts';
import type { Project } from '../stack/project.ts';
import { currentRun } from '../stack/run-file.ts';
import type { Teardown } from '../stack/teardown.ts';
import { readPlaywrightReport, readVitestReport } from './runner-reports.ts';
import { PASSED, runTool, type Step, type Tally } from './step.ts';

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
      return readVitestReport(file, code);
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
  return readPlaywrightReport(file, code);
}
