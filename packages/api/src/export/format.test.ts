import { expect, test } from 'vitest';
import { formatRows, formatTitles } from './format.ts';

const csv = (...cells: readonly (string | null)[]) => formatRows('csv', { rows: [JSON.stringify(cells)] });

test.each(['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠'])(
  'a cell that begins with %j is no formula to a spreadsheet',
  (beginning) => {
    const text = `${beginning}HYPERLINK("x";A1),`;
    expect(csv('a', text)).toBe(`a,"'${text.replaceAll('"', '""')}"\r\n`);
    expect(formatRows('ndjson', { rows: [JSON.stringify({ text })] })).toBe(`${JSON.stringify({ text })}\n`);
  },
);

test('rows are lines by RFC 4180: quotes are doubled, commas and line ends are quoted, null is empty', () => {
  expect(csv('a"b', 'c,d', 'e\nf', null, '', '₦')).toBe('"a""b","c,d","e\nf",,,₦\r\n');
  expect(formatTitles(['merchant_id', 'amount'])).toBe('merchant_id,amount\r\n');
  expect(formatRows('csv', { rows: [] })).toBe('');
});
