import { join, relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import type { JSONReport, JSONReportSuite } from '@playwright/test/reporter';
import type { JsonTestResults } from 'vitest/node';
import { readText } from '../bootstrap/files.mjs';
import { thisProject } from '../stack/project.ts';

/** A test that failed: where and which it is, and the first lines of why. */
export interface Failure {
  readonly name: string;
  readonly reason: string;
}

/** How many tests a step ran, and how they ended. A check that is not a suite counts as one test. */
export interface Tally {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly failures: readonly Failure[];
  /** How long each suite took, in any order; none for a check. */
  readonly suites: readonly SuiteTime[];
}

/** A suite, by its file from the project's root, and how long it ran. */
export interface SuiteTime {
  readonly file: string;
  readonly seconds: number;
}

export const PASSED: Tally = { passed: 1, failed: 0, skipped: 0, failures: [], suites: [] };
export const FAILED: Tally = { passed: 0, failed: 1, skipped: 0, failures: [], suites: [] };

const REASON_LINES = 12;

/** The result in vitest's JSON report of a run, given the runner's exit code. Without a report the run counts as failed. */
export function readVitestReport(file: string, code: number): Tally {
  const text = readText(file);
  if (text === undefined) return FAILED;
  const {
    numPassedTests: passed,
    numFailedTests: failed,
    numPendingTests: skipped,
    testResults,
  }: JsonTestResults = JSON.parse(text);
  const failures = testResults.flatMap(({ name, status, message, assertionResults }) => {
    const tests = assertionResults.filter((test) => test.status === 'failed');
    if (tests.length > 0) return tests.map((test) => failure(`${name} › ${test.fullName}`, test.failureMessages?.join('\n')));
    return status === 'failed' ? [failure(name, message)] : [];
  });
  const suites = testResults.map(({ name, startTime, endTime }) => suiteTime(name, endTime - startTime));
  return withExitCode({ passed, failed, skipped, failures, suites }, code);
}

/** The result in Playwright's JSON report of a run, given the runner's exit code. Without a report the run counts as failed. */
export function readPlaywrightReport(file: string, code: number): Tally {
  const text = readText(file);
  if (text === undefined) return FAILED;
  const { config, stats, errors, suites }: JSONReport = JSON.parse(text);
  const failures = [...errors.map(({ message }) => failure('Playwright', message)), ...suites.flatMap(failuresIn)];
  const { expected, flaky, unexpected, skipped } = stats;
  const times = suites.map((suite) => suiteTime(join(config.rootDir, suite.file), durationMs(suite)));
  return withExitCode({ passed: expected + flaky, failed: unexpected, skipped, failures, suites: times }, code);
}

function durationMs({ specs, suites = [] }: JSONReportSuite): number {
  const results = specs.flatMap(({ tests }) => tests).flatMap((test) => test.results);
  return sum(results.map(({ duration }) => duration)) + sum(suites.map(durationMs));
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);

function suiteTime(file: string, ms: number): SuiteTime {
  return { file: relative(thisProject().root, file), seconds: ms / 1_000 };
}

/** Lines that name the suites that took longest, at most as many as given, the longest first. */
export function slowest(suites: readonly SuiteTime[], limit: number): string[] {
  const longest = suites.toSorted((one, other) => other.seconds - one.seconds).slice(0, limit);
  return longest.map(({ file, seconds }) => `${seconds.toFixed(1).padStart(7)} s  ${file}`);
}

function failuresIn({ specs, suites = [] }: JSONReportSuite): Failure[] {
  const own = specs
    .filter(({ ok }) => !ok)
    .map(({ file, title, tests }) => {
      const errors = tests.flatMap(({ results }) => results).flatMap((result) => result.errors);
      return failure(`${file} › ${title}`, errors[0]?.message);
    });
  return [...own, ...suites.flatMap(failuresIn)];
}

function failure(name: string, reason = ''): Failure {
  const lines = stripVTControlCharacters(reason).trimEnd().split('\n');
  return { name, reason: lines.slice(0, REASON_LINES).join('\n') };
}

/** A runner that failed without a failed test (a file that cannot be loaded, say) counts as one. */
function withExitCode(tally: Tally, code: number): Tally {
  return code !== 0 && tally.failed === 0 ? { ...tally, failed: 1 } : tally;
}
