import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Suites that take longest, most of them with processes of their own: started last, one of them would delay the end of the run. */
const LONGEST = [
  'e2e/chaos/chaos.test.ts',
  'scripts/backup/backup.test.ts',
  'prisma/seed/sandbox.test.ts',
  'prisma/seed.test.ts',
  'e2e/operations/upgrade.test.ts',
  'e2e/rest/fallback.test.ts',
  'e2e/rest/once.test.ts',
  'packages/payments/src/initiate/health-simulation.test.ts',
  'packages/api/src/trpc/access.test.ts',
  'e2e/drill/outage.test.ts',
  'scripts/stack/start.test.ts',
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
