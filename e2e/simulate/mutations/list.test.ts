import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { functionOf, isOfDatabase } from '../kernel/code.ts';
import { findingsOf, readDocument, renderDocument } from './document.ts';
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

test.each(MUTATIONS.filter(isOfDatabase).map(({ name, file, search }) => ({ name, file, search })))(
  'the migration that "$name" is in makes the function as it is now',
  ({ file, search }) => {
    const made = new RegExp(`CREATE (OR REPLACE )?FUNCTION "${functionOf({ file, search })}"`);
    const migrations = globSync('prisma/migrations/*/migration.sql', { cwd: ROOT }).toSorted();
    expect(migrations.findLast((each) => made.test(readFileSync(join(ROOT, each), 'utf8')))).toBe(file);
  },
);

test('each bug has a name of its own, and a row in the document, which has no other', () => {
  const names = MUTATIONS.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  const text = readDocument();
  expect(text).toBe(renderDocument(names, findingsOf(text)));
});
