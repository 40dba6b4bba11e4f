import { fileURLToPath } from 'node:url';
import mdx from '@mdx-js/rollup';
import remarkGfm from 'remark-gfm';
import { defineConfig } from 'vitest/config';
import { SUITES_AT_NIGHT } from './scripts/testing/at-night.ts';
import { LongestFirst } from './scripts/testing/longest-first.ts';

const mdxComponents = fileURLToPath(new URL('./apps/web/src/mdx-components.tsx', import.meta.url));

export default defineConfig({
  plugins: [mdx({ remarkPlugins: [remarkGfm], providerImportSource: mdxComponents })],
  // As Node resolves it for the libraries: two copies of it would not know each other's types.
  resolve: { alias: [{ find: /^graphql$/, replacement: 'graphql/index.js' }] },
  test: {
    include: ['{apps,packages,scripts,prisma,e2e,bench}/**/*.test.{ts,tsx}'],
    // Those of a cluster and those at night have configurations of their own.
    exclude: ['**/node_modules/**', '**/.next/**', '**/.local/**', 'scripts/distribute/**', 'e2e/cluster/**', ...SUITES_AT_NIGHT],
    setupFiles: ['scripts/testing/assertions.ts', 'scripts/testing/restore.ts'],
    // Gateways and receivers of the tests are on this machine.
    env: { SWITCHYARD_PRIVATE_ADDRESSES: 'allow' },
    globalSetup: ['scripts/testing/postgres-for-tests.ts'],
    // Against suites that hang: a machine that is busy takes several times as long as one that is not.
    testTimeout: 240_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 120_000, interval: 20 } },
    // Two more than the processors that the smallest machine has: many suites mostly wait, for processes that they start or for PostgreSQL.
    maxWorkers: 4,
    // Each suite has a database, ports and folders of its own, and no module keeps what another suite could see.
    isolate: false,
    // A link that a test follows leads nowhere: the suites of a worker share their page's address.
    environmentOptions: {
      happyDOM: { settings: { navigation: { disableMainFrameNavigation: true, disableFallbackToSetURL: true } } },
    },
    sequence: { sequencer: LongestFirst },
  },
});
