import fc from 'fast-check';
import { expect, test } from 'vitest';
import { attemptReference } from './plan.ts';

test('references are letters and digits, 36 of them, and differ for every payment and position', () => {
  const uuid = fc.uuid();
  fc.assert(
    fc.property(uuid, uuid, fc.nat(99), fc.nat(99), (left, right, leftAt, rightAt) => {
      expect(attemptReference(left, leftAt)).toMatch(/^[a-z0-9]{36}$/);
      expect(attemptReference(left, leftAt) === attemptReference(left, rightAt)).toBe(leftAt === rightAt);
      expect(attemptReference(left, leftAt) === attemptReference(right, leftAt)).toBe(left === right);
    }),
  );
});
