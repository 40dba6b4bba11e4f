import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cutPlace } from './cut-place.ts';

const cell = fc
  .string({ unit: fc.constantFrom('a', '"', ',', '\n', '\r', 'ö') })
  .map((text) => `"${text.replaceAll('"', '""')}"`);
const rest = fc.array(cell, { minLength: 1, maxLength: 3 }).map((cells) => `${cells.join(',')}\r\n`);

test('a file loses the place of each row and nothing else, however it comes in pieces', () => {
  fc.assert(
    fc.property(fc.array(rest, { maxLength: 12 }), fc.integer({ min: 1, max: 30 }), (rows, size) => {
      const all = new TextEncoder().encode(rows.map((row, at) => `0190a000,2026-11-21T00:00:00.000Z,${at},${row}`).join(''));
      const pieces: Uint8Array<ArrayBuffer>[] = [];
      for (let at = 0; at < all.length; at += size) pieces.push(all.slice(at, at + size));
      expect(Buffer.concat(cutPlace(pieces)).toString()).toBe(rows.join(''));
    }),
  );
});
