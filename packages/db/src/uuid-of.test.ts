import { expect, test } from 'vitest';
import { uuidOf } from './uuid-of.ts';

test('a text always gives the same UUID of version 8, and another text another', () => {
  expect(uuidOf('refund')).toBe(uuidOf('refund'));
  const ids = [...Array(1_000).keys()].map((n) => uuidOf(`refund ${n}`));
  expect(new Set(ids).size).toBe(ids.length);
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});
