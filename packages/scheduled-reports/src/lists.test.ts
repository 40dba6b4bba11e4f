import { readFileSync, writeFileSync } from 'node:fs';
import { filterField } from '@switchyard/nouns/filters';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { LISTS } from './lists.ts';

const TABLE = new URL('../../../docs/export-columns.tsv', import.meta.url);

/** Every list with its columns and filters, as people read them. */
function describeLists(): string {
  const rows = Object.entries(LISTS).flatMap(([list, { columns, moreColumns, filter }]) => [
    ...columns.map(({ name, about }) => [list, 'column', name, about]),
    ...moreColumns.map(({ name, about }) => [list, 'column', name, `${about} Only when named.`]),
    ...Object.entries(filter instanceof z.ZodObject ? filter.shape : {}).map(([name, schema]) => [
      list,
      'filter',
      name,
      filterField(schema).about,
    ]),
  ]);
  return [['list', 'kind', 'name', 'meaning'], ...rows].map((cells) => `${cells.join('\t')}\n`).join('');
}

test('the table has every column and filter of every list; UPDATE_DOCS=1 rewrites it', () => {
  const described = describeLists();
  if (process.env.UPDATE_DOCS === '1') writeFileSync(TABLE, described);
  else expect(readFileSync(TABLE, 'utf8')).toBe(described);
});
