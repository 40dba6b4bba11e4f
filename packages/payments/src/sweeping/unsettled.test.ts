import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decideUnanswered, reviewDueAt, unsettledReason } from './unsettled.ts';

const DAY_MS = 86_400_000;
const expiresAt = new Date('2026-11-20T13:00:00Z');
const after = (ms: number) => new Date(expiresAt.getTime() + ms);

describe('an open payment that no gateway decides', () => {
  test('waits for seven days after its session ended, to the millisecond, and then goes to review', () => {
    expect(decideUnanswered({ now: after(7 * DAY_MS - 1), expiresAt })).toBe('wait');
    expect(decideUnanswered({ now: after(7 * DAY_MS), expiresAt })).toBe('review');
  });

  test('goes to review at every later time, however late it is looked at', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 400 * DAY_MS }), (late) => {
        expect(decideUnanswered({ now: new Date(reviewDueAt(expiresAt).getTime() + late), expiresAt })).toBe('review');
      }),
    );
  });

  test('says to staff what the gateway said last', () => {
    expect(unsettledReason({ code: 'unrecognised_status', message: 'Paystack reports a status: quarantined.' })).toBe(
      'Seven days after its session ended, no gateway says whether it was paid. The last check: Paystack reports a status: quarantined.',
    );
    expect(unsettledReason({ code: 'timeout', message: 'No answer in time' })).toMatch(/The last check: No answer in time\.$/);
  });
});
