import { strToU8, zipSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import { readCsv, readTable } from './index.ts';

const limits = { rowsMax: 100 };

async function rowsOf(content: string | Uint8Array) {
  const table = await readTable(typeof content === 'string' ? new TextEncoder().encode(content) : content, limits);
  return table.kind === 'read' ? table.rows.map(({ line, cells }) => [line, ...cells]) : table.problem;
}

describe('CSV', () => {
  test.each([
    [
      'cells and lines',
      'a,b\nc,d\n',
      [
        [1, 'a', 'b'],
        [2, 'c', 'd'],
      ],
    ],
    [
      'Windows line ends, and no line end at the end',
      'a,b\r\nc,d',
      [
        [1, 'a', 'b'],
        [2, 'c', 'd'],
      ],
    ],
    ['a byte order mark', '\uFEFFa', [[1, 'a']]],
    [
      'semicolons where the first line has no comma',
      'a;b\n"1,5";2',
      [
        [1, 'a', 'b'],
        [2, '1,5', '2'],
      ],
    ],
    [
      'semicolons where some cells hold commas',
      'a;b\n1,5;2\n3;4',
      [
        [1, 'a', 'b'],
        [2, '1,5', '2'],
        [3, '3', '4'],
      ],
    ],
    ['tabs', 'a\tb\n', [[1, 'a', 'b']]],
    [
      'quotes, delimiters and line ends within quotes',
      'a,b\n"say ""x"", \ny",2\nz,',
      [
        [1, 'a', 'b'],
        [2, 'say "x", \ny', '2'],
        [4, 'z', ''],
      ],
    ],
    [
      'empty cells',
      'a,,\n,',
      [
        [1, 'a', '', ''],
        [2, '', ''],
      ],
    ],
    [
      'lines without content',
      'a\n\n \nb\n\n',
      [
        [1, 'a'],
        [4, 'b'],
      ],
    ],
    ['a lone carriage return as a character', 'a\rb', [[1, 'a\rb']]],
    ['nothing', '', []],
    ['UTF-16', new Uint8Array([0xff, 0xfe, 0x61, 0, 0x2c, 0, 0xa3, 0]), [[1, 'a', '£']]],
    ['the Windows encoding', new Uint8Array([0x61, 0x2c, 0xa3]), [[1, 'a', '£']]],
  ])('of %s is read', async (_, content, rows) => {
    expect(await rowsOf(content)).toEqual(rows);
  });

  test.each([
    ['a,b\nc,"d\n\ne', { line: 2, column: 2, message: 'has a quote that does not end' }],
    ['a,b\n"c"d,e', { line: 2, column: 1, message: 'has text after its closing quote' }],
    ['a,b\nc,d"e', { line: 2, column: 2, message: 'has a quote within its text' }],
    [`a\nb\n${'x'.repeat(100_100)}`, { line: 3, column: 1, message: 'is in a row that is too long' }],
    ['a\0b', { line: 1, column: 1, message: 'holds no text' }],
  ])('that is malformed says where: %#', async (text, problem) => {
    expect(await rowsOf(text)).toEqual(problem);
  });

  test('has no more rows than are allowed', async () => {
    const text = 'a\n'.repeat(4);
    expect((await readCsv(text, { rowsMax: 4 })).kind).toBe('read');
    expect(await readCsv(text, { rowsMax: 3 })).toMatchObject({
      problem: { line: 4, message: 'is beyond the 3 rows that a file may have' },
    });
  });

  test('of many pieces is read whole', async () => {
    const rows = Array.from({ length: 5_000 }, (_, at) => `sw-${at},"pays, ${at}"`);
    const table = await readCsv(rows.join('\r\n'), { rowsMax: 5_000 });
    expect(table.kind === 'read' && table.rows.at(-1)).toEqual({ line: 5_000, cells: ['sw-4999', 'pays, 4999'] });
  });
});

/** A workbook of one sheet with these rows as they are in its XML. */
function workbook(rows: string): Uint8Array {
  const ns = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
  const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
  const files = {
    '[Content_Types].xml': `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>`,
    'xl/workbook.xml': `<workbook ${ns} xmlns:r="${office}"><sheets><sheet name="Sheet1" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">
      <Relationship Id="rId1" Type="${office}/worksheet" Target="worksheets/sheet1.xml"/>
      <Relationship Id="rId2" Type="${office}/styles" Target="styles.xml"/></Relationships>`,
    'xl/styles.xml': `<styleSheet ${ns}><cellXfs count="2"><xf numFmtId="0"/><xf numFmtId="22" applyNumberFormat="1"/></cellXfs></styleSheet>`,
    'xl/worksheets/sheet1.xml': `<worksheet ${ns}><sheetData>${rows}</sheetData></worksheet>`,
  };
  return zipSync(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, strToU8(text)])));
}

describe('XLSX', () => {
  test('is read by the numbers of its rows, with exact numbers, and dates as they are written', async () => {
    const text = (at: string, value: string) => `<c r="${at}" t="inlineStr"><is><t>${value}</t></is></c>`;
    const file = workbook(`
      <row r="1">${text('A1', 'Reference')}${text('B1', 'Amount')}${text('C1', 'Paid')}</row>
      <row r="3">${text('A3', 'sw-1')}<c r="B3"><v>985.0000000000001</v></c><c r="C3" s="1"><v>46351.5</v></c></row>`);
    expect(await rowsOf(file)).toEqual([
      [1, 'Reference', 'Amount', 'Paid'],
      [3, 'sw-1', '985', '2026-11-25T12:00:00'],
    ]);
  });

  test.each([
    ['is damaged', workbook('').slice(0, 200), 'is in a workbook that is damaged or too large'],
    ['is no workbook', zipSync({ 'a.txt': strToU8('a') }), 'is in a workbook that cannot be read'],
    [
      'unpacks to too much',
      zipSync({ 'a.xml': new Uint8Array(40 * 1_048_576) }),
      'is in a workbook that is damaged or too large',
    ],
    ['is of the old form', new Uint8Array([0xd0, 0xcf, 0x11, 0xe0]), 'is in a workbook of an old form; save it as XLSX or CSV'],
  ])('that %s is refused', async (_, bytes, message) => {
    expect(await rowsOf(bytes)).toMatchObject({ message });
  });
});
