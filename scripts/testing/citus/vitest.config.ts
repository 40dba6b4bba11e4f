import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import plain from '../../../vitest.config.ts';

/**
 * Suites that are not of the database, or of one server alone: its files, its processes, a table, a trigger or a lock that a suite makes by
 * itself to see what follows, a server of their own, and amounts of work that are about speed.
 */
const NOT_HERE = [
  'apps/web/**',
  'bench/**',
  'e2e/{chaos,client,compat,documentation,gateways,operations,pages,simulate}/**',
  'packages/{cli,client,gateways,routing}/**',
  'packages/api/src/trpc/reconciliation.test.ts',
  'packages/compat/src/transactions/list-plans.test.ts',
  'packages/db/src/lists.test.ts',
  'packages/payments/src/initiate/health-simulation.test.ts',
  'packages/staff/src/audit-log/verify-audit.test.ts',
  'prisma/**',
  'scripts/*.test.ts',
  'scripts/!(distribute)/**',
];

/** The suites of the project, each with a database on a coordinator and two worker nodes. */
export default defineConfig({
  ...plain,
  root: fileURLToPath(new URL('../../..', import.meta.url)),
  test: {
    ...plain.test,
    exclude: ['**/node_modules/**', '**/.next/**', '**/.local/**', '**/*.long.test.ts', ...NOT_HERE],
    globalSetup: ['scripts/testing/citus/setup.ts'],
  },
});
