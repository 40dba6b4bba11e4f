import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

/*
 * A browser's own lists, numbers and dates look and read otherwise on every machine: `04/05/2026` is two days. The components are
 * `select`, `number-field` and `date-field`.
 */

const SOURCE = join(import.meta.dirname, '..');
const NATIVE = /<select\b|<datalist\b|type=["'](?:number|date|datetime-local|time|month|week)["']/g;

test('no page uses native selects, number or date fields', () => {
  const files = globSync('**/*.tsx', { cwd: SOURCE });
  expect(files.length).toBeGreaterThan(300);
  const found = files.flatMap(
    (file) =>
      readFileSync(join(SOURCE, file), 'utf8')
        .match(NATIVE)
        ?.map((use) => `${file}: ${use}`) ?? [],
  );
  expect(found).toEqual([]);
});
