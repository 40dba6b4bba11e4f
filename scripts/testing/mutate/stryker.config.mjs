import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { areaOf } from './areas.ts';

const { MUTATE_AREA: name = '' } = process.env;
const area = areaOf(name);
if (area === null) throw new Error(`MUTATE_AREA is none: ${name}`);
const here = fileURLToPath(new URL('.', import.meta.url));

/** Configuration of Stryker for the area that `MUTATE_AREA` names. */
export default {
  mutate: [...area.mutate],
  testRunner: 'vitest',
  plugins: [join(here, 'node_modules/@stryker-mutator/vitest-runner/dist/src/index.js'), join(here, 'ignore-unreachable.mjs')],
  ignorers: ['unreachable'],
  vitest: { configFile: 'scripts/testing/mutate/vitest.config.ts', related: false },
  coverageAnalysis: 'perTest',
  concurrency: 1,
  // A machine that is busy takes several times as long as one that is not.
  timeoutMS: 15_000,
  tempDirName: '.local/mutate/sandbox',
  ignorePatterns: ['.local', '.next', '.turbo', 'docs', 'test-results', ...(name.startsWith('web') ? [] : ['apps/web'])],
  // None: what Stryker would change in one, it changes by the interface of an older compiler.
  tsconfigFile: 'none.json',
  reporters: ['clear-text', 'json', 'progress-append-only'],
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
  jsonReporter: { fileName: `.local/mutate/${name.replaceAll('/', '-')}.json` },
  thresholds: { high: 95, low: 85, break: 85 },
};
