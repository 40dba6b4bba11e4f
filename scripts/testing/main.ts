/**
 * `npm test`, for every change: checks, suites, and the journeys of each person's main task, each with a heading and its duration, and the sum
 * at the end. `npm run test:all`, for a night and a release: all journeys, the long suites, and suites and pages on a Citus cluster too; its
 * result is also in `.local/test-results/all.json`. Journeys run at the same time as suites, since both often wait. The output of all but the
 * suites comes when a part has ended. `npm test -- checks`, `unit`, `night`, `citus`, `e2e` or `pages` runs one part; further arguments go to
 * its runner: `npm test -- unit packages/routing`.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readText } from '../bootstrap/files.mjs';
import { asProblem, problemText } from '../bootstrap/problem.mjs';
import { runCommand } from '../stack/command.ts';
import { seconds } from '../stack/progress.ts';
import { thisProject } from '../stack/project.ts';
import { checks, type Step } from './checks.ts';
import { FAILED, slowest, type Tally } from './runner-reports.ts';
import { generated, journeys, journeysOnCitus, MAIN_JOURNEYS, pages, pagesOnCitus, suites } from './steps.ts';

const FAILURES_MAX = 20;
const SLOWEST_MAX = 10;

interface Outcome extends Tally {
  readonly name: string;
  readonly seconds: number;
}

const ALL = '--all';
const isAll = process.argv.includes(ALL);
const project = thisProject();
const startedAt = Date.now();

/** Parts that can be run alone. What follows the name of one goes to its runner. */
const PARTS: Readonly<Record<string, (filters: readonly string[]) => Step[]>> = {
  checks: () => checks(project),
  unit: (filters) => [suites(project, 'unit', filters)],
  night: (filters) => [pages(project), suites(project, 'night', filters)],
  citus: (filters) => [suites(project, 'citus', filters)],
  e2e: (filters) => [pages(project), journeys(project, filters.length === 0 ? MAIN_JOURNEYS : filters)],
  'pages-on-citus': () => [pages(project), pagesOnCitus(project)],
  'e2e-on-citus': (filters) => [pages(project), journeysOnCitus(project, filters)],
};

/** The steps of the part that the arguments name. Ends the process when there is none of that name. */
function stepsOfPart([name = '', ...filters]: readonly string[]): Step[] {
  const part = PARTS[name];
  if (part) return part(filters);
  console.error(`"${name}" is no part of the tests. There are: ${Object.keys(PARTS).join(', ')}.`);
  process.exit(2);
}

async function runStep(step: Step, log?: string): Promise<Outcome> {
  const began = Date.now();
  if (log === undefined) console.log(`\n── ${step.name}`);
  else rmSync(log, { force: true });
  const tally = await step.run(log).catch((error) => {
    console.log(problemText(asProblem(error, [`Logs: ${project.logs}`])));
    return FAILED;
  });
  if (log !== undefined) console.log(`\n── ${step.name}\n${readText(log) ?? ''}`);
  console.log(`${tally.failed === 0 ? '✓' : '✗'} ${step.name}, ${seconds(began)}`);
  return { name: step.name, seconds: (Date.now() - began) / 1_000, ...tally };
}

async function runSteps(steps: readonly Step[], logOf?: (step: Step) => string): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const step of steps) outcomes.push(await runStep(step, logOf?.(step)));
  return outcomes;
}

async function runAll(): Promise<Outcome[]> {
  const words = process.argv.slice(2).filter((word) => word !== ALL);
  const part = words.length > 0 ? stepsOfPart(words) : undefined;
  const first = await runStep(generated(project));
  if (first.failed > 0) return [first]; // nothing else would even compile
  if (part) return [first, ...(await runSteps(part))];
  const night = isAll ? [suites(project, 'night', []), pagesOnCitus(project), suites(project, 'citus', [])] : [];
  const rest = [...night, ...checks(project)];
  const logOf = ({ name }: Step): string => join(project.logs, `${name}.log`);
  const takeRest = async (): Promise<Outcome[]> => {
    const step = rest.shift();
    return step === undefined ? [] : [await runStep(step, logOf(step)), ...(await takeRest())];
  };
  const [unit, others] = await Promise.all([
    runStep(suites(project, 'unit', [])).then(async (done) => [...(await takeRest()), done]),
    runSteps([pages(project), journeys(project, isAll ? [] : MAIN_JOURNEYS)], logOf).then(async (done) => [
      ...done,
      ...(await takeRest()),
    ]),
  ]);
  return [first, ...others, ...unit];
}

/** Repeats the failures by name at the end of the output, which is read first. */
function printFailures(outcomes: readonly Outcome[]): void {
  const failures = outcomes.flatMap((each) => each.failures).slice(0, FAILURES_MAX);
  if (failures.length === 0) return;
  console.log('\n── what failed');
  for (const { name, reason } of failures) console.log(`✗ ${name}\n${reason.replaceAll(/^/gm, '    ')}`);
}

/** Prints the suites whose tests took longest: where time is to be won. */
function printSlowest(outcomes: readonly Outcome[]): void {
  const lines = slowest(
    outcomes.flatMap(({ suites }) => suites),
    SLOWEST_MAX,
  );
  if (lines.length > 0) console.log(`\n── the slowest suites\n${lines.join('\n')}`);
}

/** Prints the sum; its last line has a form that programs read: `N passed, N failed`. Returns whether everything passed. */
function summarise(outcomes: readonly Outcome[]): boolean {
  const sum = (of: 'passed' | 'failed' | 'skipped'): number => outcomes.reduce((total, each) => total + each[of], 0);
  printSlowest(outcomes);
  printFailures(outcomes);
  console.log(`\n── summary, after ${seconds(startedAt)}`);
  for (const { name, failed, passed, seconds: took } of outcomes) {
    const count = failed > 0 ? `${failed} failed` : passed > 1 ? `${passed} passed` : '';
    console.log(`${failed === 0 ? '✓' : '✗'} ${name.padEnd(50)} ${`${took.toFixed(1)} s`.padStart(9)}  ${count}`);
  }
  const skipped = sum('skipped') > 0 ? `, ${sum('skipped')} skipped` : '';
  if (isAll) writeResult(outcomes);
  console.log(`\n${sum('passed')} passed, ${sum('failed')} failed${skipped}`);
  return sum('failed') === 0;
}

/** Keeps the result of a whole run, with the commit that it is of. */
function writeResult(outcomes: readonly Outcome[]): void {
  const describe = ['describe', '--always', '--dirty', '--abbrev=40'];
  const { stdout } = spawnSync('git', describe, { cwd: project.root, encoding: 'utf8' });
  const parts = outcomes.map(({ failures: _, suites: __, ...counts }) => counts);
  const result = { commit: stdout.trim(), at: new Date(startedAt), seconds: (Date.now() - startedAt) / 1_000, parts };
  writeFileSync(join(project.local, 'test-results', 'all.json'), `${JSON.stringify(result, null, 2)}\n`);
}

// Each runner sets its own; one from outside would turn tests into something else.
Reflect.deleteProperty(process.env, 'NODE_ENV');
mkdirSync(project.logs, { recursive: true });
await runCommand(async () => (summarise(await runAll()) ? 0 : 1));
process.exit(); // the channel to the parent process would keep this one running
