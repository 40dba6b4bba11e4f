import { expect, test } from 'vitest';
import { isPlanned } from './use-overrides.ts';

test('an override that a dialog has kept is still planned when a live message has brought the account anew', () => {
  const kept = { overrideId: 'o-1', startsAt: new Date('2099-01-01T02:00:00Z') };
  const planned = [{ ...kept, startsAt: new Date(kept.startsAt) }];
  expect(isPlanned({ planned }, kept)).toBe(true);
});

test('an override that has begun, or has been cancelled, is not planned', () => {
  expect(isPlanned({ planned: [{ overrideId: 'o-2' }] }, { overrideId: 'o-1' })).toBe(false);
});
