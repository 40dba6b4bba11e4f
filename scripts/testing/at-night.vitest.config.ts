import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import plain from '../../vitest.config.ts';
import { SUITES_AT_NIGHT } from './at-night.ts';

/** The suites that `npm test` leaves out. */
export default defineConfig({
  ...plain,
  root: fileURLToPath(new URL('../..', import.meta.url)),
  test: { ...plain.test, include: [...SUITES_AT_NIGHT], exclude: ['**/node_modules/**', '**/.next/**', '**/.local/**'] },
});
