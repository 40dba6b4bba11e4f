import { newId } from '@switchyard/db';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fromCursor, toCursor } from './read-page.ts';

const keys = fc.record({
  createdAt: fc.date({ min: new Date(0), max: new Date('9999-12-31T23:59:59.999Z'), noInvalidDate: true }),
  id: fc.uuid(),
});

test('a cursor restores its position, to the millisecond', () => {
  fc.assert(
    fc.property(keys, (key) => {
      expect(fromCursor(toCursor(key))).toEqual(key);
    }),
  );
});

test('no two positions have the same cursor', () => {
  fc.assert(
    fc.property(keys, keys, (one, other) => {
      const same = one.id === other.id && one.createdAt.getTime() === other.createdAt.getTime();
      expect(toCursor(one) === toCursor(other)).toBe(same);
    }),
  );
});

const refused = expect.objectContaining({ extensions: { code: 'BAD_CURSOR' } });

test('a modified cursor is either refused or one that we would write', () => {
  const changed = keys.chain((key) => {
    const cursor = toCursor(key);
    return fc
      .tuple(fc.nat(cursor.length), fc.nat(3), fc.string({ maxLength: 3, unit: fc.constantFrom(...'0aAzZ.-_ \u{1f600}') }))
      .map(([at, without, more]) => cursor.slice(0, at) + more + cursor.slice(at + without));
  });
  fc.assert(
    fc.property(fc.oneof(changed, fc.string()), (text) => {
      let written: string;
      try {
        written = toCursor(fromCursor(text));
      } catch (error) {
        expect(error).toEqual(refused);
        return;
      }
      expect(written).toBe(text);
    }),
  );
});

const id = newId();

test.each([
  ['', 'nothing'],
  [id, 'an id alone'],
  [`.${id}`, 'no time'],
  [`nan.${id.slice(1)}`, 'half an id'],
  [`-1.${id}`, 'a time before anything was recorded'],
  [`00.${id}`, 'a time written otherwise'],
  [`MHZ.${id}`, 'another case'],
  [`zzzzzzzzzzzz.${id}`, 'a time that no clock shows'],
  [`0.${id}' OR true`, 'more than an id'],
  [Buffer.from(JSON.stringify([new Date().toISOString(), id])).toString('base64url'), 'another way of writing'],
])('%s is refused: %s', (text) => {
  expect(() => fromCursor(text)).toThrow(refused);
});
