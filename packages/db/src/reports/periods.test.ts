import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { splitInZone, splitPeriod, sumsThatFit } from './periods.ts';

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

describe('the parts of a period whose days are those of a zone', () => {
  const year = fc.date({ min: new Date('2026-01-01T00:00:00Z'), max: new Date('2026-12-31T00:00:00Z'), noInvalidDate: true });
  // Clocks are moved at midnight in Beirut, from one to midnight in Havana, and by half an hour on Lord Howe Island.
  const zones = fc.constantFrom(
    ...['Africa/Lagos', 'Europe/London', 'Asia/Kolkata', 'Asia/Kathmandu', 'Asia/Beirut'],
    ...['America/Havana', 'Atlantic/Azores', 'Australia/Lord_Howe', 'Pacific/Apia'],
  );
  const question = fc.record({
    from: year,
    ms: fc.integer({ min: 1, max: 90 * 86_400_000 }),
    zone: zones,
    step: fc.constantFrom('day', 'week', 'month' as const),
  });

  test('touch, cover it, and hold no sum in which one of them begins', { timeout: 60_000 }, () => {
    fc.assert(
      fc.property(question, ({ from, ms, zone, step }) => {
        const to = new Date(from.getTime() + ms);
        const parts = splitInZone({ from, to, zone }, [step]);
        expect([parts[0]?.from, parts.at(-1)?.to]).toEqual([from, to]);
        const format = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short' });
        const named = (at: number) => {
          const date = format.format(at);
          const days = Math.floor(Date.parse(`${date}T00:00:00Z`) / 86_400_000) + 3;
          return step === 'month' ? date.slice(0, 7) : step === 'week' ? String(Math.floor(days / 7)) : date;
        };
        for (const [index, { source, ...part }] of parts.entries()) {
          if (index > 0) expect(part.from).toEqual(parts[index - 1]?.to);
          const length = source === 'days' ? 86_400_000 : 3_600_000;
          if (source === 'payments') continue;
          expect((part.from.getTime() + (source === 'days' ? 3_600_000 : 0)) % length).toBe(0);
          for (let at = part.from.getTime(); at < part.to.getTime(); at += length) {
            expect(`${at} ${named(at + length - 1)}`).toBe(`${at} ${named(at)}`);
          }
        }
      }),
      { numRuns: 60 },
    );
  });

  test('read single payments only around midnights that are not at a full hour', () => {
    const [from, to] = [new Date('2026-05-01T18:30:00Z'), new Date('2026-05-31T18:30:00Z')];
    const single = splitInZone({ from, to, zone: 'Asia/Kolkata' }, ['day']).filter(({ source }) => source === 'payments');
    expect(single.reduce((sum, part) => sum + part.to.getTime() - part.from.getTime(), 0)).toBe(30 * 3_600_000);
    const sources = splitInZone({ from, to, zone: 'America/New_York' }, ['day']).map(({ source }) => source);
    expect(sources).toEqual(['payments', 'hours', 'payments']);
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
