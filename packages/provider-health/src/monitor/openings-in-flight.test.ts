import { beforeEach, describe, expect, test } from 'vitest';
import { createOpeningsInFlight, type OpeningsInFlight } from './openings-in-flight.ts';

const where = { merchantId: 'balogun', accountId: 'paystack', method: 'CARD' };
const OVERDUE_MS = 500;

let now: number;
let inFlight: OpeningsInFlight;
beforeEach(() => {
  now = 10_000;
  inFlight = createOpeningsInFlight(() => now);
});

const overdue = (method = 'CARD') => inFlight.overdue('paystack', method, OVERDUE_MS).map(({ at }) => at);

describe('an opening that goes unanswered', () => {
  test('is overdue after the time-out until it ends, for its method and for the account as a whole', () => {
    const ended = inFlight.begin(where);
    now += OVERDUE_MS - 1;
    expect(overdue()).toEqual([]);
    now += 1;
    expect([overdue(), overdue('*'), overdue('USSD')]).toEqual([[10_000], [10_000], []]);
    ended('failed');
    expect(overdue()).toEqual([]);
  });

  test('does not count while the account opens others, and counts again once it stops', () => {
    inFlight.begin(where);
    const answered = inFlight.begin(where);
    now += 600;
    answered('opened');
    expect(overdue()).toEqual([]);
    inFlight.begin(where);
    now += OVERDUE_MS;
    expect(overdue()).toEqual([10_600]);
  });

  test('still counts after another one failed', () => {
    inFlight.begin(where);
    const failed = inFlight.begin(where);
    now += 600;
    failed('failed');
    expect(overdue()).toEqual([10_000]);
  });

  test('is ignored when its end is never reported', () => {
    inFlight.begin(where);
    now += 60_000;
    expect(overdue()).toEqual([]);
  });
});

test('openings in progress are listed by merchant', () => {
  const ended = inFlight.begin(where);
  expect(inFlight.listInFlight('balogun')).toContainEqual(where);
  expect(inFlight.listInFlight('ade')).toEqual([]);
  ended('opened');
  expect(inFlight.listInFlight('balogun')).toEqual([]);
});

describe('an opening that opens late', () => {
  test('takes back that it was overdue, and another one does not', () => {
    const ends = [inFlight.begin(where), inFlight.begin(where), inFlight.begin(where)];
    now += 600;
    const since = now;
    const later = inFlight.begin(where);
    now += 400;
    ends[0]?.('opened_late');
    ends[1]?.('failed');
    ends[2]?.('opened');
    now += 400;
    later('opened_late');
    expect(inFlight.takenBackSince('paystack', 'CARD', since, OVERDUE_MS)).toBe(1);
    expect(inFlight.takenBackSince('paystack', '*', since, OVERDUE_MS)).toBe(1);
    expect(inFlight.takenBackSince('paystack', 'CARD', now, OVERDUE_MS)).toBe(0);
  });
});

test('time that the process did not attend is none in which a gateway could have answered', () => {
  let missed = 0;
  const held = createOpeningsInFlight(
    () => now,
    () => now - missed,
  );
  held.begin(where);
  now += 5_000;
  missed = 4_900;
  expect(held.overdue('paystack', 'CARD', OVERDUE_MS)).toEqual([]);
  now += 400;
  expect(held.overdue('paystack', 'CARD', OVERDUE_MS)).toMatchObject([{ at: now - 500, overdue: true }]);
});
