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

const overdue = (method = 'CARD') => inFlight.overdue('paystack', method, OVERDUE_MS);

describe('an opening that goes unanswered', () => {
  test('is overdue after the time-out until it ends, for its method and for the account as a whole', () => {
    const ended = inFlight.begin(where);
    now += OVERDUE_MS - 1;
    expect(overdue()).toEqual([]);
    now += 1;
    expect([overdue(), overdue('*'), overdue('USSD')]).toEqual([[10_000], [10_000], []]);
    ended(false);
    expect(overdue()).toEqual([]);
  });

  test('does not count while the account opens others, and counts again once it stops', () => {
    inFlight.begin(where);
    const answered = inFlight.begin(where);
    now += 600;
    answered(true);
    expect(overdue()).toEqual([]);
    inFlight.begin(where);
    now += OVERDUE_MS;
    expect(overdue()).toEqual([10_600]);
  });

  test('still counts after another one failed', () => {
    inFlight.begin(where);
    const failed = inFlight.begin(where);
    now += 600;
    failed(false);
    expect(overdue()).toEqual([10_000]);
  });

  test('is ignored when its end is never reported', () => {
    inFlight.begin(where);
    now += 60_000;
    expect(overdue()).toEqual([]);
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
  expect(held.overdue('paystack', 'CARD', OVERDUE_MS)).toEqual([now - 500]);
});
