import { strToU8, zipSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import { readCsv, readTable, type SheetChoice } from './tables.ts';

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
        [2, 'say "x", y', '2'],
        [4, 'z', ''],
      ],
    ],
    [
      'empty cells',
      'a,,\n,b',
      [
        [1, 'a', '', ''],
        [2, '', 'b'],
      ],
    ],
    [
      'lines without content',
      'a\n\n \n, ,\nb\n\n',
      [
        [1, 'a'],
        [5, 'b'],
      ],
    ],
    ['a lone carriage return as a blank', 'a\rb', [[1, 'a b']]],
    [
      'semicolons where a title and the amounts hold commas',
      'a;b, NGN;c\n1;1.234,50;18,52\n2;234,50;1,52',
      [
        [1, 'a', 'b, NGN', 'c'],
        [2, '1', '1.234,50', '18,52'],
        [3, '2', '234,50', '1,52'],
      ],
    ],
    [
      'commas where a text holds semicolons and bars',
      'day,text,amount\n1,NIP|PAYSTACK|1;x,5\n2,NIP|PAYSTACK|2;y,6',
      [
        [1, 'day', 'text', 'amount'],
        [2, '1', 'NIP|PAYSTACK|1;x', '5'],
        [3, '2', 'NIP|PAYSTACK|2;y', '6'],
      ],
    ],
    [
      'the delimiter that a spreadsheet names in the first line',
      'sep=;\na,b;c\nd,e;f',
      [
        [2, 'a,b', 'c'],
        [3, 'd,e', 'f'],
      ],
    ],
    ['nothing', '', []],
    ['UTF-16', new Uint8Array([0xff, 0xfe, 0x61, 0, 0x2c, 0, 0xa3, 0]), [[1, 'a', '£']]],
    ['UTF-16 with its high byte first', new Uint8Array([0xfe, 0xff, 0, 0x61, 0, 0x2c, 0, 0xa3]), [[1, 'a', '£']]],
    ['the Windows encoding', new Uint8Array([0x61, 0x2c, 0xa3]), [[1, 'a', '£']]],
  ])('of %s is read', async (_, content, rows) => {
    expect(await rowsOf(content)).toEqual(rows);
  });

  test.each([
    ['a,b\nc,"d\n\ne', { line: 2, column: 2, message: 'has a quote that does not end' }],
    ['a,b\n"c"d,e', { line: 2, column: 1, message: 'has text after its closing quote' }],
    ['a,b\nc,d"e', { line: 2, column: 2, message: 'has a quote within its text' }],
    [`a\nb\n${'x'.repeat(100_100)}`, { line: 3, column: 1, message: 'is in a row that is too long' }],
    [`a\nb\n${','.repeat(200_100)}`, { line: 3, column: 1, message: 'is in a row that is too long' }],
    [`a\nb${',c'.repeat(500)}`, { line: 2, column: 501, message: 'is beyond the 500 columns that a file may have' }],
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

const MAIN = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
const RELATIONS = 'http://schemas.openxmlformats.org/package/2006/relationships';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

interface Workbook {
  /** By name: the rows of each sheet as they are in its XML, and what follows them. */
  readonly sheets: Readonly<Record<string, readonly [rows: string, after?: string]>>;
  readonly hidden?: readonly string[];
  readonly strings?: string;
  readonly settings?: string;
  /** Codes of the formats from style 1 on; style 0 is of numbers. */
  readonly formats?: readonly string[];
}

function workbookOf({
  sheets,
  hidden = [],
  strings = '',
  settings = '',
  formats = ['dd/mm/yyyy hh:mm:ss'],
}: Workbook): Uint8Array {
  const names = Object.keys(sheets);
  const relation = (id: string, type: string, target: string) =>
    `<Relationship Id="${id}" Type="${OFFICE}/${type}" Target="${target}"/>`;
  const files = {
    '[Content_Types].xml': '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>',
    'xl/workbook.xml': `<workbook ${MAIN} xmlns:r="${OFFICE}">${settings}<sheets>${names
      .map(
        (name, at) =>
          `<sheet name="${name}" sheetId="${at + 1}" r:id="r${at}"${hidden.includes(name) ? ' state="hidden"' : ''}/>`,
      )
      .join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${RELATIONS}">${[
      ...names.map((_, at) => relation(`r${at}`, 'worksheet', `worksheets/sheet${at + 1}.xml`)),
      relation('s', 'styles', '/xl/styles.xml'),
      relation('t', 'sharedStrings', 'sharedStrings.xml'),
    ].join('')}</Relationships>`,
    'xl/styles.xml': `<styleSheet ${MAIN}><numFmts>${formats
      .map((code, at) => `<numFmt numFmtId="${164 + at}" formatCode="${code.replaceAll('"', '&quot;')}"/>`)
      .join('')}</numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/>${formats
      .map((_, at) => `<xf numFmtId="${164 + at}"/>`)
      .join('')}</cellXfs></styleSheet>`,
    'xl/sharedStrings.xml': `<sst ${MAIN}>${strings}</sst>`,
    ...Object.fromEntries(
      Object.values(sheets).map(([rows, after = ''], at) => [
        `xl/worksheets/sheet${at + 1}.xml`,
        `<worksheet ${MAIN}><sheetData>${rows}</sheetData>${after}</worksheet>`,
      ]),
    ),
  };
  return zipSync(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, strToU8(text)])));
}

const oneSheet = (rows: string, after = '', changes: Partial<Workbook> = {}) =>
  workbookOf({ sheets: { Sheet1: [rows, after] }, ...changes });
const text = (at: string, value: string) => `<c r="${at}" t="inlineStr"><is><t>${value}</t></is></c>`;
const number = (at: string, value: string | number, style = 0) => `<c r="${at}" s="${style}"><v>${value}</v></c>`;

async function tableOf(file: Uint8Array, choice: SheetChoice = {}) {
  const table = await readTable(file, limits, choice);
  if (table.kind === 'malformed') throw new Error(table.problem.message);
  return table;
}

/** The only cell of a workbook: its text and what is noted on it. */
async function cellOf(cell: string, changes: Partial<Workbook> = {}) {
  const { rows } = await tableOf(oneSheet(`<row r="1">${cell}</row>`, '', changes));
  return { text: rows[0]?.cells[0], ...rows[0]?.notes?.get(0) };
}

describe('XLSX', () => {
  test('is read by the numbers of its rows, with exact numbers, and dates as they are written', async () => {
    const file = oneSheet(`
      <row r="1">${text('A1', 'Reference')}${text('B1', 'Amount')}${text('C1', 'Paid')}</row>
      <row r="3">${text('A3', 'sw-1')}${number('B3', '985.0000000000001')}${number('C3', 46351.5, 1)}</row>`);
    expect(await rowsOf(file)).toEqual([
      [1, 'Reference', 'Amount', 'Paid'],
      [3, 'sw-1', '985', '2026-11-25T12:00:00'],
    ]);
  });

  test('has its texts whole: shared ones, of several pieces, without readings, in one line', async () => {
    const strings = `<si><t>plain &amp; simple</t></si><si><r><t>of </t></r><r><t>pieces</t></r><rPh><t>reading</t></rPh></si>
      <si><t xml:space="preserve">two
lines_x000D_</t></si>`;
    const cells = [0, 1, 2].map((at) => `<c t="s"><v>${at}</v></c>`).join('');
    expect(await rowsOf(oneSheet(`<row>${cells}</row>`, '', { strings }))).toEqual([
      [1, 'plain & simple', 'of pieces', 'two lines '],
    ]);
    expect(await cellOf('<c r="A1" t="b"><v>1</v></c>')).toEqual({ text: 'true' });
    expect(await cellOf('<c r="A1" t="d"><v>2026-11-25T14:03:00</v></c>')).toEqual({ text: '2026-11-25T14:03:00' });
    expect(await cellOf('<c r="A1" t="str"><f>B1</f><v></v></c><c r="B1"><v>1</v></c>')).toEqual({ text: '' });
  });

  test.each([
    ['46351.979166666664', '2026-11-25T23:30:00'],
    ['46351.97915509259', '2026-11-25T23:29:59'],
    ['46351.99999999', '2026-11-26T00:00:00'],
    ['46352', '2026-11-26T00:00:00'],
    ['59362', '2062-07-10T00:00:00'],
    ['0', '1899-12-30T00:00:00'],
    ['1', '1900-01-01T00:00:00'],
    ['61', '1900-03-01T00:00:00'],
  ])('has the day %s as %s, to the second', async (days, day) => {
    expect(await cellOf(number('A1', days, 1))).toEqual({ text: day });
  });

  test.each([
    ['[$-409]d-mmm-yy;@', '2026-11-25T12:00:00'],
    ['yyyy"year"mm', '2026-11-25T12:00:00'],
    ['#,##0.00 "days"', '46351.5'],
    ['[$NGN] #,##0.00;[Red]-#,##0.00', '46351.5'],
    ['0.00E+00', '46351.5'],
    ['General', '46351.5'],
    ['hh:mm', '2026-11-25T12:00:00'],
  ])('goes by the format %s', async (format, expected) => {
    expect((await cellOf(number('A1', 46351.5, 1), { formats: [format] })).text).toBe(expected);
  });

  test('has times without a day as times, parts of seconds where they are shown, and days since 1904', async () => {
    expect((await cellOf(number('A1', 0.5, 1), { formats: ['hh:mm'] })).text).toBe('12:00:00');
    expect((await cellOf(number('A1', 46351.50000711806, 1), { formats: ['hh:mm:ss.000'] })).text).toBe(
      '2026-11-25T12:00:00.615',
    );
    const settings = '<workbookPr date1904="1"/>';
    expect((await cellOf(number('A1', 44889.5, 1), { settings })).text).toBe('2026-11-25T12:00:00');
  });

  test.each([
    ['2026112710406712', '2026112710406712', {}],
    ['20261127104067123456', '20261127104067123456', {}],
    ['2.0261127104067119E+15', '2026112710406712', {}],
    ['2026112710406710', '2026112710406710', { isShortened: true }],
    ['2.02611271040671E+15', '2026112710406710', { isShortened: true }],
    ['0.30000000000000004', '0.3', {}],
    ['-1234567.8900000001', '-1234567.89', {}],
    ['1E-2', '0.01', {}],
    ['1.5E3', '1500', {}],
    ['-0', '0', {}],
  ])('has the number %s with every digit: %s', async (written, expected, note) => {
    expect(await cellOf(number('A1', written))).toEqual({ text: expected, isNumber: true, ...note });
  });

  test.each([
    ['a formula that was not computed', '<c r="A1"><f>B1*0.015</f></c>', /^holds a formula that was not computed/],
    ['the same with an empty value', '<c r="A1"><f>B1*0.015</f><v></v></c>', /^holds a formula that was not computed/],
    ['a formula of a text', '<c r="A1" t="str"><f>B1</f></c>', /^holds a formula that was not computed/],
    ['an error', '<c r="A1" t="e"><f>B1/0</f><v>#DIV/0!</v></c>', /^holds the error #DIV\/0!$/],
    ['a number whose digits are lost', number('A1', '2.0261127104067124E+16'), /^holds a number of more digits/],
    ['a number that is none', number('A1', 'x'), /^holds a number/],
    ['a day before the calendar', number('A1', -1, 1), /^holds no day/],
  ])('has %s as something that cannot be read, and never as nothing', async (_, cell, problem) => {
    expect((await cellOf(cell)).problem).toMatch(problem);
  });

  test('takes the zeros of formulas for no values where the file was never opened by a spreadsheet', async () => {
    const settings = '<calcPr calcId="124519" fullCalcOnLoad="1"/>';
    expect((await cellOf('<c r="A1"><f>B1*0.015</f><v>0</v></c>', { settings })).problem).toMatch(/not computed/);
    expect(await cellOf('<c r="A1"><f>B1*0.015</f><v>0</v></c>')).toEqual({ text: '0', isNumber: true });
  });

  test('has hidden rows, and the value of a cell that is merged over rows in each of them', async () => {
    const rows = `<row r="1">${text('A1', 'X1')}${number('B1', 5)}</row><row r="2" hidden="1">${text('C2', 'r2')}</row>
      <row r="3">${text('B3', 'below')}</row>`;
    const { rows: read } = await tableOf(
      oneSheet(rows, '<mergeCells><mergeCell ref="A1:A9"/><mergeCell ref="B1:B2"/><mergeCell ref="C2:D2"/></mergeCells>'),
    );
    expect(read.map(({ cells, isHidden = false }) => [isHidden, ...cells])).toEqual([
      [false, 'X1', '5'],
      [true, 'X1', '5', 'r2'],
      [false, 'X1', 'below'],
    ]);
    expect(read[1]?.notes?.get(1)).toEqual({ isNumber: true, isMerged: true });
  });

  test('is read from the sheet that is named, else from the first visible one that suits, else from one with titles', async () => {
    const row = (line: number, ...cells: string[]) =>
      `<row r="${line}">${cells.map((cell, at) => text(`${'ABC'[at]}${line}`, cell)).join('')}</row>`;
    const file = workbookOf({
      sheets: {
        Notes: [row(1, 'a', 'b', 'c') + row(2, 'd')],
        Summary: [row(1, 'Total paid', '5')],
        First: [row(1, 'Day', 'Text', 'Sum') + row(2, 'd1')],
        Second: [row(1, 'Day', 'Text', 'Amount') + row(2, 'd2')],
      },
      hidden: ['Notes'],
    });
    const chosen = async (choice: SheetChoice) => (await tableOf(file, choice)).sheet;
    expect(await chosen({})).toBe('First');
    expect(await chosen({ suits: (rows) => rows.some(({ cells }) => cells.includes('Amount')) })).toBe('Second');
    expect(await chosen({ suits: () => false })).toBe('First');
    expect(await chosen({ sheet: 'Notes' })).toBe('Notes');
    expect((await tableOf(file)).sheets).toEqual([
      { name: 'Notes', isHidden: true },
      { name: 'Summary', isHidden: false },
      { name: 'First', isHidden: false },
      { name: 'Second', isHidden: false },
    ]);
    expect(await readTable(file, limits, { sheet: 'Third' })).toMatchObject({
      problem: { message: 'is in a workbook without a sheet “Third”' },
    });
  });

  test.each([
    [
      'a cell in its last corner',
      `<row r="1">${text('A1', 'a')}</row><row r="1048576">${number('XFD1048576', 1)}</row>`,
      { line: 1_048_576, column: 16_384, message: 'is beyond the 500 columns that a file may have' },
    ],
    [
      'more rows than are allowed',
      Array.from({ length: 101 }, (_, at) => `<row r="${at + 1}">${number(`A${at + 1}`, 1)}</row>`).join(''),
      { line: 101, column: 1, message: 'is beyond the 100 rows that a file may have' },
    ],
  ])('with %s is refused by its bounds', async (_, rows, problem) => {
    expect(await readTable(oneSheet(rows), limits)).toEqual({ kind: 'malformed', problem });
  });

  test('has no more cells than its rows and used columns make, however far apart these are', async () => {
    const rows = Array.from({ length: 10_001 }, (_, at) => `<row>${number(`SF${at + 1}`, 1)}</row>`).join('');
    expect(await readTable(oneSheet(rows), { rowsMax: 20_000 })).toMatchObject({
      problem: { line: 10_001, message: 'is beyond the 5,000,000 cells that a file may have' },
    });
    const empty = '<row r="5"><c r="XFD5" s="1"/></row>';
    expect(await rowsOf(oneSheet(`${empty}<row r="6">${number('A6', 1)}</row>`))).toEqual([[6, '1']]);
  });

  test.each([
    ['is damaged', oneSheet('').slice(0, 200), 'is in a workbook that is damaged or too large'],
    ['is no workbook', zipSync({ 'a.txt': strToU8('a') }), 'is in a workbook that cannot be read'],
    ['has a sheet that is no XML', oneSheet('<row>'), 'is in a workbook that cannot be read'],
    [
      'has a text that is not there',
      oneSheet('<row><c t="s"><v>7</v></c></row>'),
      'is in a workbook that is damaged or too large',
    ],
    ['has a document type', oneSheet('', '', { strings: '<!DOCTYPE a>' }), 'is in a workbook that cannot be read'],
    [
      'unpacks to too much',
      zipSync({ 'xl/workbook.xml': new Uint8Array(130 * 1_048_576) }),
      'is in a workbook that is damaged or too large',
    ],
    ['is of the old form', new Uint8Array([0xd0, 0xcf, 0x11, 0xe0]), 'is in a workbook of an old form; save it as XLSX or CSV'],
  ])('that %s is refused', async (_, bytes, message) => {
    expect(await rowsOf(bytes)).toMatchObject({ message });
  });
});
