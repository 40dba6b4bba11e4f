import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clockIn, UTC_CLOCK } from './clock.ts';

describe('a clock', () => {
  it('names the zone in UTC', () => {
    expect(UTC_CLOCK.timeOf('2026-11-20T14:02:59.999Z')).toBe('14:02 UTC');
    expect(UTC_CLOCK.dateAndTimeOf('2026-11-20T15:02:00+01:00')).toBe('20 Nov 2026, 14:02 UTC');
    expect(clockIn('UTC')).toBe(UTC_CLOCK);
  });

  it("writes the times of a reader's own zone, over midnight with their day", () => {
    const lagos = clockIn('Africa/Lagos');
    expect(lagos.timeOf('2026-11-20T23:40:00Z')).toBe('00:40');
    expect(lagos.dateAndTimeOf('2026-11-22T23:40:00Z')).toBe('23 Nov 2026, 00:40');
    expect(() => clockIn('Lagos')).toThrow(RangeError);
  });

  it('writes in UTC what ISO 8601 has, for any moment', () => {
    const moments = fc.date({ min: new Date('2000-01-01'), max: new Date('2090-01-01'), noInvalidDate: true });
    fc.assert(
      fc.property(moments, (moment) => {
        expect(UTC_CLOCK.timeOf(moment.toISOString())).toBe(`${moment.toISOString().slice(11, 16)} UTC`);
      }),
    );
  });
});
