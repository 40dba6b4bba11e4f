import { readFileSync, writeFileSync } from 'node:fs';
import { filterField } from '@switchyard/nouns/filters';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { LISTS } from './lists.ts';

const DOCUMENT = new URL('../../../docs/export-columns.md', import.meta.url);

/** A column or a filter, with what it is. */
type Entry = readonly [name: string, about: string];

const lines = (title: string, entries: readonly Entry[]) =>
  [`${title}:\n`, ...entries.map(([name, about]) => `- \`${name}\`: ${about.replaceAll('<', '\\<')}`), ''].join('\n');

const described = Object.entries(LISTS).map(([name, { title, columns, moreColumns, filter }]) => ({
  title: `${title} (\`${name}\`)`,
  columns: [
    ...columns.map(({ name, about }): Entry => [name, about]),
    ...moreColumns.map(({ name, about }): Entry => [name, `${about} Only when named.`]),
  ],
  filters: Object.entries(filter instanceof z.ZodObject ? filter.shape : {}).map(
    ([name, schema]): Entry => [name, filterField(schema).about],
  ),
}));

/** Entries that several lists have in the same words; of a name, those that most lists have. */
function commonEntries(kind: 'columns' | 'filters'): Map<string, string> {
  const entries = described.flatMap((list) => list[kind]);
  const countOf = ([name, about]: Entry) => entries.filter((other) => other[0] === name && other[1] === about).length;
  const common = new Map<string, string>();
  for (const [name, about] of entries) {
    const usual = common.get(name);
    const count = countOf([name, about]);
    if (count > (usual === undefined ? 1 : countOf([name, usual]))) common.set(name, about);
  }
  return common;
}

const COMMON = { columns: commonEntries('columns'), filters: commonEntries('filters') };

/** A list's own entries, and the names of those that it has in common with others. */
function describe(kind: 'columns' | 'filters', title: string, entries: readonly Entry[]): string {
  const isCommon = ([name, about]: Entry) => COMMON[kind].get(name) === about;
  const shared = entries.filter(isCommon).map(([name]) => `\`${name}\``);
  const own = entries.filter((entry) => !isCommon(entry));
  return [...(own.length === 0 ? [] : [lines(title, own)]), `Common: ${shared.join(', ')}\n`].join('\n');
}

/** Every list with its columns and filters, as people read them. */
function describeLists(): string {
  const parts = described.map(({ title, columns, filters }) =>
    [`## ${title}\n`, describe('columns', 'Columns', columns), describe('filters', 'Filters', filters)].join('\n'),
  );
  const head = [
    '# Columns and filters of exports\n',
    'Made of the lists themselves. How files are made and read: [exports](exports.md). Each list names which common ones it has.\n',
    '## Common\n',
    lines('Columns', [...COMMON.columns]),
    lines('Filters', [...COMMON.filters]),
  ];
  return [...head, ...parts].join('\n');
}

test('the document has every column and filter of every list; UPDATE_DOCS=1 rewrites it', () => {
  const written = describeLists();
  if (process.env.UPDATE_DOCS === '1') writeFileSync(DOCUMENT, written);
  else expect(readFileSync(DOCUMENT, 'utf8')).toBe(written);
});
