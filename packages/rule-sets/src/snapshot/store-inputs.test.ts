import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readDecision } from './read-inputs.ts';
import { DICTIONARY_1, packDecision, unpackDecision } from './store-inputs.ts';

const json = fc.dictionary(fc.string({ unit: 'grapheme' }), fc.jsonValue());

describe('a packed decision', () => {
  test('is read as it was, its record byte for byte', () => {
    fc.assert(
      fc.property(json, json, (routing, inputs) => {
        const packedDecision = packDecision(routing, inputs);
        expect(unpackDecision(packedDecision).routing).toBe(JSON.stringify(routing));
        const read = { routing: JSON.parse(JSON.stringify(routing)), inputs: JSON.parse(JSON.stringify(inputs)) };
        expect(readDecision({ packedDecision })).toEqual(read);
      }),
    );
  });

  test('that is stored is read: a dictionary never changes', () => {
    const packedDecision = Buffer.from('AUMtS4kqwFASKL7EWwsA', 'base64');
    const read = {
      routing: { version: 1, rationaleCode: 'smart_routing_rule', overrides: [] },
      inputs: { policy: 5, overrides: [] },
    };
    expect(readDecision({ packedDecision })).toEqual(read);
  });

  // Raw DEFLATE has no checksum: with another dictionary, stored rows are read as other texts, without an error.
  test('is read with the dictionary of its number, which never changes, and packed with the newest', () => {
    expect(createHash('sha256').update(DICTIONARY_1).digest('hex')).toBe(
      '343eefdfac87534be206fc62947d2eef610e32e9c134adb5787d897c0ad6306e',
    );
    expect(packDecision({}, {})[0]).toBe(1);
  });
});
