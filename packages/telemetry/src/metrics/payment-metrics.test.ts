import { expect, test } from 'vitest';
import { boundedLabel } from './payment-metrics.ts';

test('the first values keep their names, later ones share one', () => {
  const label = boundedLabel(2);
  expect(['a', 'b', 'c', 'a', 'd', 'b'].map(label)).toEqual(['a', 'b', 'other', 'a', 'other', 'b']);
});
