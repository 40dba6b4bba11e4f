import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readDecision, readInputsOf } from './read-inputs.ts';
import { DICTIONARY_1, packDecision, unpackDecision } from './store-inputs.ts';

const json = fc.dictionary(fc.string({ unit: 'grapheme' }), fc.jsonValue());

describe('a packed decision', () => {
  test('is read as it was, its record byte for byte', () => {
    fc.assert(
      fc.property(json, json, (routing, inputs) => {
        const packedDecision = packDecision(routing, inputs);
        expect(unpackDecision(packedDecision).routing).toBe(JSON.stringify(routing));
        const read = { routing: JSON.parse(JSON.stringify(routing)), inputs: JSON.parse(JSON.stringify(inputs)) };
        expect(readDecision({ routing: null, inputs: null, packedDecision })).toEqual(read);
        expect(readInputsOf(null, packedDecision)).toEqual(read.inputs);
      }),
    );
  });

  test('that was packed by an earlier version is read by this one: a dictionary never changes', () => {
    const packedDecision = Buffer.from('AUMtS4kqwFASKL7EWwsA', 'base64');
    const read = {
      routing: { version: 1, rationaleCode: 'smart_routing_rule', overrides: [] },
      inputs: { policy: 5, overrides: [] },
    };
    expect(readDecision({ routing: null, inputs: null, packedDecision })).toEqual(read);
  });

  // Raw DEFLATE has no checksum: with another dictionary, stored rows are read as other texts, without an error.
  test('is read with the dictionary of its number, which never changes, and packed with the newest', () => {
    expect(createHash('sha256').update(DICTIONARY_1).digest('hex')).toBe(
      '343eefdfac87534be206fc62947d2eef610e32e9c134adb5787d897c0ad6306e',
    );
    expect(packDecision({}, {})[0]).toBe(1);
  });

  test('does not count where a record or inputs are stored beside it', () => {
    const packedDecision = packDecision({ version: 1 }, { policy: 5 });
    expect(readDecision({ routing: { version: 9 }, inputs: null, packedDecision })).toEqual({
      routing: { version: 9 },
      inputs: { policy: 5 },
    });
    expect(readDecision({ routing: null, inputs: 'gone', packedDecision })).toEqual({ routing: { version: 1 }, inputs: 'gone' });
    expect(readInputsOf('gone', packedDecision)).toBe('gone');
  });
});

test('a decision that an earlier version stored as JSON is read', () => {
  const stored = { routing: { version: 1 }, inputs: { policy: 2 } };
  expect(readDecision({ ...stored, packedDecision: null })).toEqual(stored);
  expect(readInputsOf(stored.inputs, null)).toEqual({ policy: 2 });
});
