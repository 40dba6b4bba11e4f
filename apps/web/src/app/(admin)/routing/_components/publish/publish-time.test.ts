import fc from 'fast-check';
import { expect, test } from 'vitest';
import { localTime, readLocalTime } from './publish-time.ts';

const minute = fc
  .integer({ min: Date.UTC(2020, 0, 1) / 60_000, max: Date.UTC(2040, 0, 1) / 60_000 })
  .map((minutes) => new Date(minutes * 60_000));

test('a time that is written down is the moment it was written for', () => {
  fc.assert(
    fc.property(minute, (moment) => {
      expect(readLocalTime(localTime(moment))).toEqual(moment);
    }),
  );
});

test('what is no time is none', () => {
  for (const text of ['', 'tomorrow', '2026-02-30T10:00', '2026-11-21', '2026-11-21T25:00', '2026-11-21T10:61']) {
    expect(readLocalTime(text)).toBeNull();
  }
  expect(readLocalTime('2026-11-21T14:30')).toEqual(new Date('2026-11-21T13:30:00Z'));
});
