import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonicalPhone } from './phone.ts';

const local = fc.stringMatching(/^[789][01]\d{8}$/);

test('spellings of one Nigerian number are the same', () => {
  fc.assert(
    fc.property(local, fc.constantFrom('', ' ', '-'), (number, between) => {
      const parts = [number.slice(0, 3), number.slice(3, 6), number.slice(6)].join(between);
      const canonical = `234${number}`;
      expect(canonicalPhone(`0${parts}`)).toBe(canonical);
      expect(canonicalPhone(`+234${between}${parts}`)).toBe(canonical);
      expect(canonicalPhone(`00234${parts}`)).toBe(canonical);
      expect(canonicalPhone(`234${parts}`)).toBe(canonical);
    }),
  );
});

test('different numbers stay different, and a canonical one stays as it is', () => {
  fc.assert(
    fc.property(local, local, (one, other) => {
      fc.pre(one !== other);
      expect(canonicalPhone(`0${one}`)).not.toBe(canonicalPhone(`0${other}`));
      expect(canonicalPhone(canonicalPhone(`0${one}`))).toBe(canonicalPhone(`0${one}`));
    }),
  );
  expect(canonicalPhone('+1 803 555 0199')).not.toBe(canonicalPhone('0803 555 0199'));
});
