import fc from 'fast-check';
import { expect, test } from 'vitest';
import { csvFile, csvLine } from './csv.ts';

/** A line of comma-separated values, as a spreadsheet reads it (RFC 4180). */
function read(line: string): string[] {
  const cells: string[] = [];
  let rest = line.replace(/\r\n$/, '');
  for (;;) {
    const [whole = '', quoted, plain = ''] = /^(?:"((?:[^"]|"")*)"|([^,]*))/.exec(rest) ?? [];
    cells.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (whole.length === rest.length) return cells;
    rest = rest.slice(whole.length + 1);
  }
}
/** Texts that a spreadsheet would take for a formula. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;
const cell = fc.oneof(
  fc.string(),
  fc.constantFrom('=1+1', '+234', '-5', '-0.5', '@ada', '"', ',', '\r\n', '＝1', 'Ada, Obi', 'a"b'),
  fc.integer(),
);

test('a spreadsheet reads every cell as it was, and none as a formula', () => {
  fc.assert(
    fc.property(fc.array(cell, { minLength: 1 }), (cells) => {
      const found = read(csvLine(cells));
      expect(found).toHaveLength(cells.length);
      for (const [index, text] of found.entries()) {
        const wanted = String(cells[index]);
        const isNumber = typeof cells[index] === 'number';
        expect(text).toBe(FORMULA.test(wanted) && !isNumber ? `'${wanted}` : wanted);
        expect(FORMULA.test(text) && !isNumber).toBe(false);
      }
    }),
  );
});

test.each([
  [['a', 1, -500.5], 'a,1,-500.5\r\n'],
  [['a', '-500.5'], "a,'-500.5\r\n"],
  [['=SUM(A1)', '+234 803', '-'], "'=SUM(A1),'+234 803,'-\r\n"],
  [['Ada "Ada" Obi', 'a,b', 'two\nlines'], '"Ada ""Ada"" Obi","a,b","two\nlines"\r\n'],
  [[], '\r\n'],
])('%j is the line %j', (cells, line) => {
  expect(csvLine(cells)).toBe(line);
});

test('a column of numbers is written as it is, however its values come', () => {
  expect(csvLine(['-1', '-16.13', '12.50'], (at) => at > 0)).toBe("'-1,-16.13,12.50\r\n");
});

test('a file begins with the mark by which spreadsheets know that names have accents', async () => {
  const file = csvFile('Zoë\r\n');
  expect(file.type).toBe('text/csv;charset=utf-8');
  expect(new Uint8Array(await file.arrayBuffer()).slice(0, 3)).toEqual(new Uint8Array([0xef, 0xbb, 0xbf]));
});
