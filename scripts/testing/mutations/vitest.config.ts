import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification, type Vite } from 'vitest/node';
import { z } from 'zod';
import { isOfDatabase, type SourceEdit } from '../../../e2e/simulate/kernel/code.ts';
import plain from '../../../vitest.config.ts';

/*
 * Suites of the project with one bug in it, which is put in while a file is loaded and reaches none: `SWITCHYARD_MUTATION` has the edit, if any, and
 * `SWITCHYARD_SUITES` the suites, which run in that order until the first test fails.
 */

const root = fileURLToPath(new URL('../../..', import.meta.url));
const { SWITCHYARD_MUTATION = 'null', SWITCHYARD_SUITES = '[]' } = process.env;
const edit = z
  .object({ file: z.string(), search: z.string(), replace: z.string() })
  .nullable()
  .parse(JSON.parse(SWITCHYARD_MUTATION));
const suites = z.array(z.string()).parse(JSON.parse(SWITCHYARD_SUITES));

function mutate({ file, search, replace }: SourceEdit): Vite.Plugin {
  return {
    name: 'mutation',
    enforce: 'pre',
    // The transform cache keeps results for later runs under the text of the file as it is.
    configureVitest({ defineCacheKeyGenerator }) {
      defineCacheKeyGenerator(({ id }) => (id === root + file ? false : undefined));
    },
    transform(code, id) {
      return id === root + file ? code.replace(search, () => replace) : null;
    },
  };
}

class AsGiven extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification): number => suites.indexOf(moduleId.slice(root.length));
    return files.toSorted((one, other) => place(one) - place(other));
  }
}

export default defineConfig({
  ...plain,
  root,
  plugins: [...(plain.plugins ?? []), ...(edit === null || isOfDatabase(edit) ? [] : [mutate(edit)])],
  test: {
    ...plain.test,
    include: suites,
    setupFiles: [...[plain.test?.setupFiles ?? []].flat(), 'scripts/testing/mutations/without-shrinking.ts'],
    globalSetup: [...[plain.test?.globalSetup ?? []].flat(), 'scripts/testing/mutations/mutate-functions.ts'],
    bail: 1,
    // A bug that lets a test wait for ever is found within the minute that there is for it.
    testTimeout: 40_000,
    expect: { poll: { timeout: 15_000, interval: 20 } },
    maxWorkers: 2,
    sequence: { sequencer: AsGiven },
  },
});
