import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseWireJson } from './wire-json.ts';

describe('a gateway’s JSON is read exactly', () => {
  it('returns the same as JSON.parse while numbers are short', () => {
    const json = fc.jsonValue({ maxDepth: 6 }).filter((value) => !/[\d.]{15}|\de[+-]?\d/.test(JSON.stringify(value)));
    fc.assert(
      fc.property(json, (value) => {
        const text = JSON.stringify(value, null, 1);
        expect(parseWireJson(text)).toEqual(JSON.parse(text));
      }),
    );
  });

  it('keeps every digit of any integer, as a number or as text', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 80n }), (id) => {
        const parsed = parseWireJson(`{"id": ${id}, "next": 1}`);
        expect(parsed).toEqual({ id: id < 10n ** 15n ? Number(id) : id.toString(), next: 1 });
      }),
    );
  });

  it('keeps every digit of any decimal', () => {
    const digits = fc.stringMatching(/^[1-9]\d{0,17}$/);
    fc.assert(
      fc.property(digits, digits, (whole, fraction) => {
        const parsed = parseWireJson(`[${whole}.${fraction}1]`);
        expect(String(Array.isArray(parsed) ? parsed[0] : null)).toBe(`${whole}.${fraction}1`);
      }),
    );
  });

  it('leaves digits inside strings and keys alone', () => {
    const value = { '12345678901234567890': 'id 12345678901234567890 and "1e5" \\' };
    expect(parseWireJson(JSON.stringify(value))).toEqual(value);
  });

  it('gives a number with an exponent as its text, so that 1e999 cannot become infinite', () => {
    expect(parseWireJson('{"amount":1e999}')).toEqual({ amount: '1e999' });
  });
});

describe('broken and hostile JSON', () => {
  it.each(['', '{', '{"a":', '<html></html>', '{"a":1}x', '{"a":00000000000000001}', '{"a":1e}', "{'a':1}", '\u0000', '{"a":"'])(
    'is undefined for %j',
    (text) => {
      expect(parseWireJson(text)).toBeUndefined();
    },
  );

  it('refuses nesting of a hundred thousand levels', () => {
    expect(parseWireJson('['.repeat(100_000) + ']'.repeat(100_000))).toBeUndefined();
    expect(parseWireJson('{"a":'.repeat(100_000))).toBeUndefined();
  });

  it('takes nesting of 32 levels and no more', () => {
    expect(parseWireJson('['.repeat(32) + ']'.repeat(32))).toBeDefined();
    expect(parseWireJson('['.repeat(33) + ']'.repeat(33))).toBeUndefined();
  });

  it('never throws', () => {
    fc.assert(fc.property(fc.string(), (text) => void parseWireJson(text)));
    const jsonish = fc.string({ unit: fc.constantFrom('{', '}', '[', ']', '"', '\\', ':', ',', '1', 'e', '-', '.', 'a', ' ') });
    fc.assert(fc.property(jsonish, (text) => void parseWireJson(text)));
  });
});
