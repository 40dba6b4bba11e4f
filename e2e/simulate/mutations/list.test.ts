import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { MUTATIONS } from './list.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..');

test.each(MUTATIONS.map(({ name, file, search, replace }) => ({ name, file, search, replace })))(
  'the text that "$name" replaces stands in its file once',
  ({ file, search, replace }) => {
    const source = readFileSync(join(ROOT, file), 'utf8');
    expect(source.split(search)).toHaveLength(2);
    expect(source.replace(search, () => replace)).not.toBe(source);
  },
);
