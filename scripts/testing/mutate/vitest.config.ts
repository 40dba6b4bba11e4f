import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import plain from '../../../vitest.config.ts';
import { AREAS, isArea } from './areas.ts';

const { MUTATE_AREA: area = '' } = process.env;
if (!isArea(area)) throw new Error(`MUTATE_AREA is none: ${area}`);
const { suites } = AREAS[area];

/** The suites of an area, as Stryker runs them. */
export default defineConfig({
  ...plain,
  root: fileURLToPath(new URL('../../..', import.meta.url)),
  test: {
    ...plain.test,
    include: [...suites],
    setupFiles: [...[plain.test?.setupFiles ?? []].flat(), 'scripts/testing/mutate/without-shrinking.ts'],
    projects: [],
    // The sandbox, whose files these are, goes away.
    fsModuleCache: false,
  },
});
