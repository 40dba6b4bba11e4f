import { dirname } from 'node:path';

/** Paths that hold no suite of ours. */
const MADE = ['**/node_modules/**', '**/.next/**', '**/.local/**'];
const ALL = ['{apps,packages,scripts,prisma,e2e,bench}/**/*.test.{ts,tsx}'];
/** Suites that have a cluster and nothing else. */
const OF_A_CLUSTER = ['scripts/distribute/**', 'e2e/cluster/**'];

/** Suites that `npm test` leaves out: those that are long, and those of what changes seldom or is also tried by suites beside its code. */
const AT_NIGHT = [
  '**/*.long.test.ts',
  'e2e/{chaos,client,compat,documentation,gateways,life,operations}/**/*.test.ts',
  'e2e/rest/{availability,fallback,hostile-input,once,out-of-resources,refused-accounts,refused-webhooks,return,secrets}.test.ts',
  'e2e/simulate/{database/kept-rows,logical-process}.test.ts',
  'packages/payments/src/path/initiate/health-simulation.test.ts',
  'packages/payments/src/path/initiate/beside-reports.test.ts',
  'packages/api/src/{one-moment,second-persons,secrets}.test.ts',
  'packages/api/src/{auth/taken-over,export/long-file,trpc/settlement-files}.test.ts',
  'packages/api/src/server/slow-clients.test.ts',
  'prisma/seed/**/*.test.ts',
  'scripts/{admin,backup,bootstrap,deploy,schema-engine,stack}/**/*.test.ts',
  'scripts/{compile,deploy,reports-replica,testing/{browser,runner-reports}}.test.ts',
];

/**
 * Suites of `npm test` that try a part of their cases, and all at night: they draw what they try, or have every value or way into the service.
 */
const IN_PART = [
  'e2e/rest/**/*.test.ts',
  'packages/{payments,routing,settlements}/src/**/*.property.test.ts',
  'packages/api/src/{filters,rest/redirect-url}.test.ts',
  'packages/gateways/src/*/*.test.ts',
  'packages/payments/src/{lists/payment-filter,record/lookup-pace}.test.ts',
  'packages/reconciliation/src/reconcile.test.ts',
  'packages/reporting/src/{volume,volume-sources}.test.ts',
  'packages/routing/src/analyse/takeovers.test.ts',
  'packages/settlements/src/bank/order-of-uploads.test.ts',
];
/** How many times as much is drawn at night. */
const DRAWN_TIMES = '20';

/**
 * Suites that are not of the database, or of one server alone: its files, its processes, a table, a trigger or a lock that a suite makes by
 * itself to see what follows, a server of their own, and amounts of work that are about speed.
 */
const OF_ONE_SERVER = [
  'apps/web/**',
  'bench/**',
  'e2e/{chaos,client,compat,documentation,gateways,operations,pages,simulate}/**',
  'packages/{cli,client,gateways,routing}/**',
  // Their own reading of the rows joins tables as no cluster does.
  'packages/api/src/{columns,filters,reports}.test.ts',
  'packages/api/src/trpc/reconciliation.test.ts',
  'packages/compat/src/transactions/list-plans.test.ts',
  'packages/db/src/lists.test.ts',
  'packages/payments/src/path/initiate/health-simulation.test.ts',
  'packages/staff/src/audit-log/verify-audit.test.ts',
  'packages/webhooks/src/deliveries/backlog-plans.test.ts',
  'prisma/**',
  'scripts/*.test.ts',
  'scripts/!(distribute)/**',
];

const ONE_SERVER = ['scripts/testing/postgres-for-tests.ts'];

/** Suites that are run together: their files, the set-up of their database, and their variables. */
interface Suites {
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  readonly globalSetup: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** Suites that are run together, by name. */
export const SUITES = {
  unit: { include: ALL, exclude: [...MADE, ...OF_A_CLUSTER, ...AT_NIGHT], globalSetup: ONE_SERVER },
  night: {
    include: [...AT_NIGHT, ...IN_PART],
    exclude: MADE,
    globalSetup: ONE_SERVER,
    env: { PROPERTY_TIMES: DRAWN_TIMES, EVERY_CASE: 'yes' },
  },
  /** Each suite has a database on a coordinator and two worker nodes. */
  citus: {
    include: ALL,
    exclude: [...MADE, '**/*.long.test.ts', ...OF_ONE_SERVER],
    globalSetup: ['scripts/testing/citus/setup.ts'],
    env: { EVERY_CASE: 'yes' },
  },
} as const satisfies Record<string, Suites>;

/** A name of what is run together. */
export type SuiteName = keyof typeof SUITES;

/**
 * The folders whose suites a change is tried by before it is committed: for each changed file the nearest folder at or above its own
 * that has suites. A folder within another is left out, and so are settings of the whole project. `suites` are all there are, from the
 * project's root.
 */
export function suiteFolders(files: readonly string[], suites: readonly string[]): string[] {
  const nearest = (path: string): string[] => {
    const folder = dirname(path);
    if (folder === '.') return [];
    return suites.some((suite) => suite.startsWith(`${folder}/`)) ? [`${folder}/`] : nearest(folder);
  };
  const folders = [...new Set(files.flatMap(nearest))];
  return folders.filter((folder) => !folders.some((other) => other !== folder && folder.startsWith(other))).sort();
}
