import { expect, test } from 'vitest';
import { requestIdOf } from './request-id.ts';

const OWN = '01998b1e-3d53-7abc-8def-0123456789ab';

test('a UUID of the caller is kept', () => {
  expect(requestIdOf('7D9F1C52-0B61-4D0E-9F43-1D8E6F2D3C4B', () => OWN)).toBe('7d9f1c52-0b61-4d0e-9f43-1d8e6f2d3c4b');
});

test.each([undefined, '', 'ada@example.com', '+2348012345678', '2348012345678', 'a\nb', `${OWN}, ${OWN}`, '4'.repeat(36)])(
  'anything else is replaced: %s',
  (given) => {
    expect(requestIdOf(given, () => OWN)).toBe(OWN);
  },
);
