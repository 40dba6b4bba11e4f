import { fileURLToPath } from 'node:url';
import mdx from '@mdx-js/rollup';
import remarkGfm from 'remark-gfm';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './scripts/testing/longest-first.ts';
import { SUITES } from './scripts/testing/suites.ts';

const mdxComponents = fileURLToPath(new URL('./apps/web/src/mdx-components.tsx', import.meta.url));

export default defineConfig({
  plugins: [mdx({ remarkPlugins: [remarkGfm], providerImportSource: mdxComponents })],
  // As Node resolves it for the libraries: two copies of it would not know each other's types.
  resolve: { alias: [{ find: /^graphql$/, replacement: 'graphql/index.js' }] },
  test: {
    setupFiles: ['scripts/testing/setup.ts'],
    // Gateways and receivers of the tests are on this machine.
    env: { SWITCHYARD_PRIVATE_ADDRESSES: 'allow' },
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
    projects: Object.entries(SUITES)
      // Most suites have a place in two: a path alone means the one without a cluster.
      .filter(([name]) => name !== 'citus' || process.argv.includes('--project=citus'))
      .map(([name, { include, exclude, globalSetup, ...rest }]) => ({
        extends: true,
        test: { name, include: [...include], exclude: [...exclude], globalSetup: [...globalSetup], ...rest },
      })),
  },
});
