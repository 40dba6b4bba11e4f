import { readFileSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';
import { z } from 'zod';
import { FAILED, type Failure, type Tally } from './step.ts';

const REASON_LINES = 12;

const vitestReport = z.object({
  numPassedTests: z.number(),
  numFailedTests: z.number(),
  numPendingTests: z.number(),
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      message: z.string().nullish(),
      assertionResults: z.array(
        z.object({ status: z.string(), fullName: z.string(), failureMessages: z.array(z.string()).nullish() }),
      ),
    }),
  ),
});

const playwrightError = z.object({ message: z.string().optional() });
const playwrightSpec = z.object({
  title: z.string(),
  file: z.string(),
  ok: z.boolean(),
  tests: z.array(z.object({ results: z.array(z.object({ errors: z.array(playwrightError) })) })),
});
const playwrightSuite = z.object({
  specs: z.array(playwrightSpec),
  get suites() {
    return z.array(playwrightSuite).optional();
  },
});
const playwrightReport = z.object({
  stats: z.object({ expected: z.number(), unexpected: z.number(), flaky: z.number(), skipped: z.number() }),
  suites: z.array(playwrightSuite),
  errors: z.array(playwrightError),
});

/** A report as JSON; undefined when the runner wrote none. */
function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

function failure(name: string, reason: string | null | undefined): Failure {
  const lines = stripVTControlCharacters(reason ?? '')
    .trimEnd()
    .split('\n');
  return { name, reason: lines.slice(0, REASON_LINES).join('\n') };
}

/** A runner that failed without a failed test (a file that cannot be loaded, say) counts as one. */
function held(tally: Tally, code: number): Tally {
  return code !== 0 && tally.failed === 0 ? { ...tally, failed: 1 } : tally;
}

/** The result in vitest's JSON report of a run, given the runner's exit code. Without a report the run counts as failed. */
export function readVitestReport(file: string, code: number): Tally {
  const report = vitestReport.safeParse(readJson(file));
  if (!report.success) return FAILED;
  const { numPassedTests: passed, numFailedTests: failed, numPendingTests: skipped, testResults } = report.data;
  const failures = testResults.flatMap(({ name, status, message, assertionResults }) => {
    const tests = assertionResults.filter((test) => test.status === 'failed');
    if (tests.length > 0) return tests.map((test) => failure(`${name} › ${test.fullName}`, test.failureMessages?.join('\n')));
    return status === 'failed' ? [failure(name, message)] : [];
  });
  return held({ passed, failed, skipped, failures }, code);
}

function failuresIn(suite: z.infer<typeof playwrightSuite>): Failure[] {
  const own = suite.specs.filter(({ ok }) => !ok);
  const errorsOf = (spec: z.infer<typeof playwrightSpec>) =>
    spec.tests.flatMap((test) => test.results).flatMap(({ errors }) => errors);
  return [
    ...own.map((spec) => failure(`${spec.file} › ${spec.title}`, errorsOf(spec)[0]?.message)),
    ...(suite.suites ?? []).flatMap(failuresIn),
  ];
}

/** The result in Playwright's JSON report of a run, given the runner's exit code. Without a report the run counts as failed. */
export function readPlaywrightReport(file: string, code: number): Tally {
  const report = playwrightReport.safeParse(readJson(file));
  if (!report.success) return FAILED;
  const { expected, unexpected, flaky, skipped } = report.data.stats;
  const failures = [
    ...report.data.errors.map(({ message }) => failure('Playwright', message)),
    ...report.data.suites.flatMap(failuresIn),
  ];
  return held({ passed: expected + flaky, failed: unexpected, skipped, failures }, code);
}
