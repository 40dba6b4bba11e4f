import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bodyDigest, isHexHmac, isSameText } from './webhook-reading.ts';

const secret = fc.string({ minLength: 1 });
const bytes = fc.uint8Array({ minLength: 1, maxLength: 200 });

describe('a signature covers the bytes and nothing else', () => {
  it('is accepted in either case of hex', () => {
    fc.assert(
      fc.property(secret, bytes, (key, body) => {
        const hex = createHmac('sha512', key).update(body).digest('hex');
        expect(isHexHmac('sha512', key, body, hex)).toBe(true);
        expect(isHexHmac('sha512', key, body, hex.toUpperCase())).toBe(true);
      }),
    );
  });

  it('is refused when any byte of the body, the key or the signature differs', () => {
    fc.assert(
      fc.property(secret, bytes, fc.nat(), fc.integer({ min: 1, max: 255 }), (key, body, at, flip) => {
        const hex = createHmac('sha512', key).update(body).digest('hex');
        const changed = Uint8Array.from(body);
        const index = at % body.length;
        changed[index] = (changed[index] ?? 0) ^ flip;
        expect(isHexHmac('sha512', key, changed, hex)).toBe(false);
        expect(isHexHmac('sha512', `${key}x`, body, hex)).toBe(false);
        const place = at % hex.length;
        const other = hex.charAt(place) === '0' ? '1' : '0';
        expect(isHexHmac('sha512', key, body, hex.slice(0, place) + other + hex.slice(place + 1))).toBe(false);
      }),
    );
  });

  it('is refused, without throwing, when it is no hex of the right length', () => {
    fc.assert(fc.property(fc.string(), (given) => !isHexHmac('sha512', 'key', new Uint8Array(3), given)));
    expect(isHexHmac('sha512', 'key', new Uint8Array(3), 'z'.repeat(128))).toBe(false);
  });
});

describe('a shared secret', () => {
  it('is accepted only when it is the same', () => {
    fc.assert(fc.property(fc.string(), fc.string(), (a, b) => isSameText(a, b) === (a === b)));
  });
});

describe('a digest of a delivery', () => {
  it('is the same for the same bytes', () => {
    fc.assert(fc.property(bytes, (body) => bodyDigest(body) === bodyDigest(Uint8Array.from(body))));
  });
});
