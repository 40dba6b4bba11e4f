import fc from 'fast-check';
import { expect, test } from 'vitest';
import { quoteOrNull, quoteText } from './tool.ts';

test('quoted text is bounded and holds no character that hides or reorders it', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 1_000 }), fc.integer({ min: 1, max: 400 }), (text, max) => {
      const quoted = quoteText(text, max);
      expect([...quoted].length).toBeLessThanOrEqual(max);
      expect(quoted).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}]/u);
      expect(quoted.isWellFormed()).toBe(true);
      // A text that is clean and short stays as it is.
      expect(quoteText(quoted, max)).toBe(quoted);
    }),
  );
  expect(quoteOrNull(null)).toBeNull();
  expect(quoteText('order 7\u202e\u0000!')).toBe('order 7 !');
});
