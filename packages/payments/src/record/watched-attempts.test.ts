import { expect, test } from 'vitest';
import { anAttempt } from '../testing/samples.ts';
import { watchedAttempts } from './attempt-queries.ts';

const STATES = ['STARTED', 'OPENED', 'REFUSED', 'UNKNOWN', 'PAID', 'UNPAID'] as const;

test('an attempt may bring money unless no checkout was opened, or its money is there', () => {
  const attempts = STATES.map((state) => ({ ...anAttempt, state }));
  expect(watchedAttempts(attempts).map(({ state }) => state)).toEqual(['STARTED', 'OPENED', 'UNKNOWN', 'UNPAID']);
});
