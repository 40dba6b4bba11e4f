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
    const packedDecision = Buffer.from('AUMtQ4kquFASJr5EWwsA', 'base64');
    const read = {
      routing: { version: 1, rationaleCode: 'smart_routing_rule', overrides: [] },
      inputs: { policy: 1, overrides: [] },
    };
    expect(readDecision({ packedDecision })).toEqual(read);
  });

  // Raw DEFLATE has no checksum: with another dictionary, stored rows are read as other texts, without an error.
  test('is read with the dictionary of its number, which never changes, and packed with the newest', () => {
    expect(createHash('sha256').update(DICTIONARY_1).digest('hex')).toBe(
      'bca322fa94620734d786756156f7e9ff461d7123125fd21e7051064c9fb3427f',
    );
    expect(packDecision({}, {})[0]).toBe(1);
  });
});
