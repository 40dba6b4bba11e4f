import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import plain from '../../../vitest.config.ts';

/** Suites that are long: `*.long.test.ts`. */
export default defineConfig({
  ...plain,
  root: fileURLToPath(new URL('../../..', import.meta.url)),
  test: {
    ...plain.test,
    include: ['{apps,packages,scripts,prisma,e2e,bench}/**/*.long.test.ts'],
    exclude: ['**/node_modules/**', '**/.next/**', '**/.local/**'],
  },
});
