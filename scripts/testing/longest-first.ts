import { readFileSync } from 'node:fs';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Suites that take longest: started last, one of them would delay the end of the run. First those that mostly wait, for processes of
 * their own or for limits of time, because the journeys leave them little of the processors; then those that compute all of the time; then
 * those in which no answer may be late, when the pages are built.
 */
const LONGEST = [
  'e2e/rest/fallback.test.ts',
  'prisma/seed/sandbox.test.ts',
  'scripts/stack/start.test.ts',
  'e2e/rest/once.test.ts',
  'e2e/gateways/every-gateway.test.ts',
  'prisma/seed/seed-demo.test.ts',
  'packages/payments/src/path/initiate/health-simulation.test.ts',
  'e2e/simulate/simulate.test.ts',
  'e2e/operations/rolling-restart.test.ts',
];

/** True if a suite asks for the environment of a browser, as the first line of its file. */
function needsDom({ moduleId }: TestSpecification): boolean {
  return readFileSync(moduleId, 'utf8').startsWith('// @vitest-environment happy-dom');
}

/**
 * Vitest's own order, which on a fresh machine is by file size, with the longest suites first and those that need a DOM last: a worker goes on
 * with the next suite, and the modules that it has loaded, only where that one needs the same environment.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const ranks = new Map(sorted.map((file) => [file, rank(file)]));
    return sorted.toSorted((one, other) => (ranks.get(one) ?? 0) - (ranks.get(other) ?? 0));
  }
}

function rank(file: TestSpecification): number {
  const place = LONGEST.findIndex((suite) => file.moduleId.endsWith(suite));
  if (place !== -1) return place;
  return needsDom(file) ? LONGEST.length + 1 : LONGEST.length;
}
