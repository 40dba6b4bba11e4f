import { readFileSync, writeFileSync } from 'node:fs';
import { filterField } from '@switchyard/nouns/filters';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { LISTS } from './lists.ts';

const DOCUMENT = new URL('../../../docs/export-columns.md', import.meta.url);

const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;

/** Every list with its columns and filters, as people read them. */
function describeLists(): string {
  const parts = Object.entries(LISTS).map(([name, { title, columns, moreColumns, filter }]) => {
    const shape = filter instanceof z.ZodObject ? filter.shape : {};
    const named = moreColumns.map(({ name: column, about }) => line([`\`${column}\``, `${about} Only when named.`]));
    return [
      `## ${title} (\`${name}\`)\n`,
      line(['column', 'is']),
      line(['---', '---']),
      ...columns.map(({ name: column, about }) => line([`\`${column}\``, about])),
      ...named,
      '',
      line(['filter', 'is']),
      line(['---', '---']),
      ...Object.entries(shape).map(([field, schema]) => line([`\`${field}\``, filterField(schema).about])),
      '',
    ].join('\n');
  });
  const head =
    '# Columns and filters of exports\n\nMade of the lists themselves. How files are made and read: [exports](exports.md).\n';
  return [head, ...parts].join('\n');
}

test('the document has every column and filter of every list; UPDATE_DOCS=1 rewrites it', () => {
  const described = describeLists();
  if (process.env.UPDATE_DOCS === '1') writeFileSync(DOCUMENT, described);
  else expect(readFileSync(DOCUMENT, 'utf8')).toBe(described);
});
