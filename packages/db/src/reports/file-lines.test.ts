import fc from 'fast-check';
import pg from 'pg';
import { expect, test } from 'vitest';
import { free, json, own } from './file-columns.ts';
import { toMoment, writeLines } from './file-lines.ts';

const { BOOL, INT8, JSON: JSON_TYPE, NUMERIC, TEXT, TIMESTAMPTZ } = pg.types.builtins;
const columns = [
  own('at', 'p.at', 'A moment.'),
  own('late', 'p.late', 'Yes or no.'),
  own('amount', 'p.amount', 'A sum of our own.'),
  own('fee', 'p.fee', 'A sum of a gateway.'),
  free('order', 'p.order', 'Chosen by others.'),
  json('ours', 'p.ours', 'Anything.'),
];
const types = [TIMESTAMPTZ, BOOL, INT8, NUMERIC, TEXT, JSON_TYPE];

test('moments are told to the millisecond in UTC, and others than in UTC not at all', () => {
  expect(toMoment('2026-11-20 16:00:00+00')).toBe('2026-11-20T16:00:00.000Z');
  expect(toMoment('2026-11-20 16:00:00.1+00')).toBe('2026-11-20T16:00:00.100Z');
  expect(toMoment('2026-11-20 16:00:00.123+00')).toBe('2026-11-20T16:00:00.123Z');
  for (const other of ['2026-11-20 17:00:00+01', '2026-11-20 16:00:00.123456+00', 'infinity']) {
    expect(() => toMoment(other)).toThrow(/not a moment/);
  }
});

test('nothing that was chosen by others is lost or changed in lines of JSON, nor begins a line of its own', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.string({ unit: 'binary' }), fc.jsonValue())), (given) => {
      const rows = given.map(([text, value]) => [
        '2026-11-20 16:00:00+00',
        't',
        '12',
        '1.5',
        text,
        JSON.stringify(value, null, 2),
      ]);
      const lines = writeLines('ndjson', columns, { rows, types }).split('\n').slice(0, -1);
      expect(lines.map((line) => JSON.parse(line))).toEqual(
        given.map(([order, value]) => ({
          ...{ at: '2026-11-20T16:00:00.000Z', late: true, amount: 12, fee: '1.5', order },
          ours: JSON.parse(JSON.stringify(value)),
        })),
      );
    }),
  );
});

test('what there is not is an empty cell, and null in lines of JSON', () => {
  const rows = [[null, null, null, null, null, null]];
  expect(writeLines('csv', columns, { rows, types })).toBe(',,,,,\r\n');
  expect(Object.values(JSON.parse(writeLines('ndjson', columns, { rows, types })))).toEqual(columns.map(() => null));
});

test('cells of others are quoted, ours are not, and none is taken for a formula', () => {
  const rows = [['2026-11-20 16:00:00.5+00', 'f', '-3', '0.25', '=1+"2"', '{"a": 1}']];
  expect(writeLines('csv', columns, { rows, types })).toBe(
    '2026-11-20T16:00:00.500Z,false,-3,0.25,"\'=1+""2""","{""a"": 1}"\r\n',
  );
});
