import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import plain from '../../vitest.config.ts';
import { DRAWN_RUNS, DRAWN_SUITES, SUITES_AT_NIGHT } from './at-night.ts';

/** The suites that `npm test` leaves out, and those that draw more cases at night. */
export default defineConfig({
  ...plain,
  root: fileURLToPath(new URL('../..', import.meta.url)),
  test: {
    ...plain.test,
    include: [...SUITES_AT_NIGHT, ...DRAWN_SUITES],
    exclude: ['**/node_modules/**', '**/.next/**', '**/.local/**'],
    env: { ...plain.test?.env, PROPERTY_RUNS: DRAWN_RUNS },
  },
});
