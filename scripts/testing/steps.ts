import { mkdirSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { holderOf } from '../bootstrap/claim.mjs';
import { problemText } from '../bootstrap/problem.mjs';
import { arePagesCurrent, buildPages, generateClient, generateTypes } from '../stack/builds.ts';
import { inDatabase, withConnection } from '../stack/database.ts';
import { startProgram } from '../stack/programs.ts';
import { type Project, thisProject } from '../stack/project.ts';
import { startStack } from '../stack/stack.ts';
import { findBrowser } from './browser.ts';
import { runTool, type Step } from './checks.ts';
import { startThrowawayCluster } from './citus/cluster.ts';
import { PASSED, readPlaywrightReport, readVitestReport, type Tally } from './runner-reports.ts';
import type { SuiteName } from './suites.ts';

const JOURNEYS_DATABASE = 'switchyard_journeys';
/** Variables that the user set for another stack. */
const OF_ANOTHER_STACK = /^(DATABASE_URL|PORT|SANDBOX_.*|SWITCHYARD_.*)$/;
const ANY_PORT = '0';

/** Generates the database client and the types of the REST API, so that everything after is checked against the current ones. */
export function generated(project: Project): Step {
  return {
    name: 'generated code',
    async run() {
      await generateClient(project);
      await generateTypes(project);
      return PASSED;
    },
  };
}

const TITLES = {
  unit: 'unit, integration and contract tests',
  night: 'suites at night',
  citus: 'suites on Citus',
} as const satisfies Record<SuiteName, string>;

/** Suites that vitest runs, by their name. `filters` are arguments of vitest; without any all are run. */
export function suites(project: Project, name: SuiteName, filters: readonly string[]): Step {
  return {
    name: TITLES[name],
    async run(log) {
      const report = emptyReport(project, name);
      const args = [
        'run',
        `--project=${name}`,
        '--reporter=default',
        '--reporter=json',
        `--outputFile.json=${report}`,
        ...filters,
      ];
      return readVitestReport(report, await runTool('vitest', args, project.root, log));
    },
  };
}

/** Where a runner writes its report, without that of an earlier run. */
function emptyReport({ local }: Project, name: string): string {
  const report = join(local, 'test-results', `${name}.json`);
  rmSync(report, { force: true });
  return report;
}

/** Builds the pages when they are not those of the sources: some suites serve them. */
export function pages(project: Project): Step {
  return {
    name: 'pages',
    async run() {
      if (arePagesCurrent(project)) return PASSED;
      const url = holderOf(project.runFile)?.webUrl;
      if (url) console.log(`The start at ${url} serves pages that are being replaced: start it again afterwards.`);
      await buildPages(project, process.env);
      return PASSED;
    },
  };
}

/** Journeys that show each person's main task, by their tag. */
export const MAIN_JOURNEYS: readonly string[] = ['--grep', '@main'];

/**
 * The journeys of people through the product in a real browser, against everything that `npm start` starts, with data, secrets
 * and ports of its own. `filters` are arguments of Playwright; without any all are run.
 */
export function journeys(project: Project, filters: readonly string[]): Step {
  return {
    name: 'browser journeys',
    run: async (log) => runJourneys(project, filters, { name: 'journeys', DATABASE_URL: await databaseForJourneys() }, log),
  };
}

/** The journeys on a cluster of their own. */
export function journeysOnCitus(project: Project, filters: readonly string[]): Step {
  return { name: 'browser journeys on Citus', run: (log) => runOnCitus(project, filters, {}, log) };
}

/** Every page of the dashboard on a cluster of its own, opened once. */
export function pagesOnCitus(project: Project): Step {
  const settings = { SWITCHYARD_DEMO_WEEK: '0', CLUSTER: 'citus' };
  return { name: 'pages on Citus', run: (log) => runOnCitus(project, ['pages-of-a-cluster'], settings, log) };
}

/** Enough for rows of several merchants to be on both nodes. */
const SHARDS = 4;

type Settings = Readonly<Record<string, string>>;

async function runOnCitus(project: Project, filters: readonly string[], settings: Settings, log?: string): Promise<Tally> {
  const cluster = await startThrowawayCluster(project, { workers: 2, shards: SHARDS, database: 'journeys' });
  try {
    return await runJourneys(project, filters, { name: 'journeys-on-citus', DATABASE_URL: cluster.url, settings }, log);
  } finally {
    await cluster.stop();
  }
}

/** Where journeys run. */
interface Surroundings {
  /** Name of their folder below the project's own, and of their report. */
  readonly name: string;
  /** The embedded database when undefined. */
  readonly DATABASE_URL: string | undefined;
  /** Variables beside the user's. */
  readonly settings?: Settings;
}

async function runJourneys(
  project: Project,
  filters: readonly string[],
  { name, DATABASE_URL, settings = {} }: Surroundings,
  log?: string,
): Promise<Tally> {
  const browser = await findBrowser(project);
  const own = thisProject(join(project.local, name));
  resetFolder(own);
  const inherited = Object.fromEntries(Object.entries(process.env).filter(([each]) => !OF_ANOTHER_STACK.test(each)));
  const ports = { PORT: ANY_PORT, REPORTING_PORT: ANY_PORT, SANDBOX_PORT: ANY_PORT };
  const {
    demo,
    died,
    pages: served,
    stopServices,
  } = await startStack(own, { ...inherited, ...settings, ...ports, DATABASE_URL });
  await served;
  let death: string | undefined;
  void died.then((problem) => {
    death = problemText(problem);
  });
  const report = emptyReport(project, name);
  const env = {
    ...process.env,
    ...settings,
    WEB_URL: demo.webUrl,
    SANDBOX_URL: demo.sandboxUrl,
    DEMO_FILE: own.demoFile,
    CHROMIUM_PATH: browser ?? '',
    JOURNEYS_REPORT: report,
  };
  const playwright = { command: 'playwright', args: ['test', ...filters], cwd: join(project.root, 'e2e'), env };
  const { code } = await startProgram(log === undefined ? playwright : { ...playwright, log }).exited;
  const diedBefore = death;
  if (diedBefore) console.log(`\n${diedBefore}`);
  // They would go on working beside the suites.
  await stopServices();
  return readPlaywrightReport(report, diedBefore ? 1 : code);
}

/** Removes what an earlier run left, the database's files included, which may lie elsewhere behind a link. */
function resetFolder({ local, postgres }: Project): void {
  for (const folder of [postgres, local]) {
    try {
      rmSync(realpathSync(folder), { recursive: true });
    } catch {
      // there was none
    }
  }
  rmSync(local, { recursive: true, force: true });
  mkdirSync(local, { recursive: true });
}

/** A new database on the server that the user set aside for tests; undefined when there is none. */
async function databaseForJourneys(): Promise<string | undefined> {
  const admin = process.env.TEST_DATABASE_URL;
  if (!admin) return undefined;
  const drop = `DROP DATABASE IF EXISTS ${pg.escapeIdentifier(JOURNEYS_DATABASE)} WITH (FORCE)`;
  await withConnection(admin, (connection) => connection.query(drop));
  return inDatabase(admin, JOURNEYS_DATABASE);
}
