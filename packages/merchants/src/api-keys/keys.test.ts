import { createSecretKey } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatKey, hashSecret, LEAKED_KEY_PATTERN, makeKey, parseKey } from './keys.ts';

const mode = fc.constantFrom('test' as const, 'live' as const);
const parts = fc
  .tuple(mode, fc.uint8Array({ minLength: 48, maxLength: 48 }))
  .map(([ofMode, bytes]) => makeKey(ofMode, (size) => (size === 32 ? bytes.subarray(0, 32) : bytes.subarray(32, 32 + size))));

describe('a key', () => {
  test('has the documented shape and reads back as its parts', () => {
    fc.assert(
      fc.property(parts, (made) => {
        const text = formatKey(made);
        expect(text).toMatch(/^sk_(test|live)_[0-9A-Za-z]{12}_[0-9A-Za-z]{49}$/);
        expect(parseKey(text)).toEqual(made);
      }),
    );
  });

  test('holds every bit of its randomness', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), fc.nat(255), (bytes, bit) => {
        const flipped = Uint8Array.from(bytes, (byte, index) => (index === bit >> 3 ? byte ^ (1 << (bit & 7)) : byte));
        const secretOf = (random: Uint8Array) => makeKey('test', (size) => random.subarray(0, size)).secret;
        expect(secretOf(flipped)).not.toBe(secretOf(bytes));
      }),
    );
  });

  test('with any one character changed is recognised as a typo', () => {
    fc.assert(
      fc.property(parts, fc.nat(), fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }), (made, at, typo) => {
        const text = formatKey(made);
        const index = at % text.length;
        fc.pre(text[index] !== typo);
        expect(parseKey(text.slice(0, index) + typo + text.slice(index + 1))).toBeNull();
      }),
      { numRuns: 2_000 },
    );
  });

  test('with any one character replaced is recognised as a typo', () => {
    const letters = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
    const [made] = fc.sample(parts, 1);
    const text = formatKey(made ?? { mode: 'test', publicId: '', secret: '' });
    for (let index = 0; index < text.length; index++) {
      for (const letter of letters) {
        if (letter === text[index]) continue;
        expect(parseKey(text.slice(0, index) + letter + text.slice(index + 1))).toBeNull();
      }
    }
  });

  test('with two neighbours swapped, a character missing or one too many is recognised as a typo', () => {
    fc.assert(
      fc.property(parts, fc.nat(), (made, at) => {
        const text = formatKey(made);
        const index = at % (text.length - 1);
        const [first = '', second = ''] = text.slice(index, index + 2);
        if (first !== second) expect(parseKey(text.slice(0, index) + second + first + text.slice(index + 2))).toBeNull();
        expect(parseKey(text.slice(0, index) + text.slice(index + 1))).toBeNull();
        expect(parseKey(text.slice(0, index) + first + text.slice(index))).toBeNull();
      }),
    );
  });

  test('is no key in any other text', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(parseKey(text)).toBeNull();
      }),
    );
  });
});

describe('a leaked key', () => {
  test('is found inside any text that does not run on into it', () => {
    const around = fc.string().filter((text) => !/^[0-9A-Za-z]|[0-9A-Za-z]$/.test(text));
    fc.assert(
      fc.property(parts, around, around, (made, before, after) => {
        const found = LEAKED_KEY_PATTERN.exec(before + formatKey(made) + after);
        expect(found?.[0]).toBe(formatKey(made));
      }),
    );
  });

  test("another service's key is not taken for ours", () => {
    expect(LEAKED_KEY_PATTERN.test('sk_test_4eC39HqLyjWDarjtT1zdp7dc')).toBe(false);
    expect(LEAKED_KEY_PATTERN.test('sk_live_0123456789abcdef0123456789abcdef01234567')).toBe(false);
  });
});

describe('what is stored of a secret', () => {
  test('differs with the secret and with the pepper, and holds neither', () => {
    const pepper = createSecretKey(Buffer.alloc(32, 1));
    const other = createSecretKey(Buffer.alloc(32, 2));
    const hash = hashSecret(pepper, 'secret');
    expect(hash).toHaveLength(32);
    expect(hash).toEqual(hashSecret(pepper, 'secret'));
    expect(hash).not.toEqual(hashSecret(other, 'secret'));
    expect(hash).not.toEqual(hashSecret(pepper, 'secreT'));
  });
});
