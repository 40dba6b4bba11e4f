import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import plain from '../../../vitest.config.ts';
import { SUITES } from '../suites.ts';
import { areaOf } from './areas.ts';

const { MUTATE_AREA: name = '' } = process.env;
const area = areaOf(name);
if (area === null) throw new Error(`MUTATE_AREA is none: ${name}`);

const { projects: _, ...settings } = plain.test ?? {};

/** The suites of an area, as Stryker runs them. */
export default defineConfig({
  ...plain,
  root: fileURLToPath(new URL('../../..', import.meta.url)),
  test: {
    ...settings,
    include: [...area.suites],
    globalSetup: area.needsDatabase ? [...SUITES.unit.globalSetup] : [],
    setupFiles: [...[settings.setupFiles ?? []].flat(), 'scripts/testing/mutate/without-shrinking.ts'],
    // The sandbox, whose files these are, goes away.
    fsModuleCache: false,
  },
});
