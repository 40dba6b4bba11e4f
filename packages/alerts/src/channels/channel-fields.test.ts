import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type QuietHours, quietUntil } from './channel-fields.ts';

const night: QuietHours = { zone: 'Africa/Lagos', from: 22 * 60, to: 7 * 60, criticalPasses: true };
const at = (text: string) => new Date(text);

describe('quiet hours', () => {
  test('hold a message until they are over, in the zone of the channel', () => {
    // 22:00 in Lagos is 21:00 UTC.
    expect(quietUntil(night, false, at('2026-11-20T20:59:59Z'))).toEqual(at('2026-11-20T20:59:59Z'));
    expect(quietUntil(night, false, at('2026-11-20T21:00:00Z'))).toEqual(at('2026-11-21T06:00:00Z'));
    expect(quietUntil(night, false, at('2026-11-21T05:59:30Z'))).toEqual(at('2026-11-21T06:00:00Z'));
    expect(quietUntil(night, false, at('2026-11-21T06:00:00Z'))).toEqual(at('2026-11-21T06:00:00Z'));
  });

  test('let what is critical pass unless they are told not to', () => {
    const now = at('2026-11-20T23:00:00Z');
    expect(quietUntil(night, true, now)).toEqual(now);
    expect(quietUntil({ ...night, criticalPasses: false }, true, now)).toEqual(at('2026-11-21T06:00:00Z'));
  });

  test('that begin and end at the same minute are none', () => {
    const now = at('2026-11-20T23:00:00Z');
    expect(quietUntil({ ...night, from: 60, to: 60 }, false, now)).toEqual(now);
    expect(quietUntil(null, false, now)).toEqual(now);
  });

  test('end within a day, and are over at their end', () => {
    const minute = fc.integer({ min: 0, max: 1_439 });
    const moment = fc.date({ min: at('2026-01-01T00:00:00Z'), max: at('2026-12-31T00:00:00Z'), noInvalidDate: true });
    fc.assert(
      fc.property(minute, minute, moment, (from, to, now) => {
        const hours = { zone: 'UTC', from, to, criticalPasses: false };
        const until = quietUntil(hours, true, now);
        expect(until.getTime() - now.getTime()).toBeLessThanOrEqual(24 * 3_600_000);
        expect(quietUntil(hours, true, until)).toEqual(until);
      }),
    );
  });
});
