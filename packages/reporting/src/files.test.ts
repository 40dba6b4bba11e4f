import { Readable } from 'node:stream';
import type { Field } from '@switchyard/nouns/fields';
import * as fields from '@switchyard/nouns/fields';
import { strFromU8, unzipSync } from 'fflate';
import { readSheet } from 'read-excel-file/node';
import { expect, test } from 'vitest';
import { writeFile } from './files.ts';
import type { FileFormat } from './list-file.ts';
import { WORKBOOK_ROWS_MAX, workbookProblem } from './workbook.ts';

const column = (name: string) => fields.text(name, name)(name);

async function write(format: FileFormat, columns: readonly Field[], pieces: readonly (readonly string[])[], titles = true) {
  const file = { format, name: 'rows', columns, titles, byteOrderMark: false };
  return Buffer.concat(await Readable.from(writeFile(file, Readable.from(pieces.map((rows) => ({ rows }))))).toArray());
}

const csv = async (...cells: readonly (string | null)[]) =>
  (
    await write(
      'csv',
      cells.map((_, at) => column(`c${at}`)),
      [[JSON.stringify(cells)]],
      false,
    )
  ).toString();

test.each(['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠'])(
  'a cell that begins with %j is no formula to a spreadsheet',
  async (beginning) => {
    const formula = `${beginning}HYPERLINK("x";A1),`;
    expect(await csv('a', formula)).toBe(`a,"'${formula.replaceAll('"', '""')}"\r\n`);
    const lines = await write('ndjson', [column('text')], [[JSON.stringify({ text: formula })]]);
    expect(lines.toString()).toBe(`${JSON.stringify({ text: formula })}\n`);
    const sheet = sheetOf(await write('xlsx', [column('text')], [[JSON.stringify([formula])]]));
    expect(sheet).not.toContain('<f');
    expect(sheet.match(/<c r="A2"[^>]*>/)?.[0]).toBe('<c r="A2" s="1" t="inlineStr">');
  },
);

test('the type of a column decides what is escaped: numbers, money, days, moments and ids of ours are written as they are', async () => {
  const columns = [
    fields.decimal('')('amount'),
    fields.amount('')('whole'),
    fields.number('')('count'),
    fields.day('')('day'),
    fields.flag('')('flag'),
    fields.moment('')('at'),
    fields.code('')('id'),
    fields.json('')('facts'),
    column('note'),
  ];
  const cells = ['-16.13', '-5', '-1', '-0044-01-01', 'false', '-000044-01-01T00:00:00.000Z', '-id', '{"a":1}', '-16.13'];
  const line = (await write('csv', columns, [[JSON.stringify(cells)]], false)).toString();
  expect(line).toBe(`${cells.slice(0, 7).join(',')},"{""a"":1}",'-16.13\r\n`);
  const numeric = columns.slice(0, 3);
  const bytes = await write('xlsx', numeric, [[JSON.stringify(['-16.13', '-5', '-1'])]]);
  expect((await readSheet(bytes))[1]).toEqual([-16.13, -5, -1]);
});

test('a workbook marks text from outside alone as text that is never computed', async () => {
  const sheet = sheetOf(await write('xlsx', [column('note'), fields.code('')('id')], [[JSON.stringify(['-1', '-1'])]]));
  const styles = partOf(await write('xlsx', [column('note')], []), 'xl/styles.xml');
  const [, formats = ''] = /<cellXfs[^>]*>(.*)<\/cellXfs>/.exec(styles) ?? [];
  const marked = [...formats.matchAll(/<xf [^>]*>/g)].map(([format]) => format.includes('quotePrefix'));
  const styleOf = (place: string) => marked[Number(sheet.match(new RegExp(`r="${place}" s="(\\d+)"`))?.[1])];
  expect([styleOf('A2'), styleOf('B2')]).toEqual([true, false]);
});

test('rows are lines by RFC 4180: quotes are doubled, commas and line ends are quoted, null is empty', async () => {
  expect(await csv('a"b', 'c,d', 'e\nf', null, '', '₦')).toBe('"a""b","c,d","e\nf",,,₦\r\n');
  const columns = [column('merchant_id'), column('amount')];
  expect((await write('csv', columns, [[], []])).toString()).toBe('merchant_id,amount\r\n');
  expect((await write('csv', columns, [])).toString()).toBe('merchant_id,amount\r\n');
  expect((await write('csv', columns, [], false)).toString()).toBe('');
});

const COLUMNS = [
  column('id'),
  fields.decimal('')('amount'),
  column('currency'),
  fields.amount('')('whole'),
  fields.day('')('day'),
  fields.flag('')('late'),
  fields.number('')('attempts'),
  column('empty'),
];

test('a workbook has amounts as numbers, days as dates, flags and counts, and text as it is', async () => {
  const rows = [
    ['0193a6b2-7c1e-7000-8000-000000000001', '1499.5', 'NGN', '-2500', '2026-11-26', 'true', '3', null],
    ['007', '0.1', 'JPY', '900719925474099', '2024-02-29', 'false', '0', ''],
  ];
  const bytes = await write(
    'xlsx',
    COLUMNS,
    [rows.slice(0, 1), rows.slice(1)].map((part) => part.map((row) => JSON.stringify(row))),
  );
  expect(await readSheet(bytes)).toEqual([
    ['id', 'amount', 'currency', 'whole', 'day', 'late', 'attempts', 'empty'],
    [rows[0]?.[0], 1499.5, 'NGN', -2500, new Date('2026-11-26'), true, 3, null],
    ['007', 0.1, 'JPY', 900719925474099, new Date('2024-02-29'), false, 0, null],
  ]);
});

test.each([
  ['999999999999999', 'NGN', '#,##0.00'],
  ['9999999999999.99', 'NGN', '#,##0.00'],
  ['12', 'JPY', '#,##0'],
  ['1.5', 'KWD', '#,##0.000'],
  ['0.12345', 'NGN', '#,##0.00000'],
  ['12', 'no currency', '#,##0'],
  ['1000000000000000', 'NGN', null],
  ['99999999999999.99', 'NGN', null],
  ['NaN', 'NGN', null],
])('an amount of %s %s has the format %s, and is text where a number would not be exact', async (text, currency, format) => {
  const bytes = await write('xlsx', COLUMNS, [[JSON.stringify(['', text, currency, null, null, null, null, null])]]);
  const [, row] = await readSheet(bytes);
  const cell = row?.[1];
  expect(cell).toBe(format === null ? text : Number(text));
  if (format === null) return;
  expect(Number(cell).toPrecision(15)).toBe(Number(text).toPrecision(15));
  const style = Number(sheetOf(bytes).match(/<c r="B2" s="(\d+)"/)?.[1]);
  expect(formatOf(bytes, style)).toBe(format);
});

test('a workbook keeps characters that XML lacks, and cuts what no cell holds', async () => {
  const texts = ['a\u0001b', '_x0041_', ' <&> "₦" ', 'x\ud800y', 'a\r\nb', 'z'.repeat(40_000)];
  const sheet = sheetOf(await write('xlsx', texts.map(column), [[JSON.stringify(texts)]]));
  for (const written of ['a_x0001_b', '_x005F_x0041_', '> &lt;&amp;&gt; "₦" <', 'x\ufffdy', 'a_x000D_\nb']) {
    expect(sheet).toContain(written);
  }
  expect(sheet.match(/z+ … \(cut[^<]*/)?.[0]).toHaveLength(32_767);
});

test('a workbook that is too long is refused before it is written, and ends with an error if it grows', async () => {
  expect(workbookProblem(WORKBOOK_ROWS_MAX)).toBeNull();
  expect(workbookProblem(WORKBOOK_ROWS_MAX + 1)).toMatch(/at most 1,048,575 rows, and these are 1,048,576/);
  // As many rows in one piece as a sheet holds, and one: rows are counted before they are written.
  const rows = Array.from<string>({ length: WORKBOOK_ROWS_MAX + 1 }).fill('[]');
  await expect(write('xlsx', [], [rows])).rejects.toThrow(/at most 1,048,575 rows/);
});

test('rows are read no further once a workbook is not taken any more', async () => {
  let ended = false;
  async function* pieces() {
    try {
      for (;;) yield { rows: Array.from<string>({ length: 1_000 }).fill(JSON.stringify([randomText()])) };
    } finally {
      ended = true;
    }
  }
  const file = { format: 'xlsx', name: 'rows', columns: [column('text')], titles: true, byteOrderMark: false } as const;
  const written = writeFile(file, pieces());
  for (let taken = 0; taken < 20; taken += 1) expect((await written.next()).done).toBe(false);
  await written.return(undefined);
  await expect.poll(() => ended).toBe(true);
});

const partOf = (bytes: Uint8Array, path: string) => strFromU8(unzipSync(bytes)[path] ?? new Uint8Array());
const sheetOf = (bytes: Uint8Array) => partOf(bytes, 'xl/worksheets/sheet1.xml');
const randomText = () => Math.random().toString(36).repeat(20);

function formatOf(bytes: Uint8Array, style: number): string | undefined {
  const styles = partOf(bytes, 'xl/styles.xml');
  const [, formats = ''] = /<cellXfs[^>]*>(.*)<\/cellXfs>/.exec(styles) ?? [];
  const id = [...formats.matchAll(/<xf numFmtId="(\d+)"/g)][style]?.[1];
  return new RegExp(`numFmtId="${id}" formatCode="([^"]*)"`).exec(styles)?.[1];
}
