import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { canonicalJson, isDeeperThan } from './json.ts';

describe('canonical JSON', () => {
  test('is the same text for the same value, in whatever order its names were written', () => {
    expect(canonicalJson({ b: [1, { d: null, c: 'x' }], a: true })).toBe('{"a":true,"b":[1,{"c":"x","d":null}]}');
    expect(canonicalJson({ a: true, b: [1, { c: 'x', d: null }] })).toBe('{"a":true,"b":[1,{"c":"x","d":null}]}');
  });

  test('leaves out fields without a value', () => {
    expect(canonicalJson({ b: undefined, a: 1 })).toBe('{"a":1}');
  });

  test('parses to the value it was made of, and differs for different values', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (one, other) => {
        const plain: unknown = JSON.parse(JSON.stringify(one));
        expect(JSON.parse(canonicalJson(plain))).toEqual(plain);
        const isSame = canonicalJson(JSON.parse(JSON.stringify(other))) === canonicalJson(plain);
        if (isSame) expect(JSON.parse(JSON.stringify(other))).toEqual(plain);
      }),
    );
  });
});

test('depth counts the levels of lists and objects', () => {
  expect(isDeeperThan('text', 0)).toBe(false);
  expect(isDeeperThan([], 0)).toBe(true);
  expect(isDeeperThan({ a: [1] }, 2)).toBe(false);
  expect(isDeeperThan({ a: [{}] }, 2)).toBe(true);
});
