import fc from 'fast-check';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../testing/index.ts';
import { copyOut } from './copy-out.ts';
import { free, json, own } from './file-columns.ts';
import { createLineWriter, type FileFormat } from './file-lines.ts';
import { toLiteral } from './literals.ts';

let database: TestDatabase;
let client: pg.Client;
beforeAll(async () => {
  database = await createTestDatabase();
  client = new pg.Client({ connectionString: database.url, options: '-c timezone=UTC -c datestyle=ISO' });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await database.close();
});

const { BOOL, INT8, JSONB, NUMERIC, TEXT, TIMESTAMPTZ } = pg.types.builtins;
const COLUMNS = [
  { ...own('at', 'at', 'A moment.'), type: 'timestamptz', oid: TIMESTAMPTZ },
  { ...own('late', 'late', 'Yes or no.'), type: 'bool', oid: BOOL },
  { ...own('amount', 'amount', 'A sum of our own.'), type: 'int8', oid: INT8 },
  { ...own('fee', 'fee', 'A sum of a gateway.'), type: 'numeric', oid: NUMERIC },
  { ...free('order', 'order', 'Chosen by others.'), type: 'text', oid: TEXT },
  { ...json('ours', 'ours', 'Anything.'), type: 'jsonb', oid: JSONB },
];
type Row = readonly (string | Date | boolean | bigint | null)[];

/** The lines made of rows that PostgreSQL has stored and copied out. */
async function linesOf(format: FileFormat, rows: readonly Row[]): Promise<string> {
  const cell = (value: Row[number], at: number) => `${value === null ? 'NULL' : toLiteral(value)}::${COLUMNS[at]?.type}`;
  const values = rows.map((row, place) => `(${[place, ...row.map(cell)].join(', ')})`);
  const names = COLUMNS.map((_, at) => `c${at}`).join(', ');
  const from = rows.length === 0 ? `(SELECT) AS nothing` : `(VALUES ${values.join(', ')}) AS given (place, ${names})`;
  const question = rows.length === 0 ? `SELECT FROM ${from} WHERE false` : `SELECT ${names} FROM ${from} ORDER BY place`;
  const types = COLUMNS.map(({ oid }) => oid);
  const writer = createLineWriter(format, COLUMNS, { types, room: 16 });
  let counted = 0;
  for await (const copied of copyOut(client, question)) counted += writer.write(copied);
  expect(counted).toBe(rows.length);
  return writer.bytes().toString();
}

/** Any text that PostgreSQL can hold, with what COPY, SQL, JSON and spreadsheets take otherwise in plenty. */
const special = fc.constantFrom(
  '\\',
  '\\N',
  '\\u0000',
  '\t',
  '\n',
  '\r',
  '\b',
  '\f',
  '\v',
  '\u001f',
  "'",
  '"',
  '=',
  '-',
  '＝',
  '＠',
  ',',
  'é',
  '😀',
);
const text = fc
  .array(fc.oneof(special, fc.string({ unit: 'binary' })))
  .map((parts) => parts.join('').replaceAll('\u0000', ''))
  .filter((whole) => whole.isWellFormed());
/** PostgreSQL's own JSON holds no NUL either, and negative nought is nought. */
const document = fc
  .oneof(fc.record({ 'a"\\\n': fc.array(text) }), text, fc.jsonValue())
  .filter(
    (value) =>
      !JSON.stringify(value).includes('\\u0000') &&
      JSON.stringify(value).isWellFormed() &&
      !/\\ud[89a-f]/.test(JSON.stringify(value)),
  )
  .map((value) => JSON.parse(JSON.stringify(value)));
const moment = fc.date({ min: new Date('1970-01-01T00:00:00Z'), max: new Date('9999-12-31T23:59:59.999Z'), noInvalidDate: true });
const row = fc.record({
  at: fc.option(moment),
  late: fc.option(fc.boolean()),
  amount: fc.option(fc.bigInt({ min: -(10n ** 12n), max: 10n ** 12n })),
  fee: fc.option(
    fc.constantFrom(...['1.5', '1.500000', '0', '0.000000', '10', '100.000000', '-0.000001', '-20.10', '123456789012345678']),
  ),
  order: fc.option(text),
  ours: fc.option(document, { nil: undefined }),
});
const trimmed = (decimal: string | null) => (decimal?.includes('.') ? decimal.replace(/0+$/, '').replace(/\.$/, '') : decimal);
const FORMULA = /^[=+@\t\r\n＝＋－＠-]/;

/** A reader of RFC 4180 that knows nothing of how the lines were made. */
function readCsv(file: string): string[][] {
  const [records, cell]: [string[][], RegExp] = [[], /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/y];
  let record: string[] = [];
  while (cell.lastIndex < file.length) {
    const found = cell.exec(file);
    if (found === null) throw new Error('not comma-separated values');
    record.push(found[1]?.replaceAll('""', '"') ?? found[2] ?? '');
    if (found[3] === ',') continue;
    records.push(record);
    record = [];
  }
  return records;
}

const toRow = ({ at, late, amount, fee, order, ours }: typeof row extends fc.Arbitrary<infer One> ? One : never): Row => [
  ...[at, late, amount, fee, order],
  ours === undefined ? null : JSON.stringify(ours, null, 2),
];

describe('lines of a file', () => {
  test('of JSON lose and change nothing that was stored, and nothing begins a line of its own', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(row, { maxLength: 20 }), async (given) => {
        const lines = (await linesOf('ndjson', given.map(toRow))).split('\n').slice(0, -1);
        expect(lines.map((line) => JSON.parse(line))).toEqual(
          given.map(({ at, amount, fee, ours, ...rest }) => ({
            ...rest,
            at: at?.toISOString() ?? null,
            amount: amount === null ? null : Number(amount),
            fee: trimmed(fee),
            ours: ours ?? null,
          })),
        );
      }),
      { numRuns: 300 },
    );
  });

  test('of comma-separated values lose nothing, and have no cell of others that is taken for a formula', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(row, { maxLength: 20 }), async (given) => {
        const records = readCsv(await linesOf('csv', given.map(toRow)));
        expect(records.map((cells) => cells.slice(0, 5))).toEqual(
          given.map(({ at, late, amount, fee, order }) => [
            ...[at?.toISOString() ?? '', String(late ?? ''), String(amount ?? ''), trimmed(fee) ?? ''],
            order !== null && FORMULA.test(order) ? `'${order}` : (order ?? ''),
          ]),
        );
        const documents = records.map(([, , , , , cell = '']) => cell);
        expect(documents.filter((cell) => FORMULA.test(cell))).toEqual([]);
        expect(documents.map((cell) => (cell === '' ? undefined : JSON.parse(cell.replace(/^'/, ''))))).toEqual(
          given.map(({ ours }) => ours),
        );
      }),
      { numRuns: 300 },
    );
  });

  test('quote the cells of others, and not ours', async () => {
    const given: Row = [new Date('2026-11-20T16:00:00.5Z'), false, -3n, '0.25', '=1+"2"', '{"a": 1}'];
    expect(await linesOf('csv', [given])).toBe(`2026-11-20T16:00:00.500Z,false,-3,0.25,"'=1+""2""","{""a"": 1}"\r\n`);
  });

  test('have an empty cell for what there is not, and null in JSON', async () => {
    const given = COLUMNS.map(() => null);
    expect(await linesOf('csv', [given])).toBe(',,,,,\r\n');
    expect(Object.values(JSON.parse(await linesOf('ndjson', [given])))).toEqual(given);
  });

  test('are none for a moment that is not in UTC or finer than a millisecond', async () => {
    for (const other of ['2026-11-20 16:00:00.123456+00', 'infinity', '-infinity', '12026-11-20 16:00:00.001+00']) {
      await expect(linesOf('csv', [[other, null, null, null, null, null]])).rejects.toThrow(/not a moment/);
    }
    await client.query(`SET timezone = 'Africa/Lagos'`);
    await expect(linesOf('csv', [[new Date(), null, null, null, null, null]])).rejects.toThrow(/not a moment/);
    await client.query(`SET timezone = 'UTC'`);
  });
});
