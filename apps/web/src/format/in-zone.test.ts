import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sayInZone } from './in-zone.ts';
import { clockOf } from './moments.ts';

describe('a sentence in the zone of the page', () => {
  test('converts its time to Lagos time, and leaves the rest unchanged', () => {
    expect(
      sayInZone(
        'Down since 14:02 UTC: 18 of 22 checkouts timed out in 5 min (Paystack, card).',
        new Date('2026-11-20T14:03:00Z'),
      ),
    ).toBe('Down since 15:02: 18 of 22 checkouts timed out in 5 min (Paystack, card).');
  });

  test('takes a date with its time over midnight', () => {
    expect(sayInZone('In force until 22 Nov 2026, 23:40 UTC.', new Date('2026-11-20T14:03:00Z'))).toBe(
      'In force until 23 Nov 2026, 00:40.',
    );
  });

  test('goes over midnight with its zone', () => {
    expect(sayInZone('Degraded since 23:40 UTC', new Date('2026-11-21T00:10:00Z'))).toBe('Degraded since 00:40');
  });

  test.each(['Healthy: 3 of 4 checkouts answered in 5 min.', 'At 25:00 UTC', 'At 14:02', ''])('leaves %j alone', (sentence) => {
    expect(sayInZone(sentence, new Date('2026-11-20T14:03:00Z'))).toBe(sentence);
  });

  test('names the same moment as the clock of the page does, however long before it was written within a day', () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date('2000-01-01'), max: new Date('2090-01-01'), noInvalidDate: true }),
        fc.integer({ min: 0, max: 24 * 3_600_000 - 60_000 }),
        (moment, ago) => {
          const sentence = `Down since ${moment.toISOString().slice(11, 16)} UTC`;
          expect(sayInZone(sentence, new Date(moment.getTime() + ago))).toBe(`Down since ${clockOf(moment)}`);
        },
      ),
    );
  });
});
