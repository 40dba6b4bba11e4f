import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Suites that take longest: started last, one of them would delay the end of the run. First those that mostly wait, for processes of
 * their own or for limits of time, because the journeys leave them little of the processors; then those that compute all of the time; then
 * those in which no answer may be late, when the pages are built.
 */
const LONGEST = [
  'e2e/chaos/chaos.test.ts',
  'scripts/backup/backup.test.ts',
  'e2e/rest/fallback.test.ts',
  'prisma/seed/sandbox.test.ts',
  'e2e/operations/baseline.test.ts',
  'scripts/stack/start.test.ts',
  'e2e/rest/once.test.ts',
  'packages/api/src/http/slow-clients.test.ts',
  'e2e/gateways/every-gateway.test.ts',
  'e2e/drill/outage.test.ts',
  'prisma/seed/seed-demo.test.ts',
  'packages/payments/src/initiate/health-simulation.test.ts',
  'e2e/simulate/simulate.test.ts',
  'e2e/operations/upgrade.test.ts',
  'e2e/operations/rolling-restart.test.ts',
];

/** Vitest's own order, which on a fresh machine is by file size, with the longest suites first. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const place = LONGEST.findIndex((suite) => moduleId.endsWith(suite));
      return place === -1 ? LONGEST.length : place;
    };
    return (await super.sort(files)).sort((one, other) => rank(one) - rank(other));
  }
}
