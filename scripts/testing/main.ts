/**
 * `npm test`: everything, in order, with a heading and a duration each, and the sum at the end. `npm test -- checks`, `unit` or
 * `e2e` runs one part; what follows such a word goes to its runner: `npm test -- unit packages/routing`.
 */
import { mkdirSync } from 'node:fs';
import { asProblem, problemText } from '../bootstrap/problem.mjs';
import { seconds } from '../bootstrap/progress.mjs';
import { stopPrograms } from '../stack/programs.ts';
import { thisProject } from '../stack/project.ts';
import { FAILED, type Tally } from './runner-reports.ts';
import { checks, client, journeys, pages, type Step, suites } from './steps.ts';

const PARTS = ['checks', 'unit', 'e2e'] as const;
type Part = (typeof PARTS)[number];
const FAILURES_MAX = 20;
const INTERRUPTED = 130;

interface Outcome extends Tally {
  readonly name: string;
  readonly seconds: number;
}

const project = thisProject();
const startedAt = Date.now();

/** Splits the arguments into the part that is wanted (all when none is named) and what goes to its runner. */
function readArguments(args: readonly string[]): { parts: readonly Part[]; filters: string[] } {
  const part = PARTS.find((each) => each === args[0]);
  if (part) return { parts: [part], filters: args.slice(1) };
  if (args.length === 0) return { parts: PARTS, filters: [] };
  console.error(`"${args[0]}" is no part of the tests. There are: ${PARTS.join(', ')}.`);
  process.exit(2);
}

function stepsOf(part: Part, filters: readonly string[]): Step[] {
  switch (part) {
    case 'checks':
      return checks(project);
    case 'unit':
      return [suites(project, filters)];
    case 'e2e':
      return [pages(project), journeys(project, filters)];
    default:
      return part satisfies never;
  }
}

async function runStep(step: Step): Promise<Outcome> {
  const began = Date.now();
  console.log(`\n── ${step.name}`);
  const tally = await step.run().catch((error) => {
    console.log(problemText(asProblem(error, [`Logs: ${project.logs}`])));
    return FAILED;
  });
  console.log(`${tally.failed === 0 ? '✓' : '✗'} ${step.name}, ${seconds(began)}`);
  return { name: step.name, seconds: (Date.now() - began) / 1_000, ...tally };
}

async function runAll(): Promise<Outcome[]> {
  const { parts, filters } = readArguments(process.argv.slice(2));
  const outcomes = [await runStep(client(project))];
  if (outcomes.some(({ failed }) => failed > 0)) return outcomes; // nothing else would even compile
  for (const step of parts.flatMap((part) => stepsOf(part, filters))) outcomes.push(await runStep(step));
  return outcomes;
}

/** Repeats the failures by name at the end of the output, which is read first. */
function printFailures(outcomes: readonly Outcome[]): void {
  const failures = outcomes.flatMap((each) => each.failures).slice(0, FAILURES_MAX);
  if (failures.length === 0) return;
  console.log('\n── what failed');
  for (const { name, reason } of failures) console.log(`✗ ${name}\n${reason.replaceAll(/^/gm, '    ')}`);
}

/** Prints the sum; its last line has a form that programs read: `N passed, N failed`. Returns whether everything passed. */
function summarise(outcomes: readonly Outcome[]): boolean {
  const sum = (of: 'passed' | 'failed' | 'skipped'): number => outcomes.reduce((total, each) => total + each[of], 0);
  printFailures(outcomes);
  console.log(`\n── summary, after ${seconds(startedAt)}`);
  for (const { name, failed, passed, seconds: took } of outcomes) {
    const count = failed > 0 ? `${failed} failed` : passed > 1 ? `${passed} passed` : '';
    console.log(`${failed === 0 ? '✓' : '✗'} ${name.padEnd(50)} ${`${took.toFixed(1)} s`.padStart(9)}  ${count}`);
  }
  const skipped = sum('skipped') > 0 ? `, ${sum('skipped')} skipped` : '';
  console.log(`\n${sum('passed')} passed, ${sum('failed')} failed${skipped}`);
  return sum('failed') === 0;
}

for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP', 'disconnect'] as const) {
  process.on(name, async () => {
    await stopPrograms();
    process.exit(INTERRUPTED);
  });
}

// Each runner sets its own; one from outside would turn tests into something else.
Reflect.deleteProperty(process.env, 'NODE_ENV');
mkdirSync(project.logs, { recursive: true });
const outcomes = await runAll();
await stopPrograms();
process.exit(summarise(outcomes) ? 0 : 1);
