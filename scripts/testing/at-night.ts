/**
 * Suites that `npm run test:all` runs and `npm test` leaves out, by their paths: those that are long, and those of what changes seldom or is
 * also tried by suites beside its code.
 */
export const SUITES_AT_NIGHT: readonly string[] = [
  '**/*.long.test.ts',
  'e2e/{chaos,client,compat,documentation,gateways,life,operations}/**/*.test.ts',
  'packages/payments/src/initiate/health-simulation.test.ts',
  'packages/payments/src/initiate/beside-reports.test.ts',
  'prisma/seed/**/*.test.ts',
  'scripts/{backup,bootstrap,deploy,schema-engine,stack}/**/*.test.ts',
  'scripts/{compile,deploy,reports-replica,rotate-keys}.test.ts',
];

/** Suites of `npm test` that draw lives of payments, refunds and payouts: `npm run test:all` draws more of them as well. */
export const DRAWN_SUITES: readonly string[] = ['packages/{payments,settlements}/src/**/*.property.test.ts'];
/** How many of each. */
export const DRAWN_RUNS = '20000';
