import { findGateway, gatewayNames } from '@switchyard/gateways';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addWorkingHours, disputeDue, type WorkingCalendar } from './dispute-due.ts';

const lagos = { zone: 'Africa/Lagos', holidays: [] };
const after = (from: string, hours: number, calendar: WorkingCalendar = lagos) =>
  addWorkingHours(new Date(from), hours, calendar).toISOString();

test('working hours end at the end of the day and go on with the next', () => {
  // A Tuesday, 13:12 in Lagos: 3 h 48 min are left of it.
  expect(after('2024-03-26T12:12:00Z', 3)).toBe('2024-03-26T15:12:00.000Z');
  expect(after('2024-03-26T12:12:00Z', 10)).toBe('2024-03-27T13:12:00.000Z');
});

test('no hour of a weekend, a holiday or a night is counted', () => {
  // Friday, 16:00 in Lagos.
  expect(after('2026-11-20T15:00:00Z', 2)).toBe('2026-11-23T08:00:00.000Z');
  expect(after('2026-11-20T15:00:00Z', 2, { ...lagos, holidays: ['2026-11-23'] })).toBe('2026-11-24T08:00:00.000Z');
  expect(after('2026-11-20T23:00:00Z', 1)).toBe('2026-11-23T08:00:00.000Z');
});

test.each(['Africa/Lagos', 'America/New_York', 'Asia/Kolkata'])(
  'in %s, the due date is the one that counting minute by minute finds',
  (zone) => {
    const clock = new Intl.DateTimeFormat('en-GB', { timeZone: zone, hour: '2-digit', hourCycle: 'h23', weekday: 'short' });
    const isWorking = (moment: number) => {
      const parts = new Map(clock.formatToParts(moment).map(({ type, value }) => [type, value]));
      const hour = Number(parts.get('hour'));
      return !['Sat', 'Sun'].includes(parts.get('weekday') ?? '') && hour >= 8 && hour < 17;
    };
    const minute = 60_000;
    // June has no change of clocks.
    const begin = Date.parse('2026-06-01T00:00:00Z');
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 14 * 1_440 }), fc.integer({ min: 1, max: 12 }), (offset, hours) => {
        let at = begin + offset * minute;
        for (let left = hours * 60; left > 0; at += minute) if (isWorking(at)) left -= 1;
        expect(addWorkingHours(new Date(begin + offset * minute), hours, { zone, holidays: [] })).toEqual(new Date(at));
      }),
      { numRuns: 30 },
    );
  },
);

test('each gateway’s published rule is counted from when the dispute was opened', () => {
  const openedAt = new Date('2026-11-25T10:00:00Z');
  // From Wednesday, 11:00 in Lagos, by what each rule says.
  const dates: Readonly<Record<string, string>> = {
    '16 hours': '2026-11-26T02:00:00.000Z',
    '24 hours': '2026-11-26T10:00:00.000Z',
    '10 working hours': '2026-11-26T11:00:00.000Z',
  };
  for (const gateway of gatewayNames) {
    const rule = findGateway(gateway)?.disputes.answerWithin ?? null;
    const words = rule?.kind === 'hours' ? `${rule.hours} hours` : `${rule?.local} working hours`;
    const due = disputeDue(gateway, openedAt, { holidays: [], cardOrigin: null })?.at.toISOString() ?? null;
    expect([gateway, due]).toEqual([gateway, rule === null ? null : dates[words]]);
  }
});

test('working hours are those of where the card is from, and of local cards where that is not known', () => {
  const openedAt = new Date('2026-11-25T10:00:00Z');
  const gateway = gatewayNames.find((name) => findGateway(name)?.disputes.answerWithin?.kind === 'working_hours') ?? '';
  const due = (cardOrigin: 'local' | 'international' | null) =>
    disputeDue(gateway, openedAt, { holidays: [], cardOrigin })?.at.toISOString();
  expect([due(null), due('local'), due('international')]).toEqual([
    '2026-11-26T11:00:00.000Z',
    '2026-11-26T11:00:00.000Z',
    '2026-11-30T13:00:00.000Z',
  ]);
});
