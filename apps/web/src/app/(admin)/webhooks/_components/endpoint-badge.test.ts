import { expect, test } from 'vitest';
import { shareOf } from './endpoint-badge.tsx';

test('few attempts are counted, many are a share that is never rounded up', () => {
  expect(shareOf({ attempts: 0, delivered: 0 })).toBe('–');
  expect(shareOf({ attempts: 1, delivered: 1 })).toBe('1 of 1');
  expect(shareOf({ attempts: 19, delivered: 0 })).toBe('0 of 19');
  expect(shareOf({ attempts: 20, delivered: 19 })).toBe('95%');
  expect(shareOf({ attempts: 10_000, delivered: 9_999 })).toBe('99.9%');
});
