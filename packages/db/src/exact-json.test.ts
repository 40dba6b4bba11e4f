import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ExactNumber, findExactNumber, parseExactJson } from './exact-json.ts';

describe('JSON that is parsed exactly', () => {
  it.each([
    '20261128155846121',
    '20261128155846120',
    '-9007199254740993',
    '9007199254740992',
    '1000.0000000000000001',
    '0.30000000000000004000001',
    '1e21',
    '1e400',
    '1e-400',
    '123456789012345678901234567890',
  ])('keeps %s as it is written', (source) => {
    expect(parseExactJson(`{"a":[${source}]}`)).toEqual({ a: [new ExactNumber(source)] });
    expect(findExactNumber(parseExactJson(`{"a":{"b":[1,${source}]}}`))).toBe('a.b.1');
  });

  it.each([
    ['9007199254740991', 9_007_199_254_740_991],
    ['-9007199254740991', -9_007_199_254_740_991],
    ['1000.00000000000000000000', 1_000],
    ['1E3', 1_000],
    ['25e-1', 2.5],
    ['0.1', 0.1],
    ['0.0000000000000000', 0],
    ['123456789.123456', 123_456_789.123456],
  ])('has %s as the number that it is', (source, number) => {
    expect(parseExactJson(`[${source}]`)).toEqual([number]);
  });

  it('is what JSON.parse makes of every other text, and refuses what that refuses', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 4 }), (text) => {
        const parsed: unknown = JSON.parse(text);
        if (findExactNumber([parseExactJson(text)]) === null) expect(parseExactJson(text)).toEqual(parsed);
      }),
    );
    for (const text of ['', '{', '01', '1.', '[1e]', '1234567890123456x']) {
      expect(() => parseExactJson(text)).toThrow(SyntaxError);
    }
  });

  it('never has one number for two that are written differently', () => {
    const written = fc.tuple(fc.bigInt({ min: 0n, max: 10n ** 25n }), fc.integer({ min: 0, max: 9 })).map(([whole, tenth]) => {
      return `${whole}.${tenth}`;
    });
    fc.assert(
      fc.property(written, written, (one, other) => {
        fc.pre(one !== other);
        expect(parseExactJson(one)).not.toEqual(parseExactJson(other));
      }),
    );
  });
});
