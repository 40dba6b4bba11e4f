import fc from 'fast-check';
import { expect, test } from 'vitest';
import { scanRows } from './row-scanner.ts';

const ID = '0190a000-0000-7000-8000-000000000000';
const encoder = new TextEncoder();
const cell = fc.string({ unit: fc.constantFrom('a', '"', ',', '\n', '\r', 'ö', '=') });
const row = (text: string, at: number) =>
  `${ID},2026-11-21T00:00:00.${String(at).padStart(3, '0')}Z,${ID},"${text.replaceAll('"', '""')}"\r\n`;

test('however a file comes in pieces and wherever it breaks off, what is whole and the place to go on after are known', () => {
  fc.assert(
    fc.property(fc.array(cell, { maxLength: 20 }), fc.nat(), fc.integer({ min: 1, max: 40 }), (texts, cutAt, size) => {
      const lines = texts.map(row);
      const all = encoder.encode(`merchant_id,created_at,payment_id,note\r\n${lines.join('')}`);
      const had = all.subarray(0, cutAt % (all.length + 1));
      const scanner = scanRows('csv');
      for (let at = 0; at < had.length; at += size) scanner.take(had.subarray(at, at + size));
      let [whole, rows] = [0, 0];
      for (const line of ['merchant_id,created_at,payment_id,note\r\n', ...lines]) {
        const length = encoder.encode(line).length;
        if (whole + length > had.length) break;
        [whole, rows] = [whole + length, rows + 1];
      }
      expect([scanner.whole, scanner.rows]).toEqual([whole, rows]);
      expect(scanner.place()).toBe(rows < 2 ? null : lines[rows - 2]?.split(',').slice(0, 3).join(','));
    }),
  );
});

test('a line of JSON is a row, and its first three values are its place', () => {
  const scanner = scanRows('ndjson');
  scanner.take(
    encoder.encode(`{"merchant_id":"${ID}","created_at":"2026-11-21T00:00:00.000Z","id":"${ID}","note":"\\""}\n{"merc`),
  );
  expect([scanner.rows, scanner.place()]).toEqual([1, `${ID},2026-11-21T00:00:00.000Z,${ID}`]);
});
