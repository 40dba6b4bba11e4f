import { expect, test } from 'vitest';
import { SPAN_LABELS, SPANS } from './span.ts';

test.each(SPANS)('a strip of %s has whole steps, between 80 and 100 of them', (span) => {
  const { minutes, stepSeconds } = SPAN_LABELS[span];
  const steps = (minutes * 60) / stepSeconds;
  expect(Number.isInteger(steps)).toBe(true);
  expect(steps).toBeGreaterThanOrEqual(80);
  expect(steps).toBeLessThanOrEqual(100);
});
