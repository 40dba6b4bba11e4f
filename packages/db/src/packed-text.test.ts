import { deflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createTextPacker } from './packed-text.ts';

const DICTIONARY = '{"status":true,"message":"Authorization URL created","reference":"sy"}';
const texts = createTextPacker('a text', [DICTIONARY]);
/** Bytes of the space into which texts are unpacked. */
const SPACE_BYTES = 16_384;

describe('a packed text', () => {
  test('is read byte for byte, whatever is in it and whatever is known beside it', () => {
    const part = fc.oneof(fc.string({ unit: 'grapheme' }), fc.constantFrom(DICTIONARY, 'sy0198c0de', 'ọ̀nà', '👍🏿'));
    const text = fc.array(part, { maxLength: 60, size: 'max' }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(text, fc.oneof(fc.constant(''), fc.uuid()), (original, known) => {
        expect(texts.unpack(texts.pack(original + known, known), known)).toBe(original + known);
      }),
    );
  });

  test.each([SPACE_BYTES - 1, SPACE_BYTES, SPACE_BYTES + 1, 10 * SPACE_BYTES])('is read whole when it has %i bytes', (bytes) => {
    for (const sample of ['a', 'ab1"', DICTIONARY]) {
      const original = sample.repeat(Math.ceil(bytes / sample.length)).slice(0, bytes);
      expect(texts.unpack(texts.pack(original))).toBe(original);
    }
  });

  test('is read in each form that zlib may give it: stored, with fixed codes, with codes of its own', () => {
    const original = JSON.stringify(Array.from({ length: 40 }, (_, index) => ({ index, square: index * index })));
    for (const options of [{ level: 0 }, { strategy: 4 }, { level: 9 }]) {
      const deflated = deflateRawSync(original, { ...options, dictionary: Buffer.from(DICTIONARY) });
      expect(texts.unpack(Buffer.concat([Buffer.of(1), deflated]))).toBe(original);
    }
  });

  test('that ends early or has an unknown number is an error, not another text', () => {
    const packed = texts.pack(DICTIONARY.repeat(3).concat('{"amount":2500}'));
    expect(() => texts.unpack(packed.subarray(0, -2))).toThrow();
    expect(() => texts.unpack(Buffer.concat([Buffer.of(2), packed.subarray(1)]))).toThrow('a text is packed with dictionary 2');
    expect(() => texts.unpack(new Uint8Array())).toThrow('a text is packed with dictionary undefined');
  });
});
