import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { splitPeriod, sumsThatFit } from './periods.ts';

const at = fc.date({ min: new Date('2026-01-01T00:00:00Z'), max: new Date('2026-03-01T00:00:00Z'), noInvalidDate: true });
const finest = fc.record({ days: fc.boolean(), hours: fc.boolean() });

describe('the parts of a period', () => {
  test('touch, do not overlap and cover it, whatever it is', () => {
    fc.assert(
      fc.property(at, at, finest, (from, to, fit) => {
        const parts = splitPeriod(from, to, fit);
        if (from >= to) {
          expect(parts).toEqual([]);
          return;
        }
        expect(parts[0]?.from).toEqual(from);
        expect(parts.at(-1)?.to).toEqual(to);
        for (const [index, part] of parts.entries()) {
          expect(part.from < part.to).toBe(true);
          if (index > 0) expect(part.from).toEqual(parts[index - 1]?.to);
        }
      }),
    );
  });

  test('are cut at full hours, and at midnights of Lagos, where sums are read', () => {
    fc.assert(
      fc.property(at, at, finest, (from, to, fit) => {
        for (const { source, ...part } of splitPeriod(from, to, fit)) {
          for (const moment of [part.from, part.to]) {
            if (source !== 'payments') expect(moment.getTime() % 3_600_000).toBe(0);
            if (source === 'days') expect(moment.getUTCHours()).toBe(23);
          }
          if (source === 'days') expect(fit).toEqual({ days: true, hours: true });
        }
      }),
    );
  });

  test('read less than two hours of single payments where hours fit', () => {
    fc.assert(
      fc.property(at, at, (from, to) => {
        const single = splitPeriod(from, to, { days: true, hours: true }).filter(({ source }) => source === 'payments');
        const ms = single.reduce((sum, part) => sum + part.to.getTime() - part.from.getTime(), 0);
        expect(ms).toBeLessThan(2 * 3_600_000);
      }),
    );
  });
});

describe('sums by Lagos’s days', () => {
  const [from, to] = [new Date('2026-01-01T00:00:00Z'), new Date('2026-12-31T00:00:00Z')];
  test.each([
    ['Africa/Lagos', { days: true, hours: true }],
    ['Africa/Algiers', { days: true, hours: true }],
    ['Europe/London', { days: false, hours: true }],
    ['Europe/Berlin', { days: false, hours: true }],
    ['UTC', { days: false, hours: true }],
    ['Asia/Kolkata', { days: false, hours: false }],
    ['Asia/Kathmandu', { days: false, hours: false }],
  ])('are used for %s exactly where its days are the same all through', (zone, fit) => {
    expect(sumsThatFit(zone, from, to)).toEqual(fit);
  });

  test('are used for Berlin in winter, whose days are then Lagos’s own', () => {
    const winter = sumsThatFit('Europe/Berlin', new Date('2026-01-01T00:00:00Z'), new Date('2026-02-01T00:00:00Z'));
    expect(winter).toEqual({ days: true, hours: true });
  });
});
