import { expect, test } from 'vitest';
import { foldFeed } from './feed.tsx';

const change = { kind: 'health', accountId: 'a', method: 'CARD', toState: 'down', at: new Date('2026-11-21T13:02:00Z') };
const whole = { ...change, method: null };

test('a change of a method and of all methods together is listed once, by the method', () => {
  expect(foldFeed([change, whole])).toEqual([change]);
});

test.each([
  ['of another account', { ...change, accountId: 'b' }],
  ['to another state', { ...change, toState: 'healthy' }],
  ['at another time', { ...change, at: new Date('2026-11-21T13:05:00Z') }],
  ['that is an override', { ...change, kind: 'override_set' }],
])('a change %s is listed beside it', (_what, other) => {
  expect(foldFeed([other, whole])).toEqual([other, whole]);
});
