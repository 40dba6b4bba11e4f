import { expect, test } from 'vitest';
import { type OverrideTimes, readTimes } from './override-draft.ts';

const now = new Date('2026-11-23T12:00:00Z');
const read = (times: Partial<OverrideTimes>) =>
  readTimes({ starts: 'now', startAt: '', ends: '120', endAt: '', ...times }, 'Africa/Lagos', now);

test('an end is counted from the start, now or planned, by the clocks of the zone', () => {
  expect(read({})).toEqual({ ok: true, startsAt: null, expiresAt: new Date('2026-11-23T14:00:00Z') });
  expect(read({ starts: 'at', startAt: '2026-11-25T02:00', ends: '30' })).toEqual({
    ok: true,
    startsAt: new Date('2026-11-25T01:00:00Z'),
    expiresAt: new Date('2026-11-25T01:30:00Z'),
  });
  expect(read({ ends: 'at', endAt: '2026-11-23T15:00' })).toMatchObject({ expiresAt: new Date('2026-11-23T14:00:00Z') });
  expect(read({ ends: 'never' })).toEqual({ ok: true, startsAt: null, expiresAt: null });
});

test.each([
  [{ starts: 'at', startAt: '' }, 'startAt', 'must be a date and a time'],
  [{ starts: 'at', startAt: '2026-11-23T13:00' }, 'startAt', 'must lie in the future'],
  [{ ends: 'at', endAt: '' }, 'endAt', 'must be a date and a time'],
  [{ ends: 'at', endAt: '2026-11-23T12:59' }, 'endAt', 'must lie after the start'],
] as const)('times such as %j are refused', (times, field, problem) => {
  expect(read(times)).toEqual({ ok: false, field, problem });
});
