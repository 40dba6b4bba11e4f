import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Part, splitInZone, splitPeriod } from './periods.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const at = fc.date({ min: new Date('2025-11-01T00:00:00Z'), max: new Date('2027-02-01T00:00:00Z'), noInvalidDate: true });

/** True if a roll-up period begins at a moment, by Lagos time. */
function begins(source: Exclude<Part['source'], 'payments'>, moment: Date): boolean {
  const lagos = new Date(moment.getTime() + HOUR_MS);
  const midnight = lagos.getTime() % DAY_MS === 0;
  switch (source) {
    case 'hour':
      return lagos.getTime() % HOUR_MS === 0;
    case 'day':
      return midnight;
  }
}

const lengthOf = (parts: readonly Part[], ...sources: readonly Part['source'][]) =>
  parts.filter(({ source }) => sources.includes(source)).reduce((ms, { from, to }) => ms + to.getTime() - from.getTime(), 0);

describe('the parts of a period', () => {
  test('touch, do not overlap and cover it, whatever it is', () => {
    fc.assert(
      fc.property(at, at, (from, to) => {
        const parts = splitPeriod(from, to);
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

  test('are cut at the boundaries of the roll-ups read', () => {
    fc.assert(
      fc.property(at, at, (from, to) => {
        for (const { source, ...part } of splitPeriod(from, to)) {
          if (source !== 'payments')
            expect([source, begins(source, part.from), begins(source, part.to)]).toEqual([source, true, true]);
        }
      }),
    );
  });

  test('contain few short ones: two hours of single payments and two days of hours at most', () => {
    fc.assert(
      fc.property(at, at, (from, to) => {
        const parts = splitPeriod(from, to);
        expect(lengthOf(parts, 'payments')).toBeLessThan(2 * HOUR_MS);
        expect(lengthOf(parts, 'payments', 'hour')).toBeLessThan(2 * DAY_MS);
      }),
    );
  });
});

describe('the parts of a period whose days are those of a zone', () => {
  const year = fc.date({ min: new Date('2026-01-01T00:00:00Z'), max: new Date('2026-12-31T00:00:00Z'), noInvalidDate: true });
  // Clocks change at midnight in Beirut, from one to midnight in Havana, and by half an hour on Lord Howe Island.
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

  test('touch, cover it, and contain no roll-up that spans the beginning of a day', () => {
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
          if (source === 'payments') continue;
          expect([source, begins(source, part.from), begins(source, part.to)]).toEqual([source, true, true]);
          let sum = part.from.getTime();
          let last = part.from.getTime();
          // Hour by hour, each mapped to the beginning of its roll-up.
          for (let at = sum; at <= part.to.getTime(); at += HOUR_MS) {
            if (at === part.to.getTime() || begins(source, new Date(at))) {
              expect(`${sum} ${named(last)}`).toBe(`${sum} ${named(sum)}`);
              sum = at;
            }
            last = at + HOUR_MS - 1;
          }
        }
      }),
      { numRuns: 60 },
    );
  });

  test('read single payments only around midnights that are not at a full hour', () => {
    const from = new Date('2026-05-01T18:30:00Z');
    const to = new Date('2026-05-31T18:30:00Z');
    const single = splitInZone({ from, to, zone: 'Asia/Kolkata' }, ['day']).filter(({ source }) => source === 'payments');
    expect(single.reduce((sum, part) => sum + part.to.getTime() - part.from.getTime(), 0)).toBe(30 * 3_600_000);
    const sources = splitInZone({ from, to, zone: 'America/New_York' }, ['day']).map(({ source }) => source);
    expect(sources).toEqual(['payments', 'hour', 'payments']);
  });

  test('are daily roll-ups where a zone has the days of Lagos, even for part of the year', () => {
    const from = new Date('2026-03-01T00:00:00+01:00');
    const to = new Date('2026-04-30T00:00:00+02:00');
    const sources = splitInZone({ from, to, zone: 'Europe/Berlin' }, ['day']).map(({ source }) => source);
    expect(sources).toEqual(['day', 'hour']);
  });

  test('are daily roll-ups for a year by week or by month', () => {
    const from = new Date('2025-01-01T00:00:00+01:00');
    const to = new Date('2026-01-01T00:00:00+01:00');
    for (const step of ['week', 'month'] as const) {
      expect(splitInZone({ from, to, zone: 'Africa/Lagos' }, [step])).toEqual([{ source: 'day', from, to }]);
    }
  });
});
