import { beforeEach, describe, expect, test } from 'vitest';
import { createOpeningsInFlight, type OpeningsInFlight } from './openings-in-flight.ts';

const where = { merchantId: 'balogun', accountId: 'paystack', method: 'CARD' };
const OVERDUE_MS = 500;

let now: number;
let flight: OpeningsInFlight;
beforeEach(() => {
  now = 10_000;
  flight = createOpeningsInFlight(() => now);
});

const overdue = (method = 'CARD') => flight.overdue('paystack', method, OVERDUE_MS).map(({ at }) => at);

describe('an opening that goes unanswered', () => {
  test('is overdue from its time on until it ends, for its method and for the account as a whole', () => {
    const ended = flight.begin(where);
    now += OVERDUE_MS - 1;
    expect(overdue()).toEqual([]);
    now += 1;
    expect([overdue(), overdue('*'), overdue('USSD')]).toEqual([[10_000], [10_000], []]);
    ended(false);
    expect(overdue()).toEqual([]);
  });

  test('says nothing while the account opens others, and something again once it stops', () => {
    flight.begin(where);
    const answered = flight.begin(where);
    now += 600;
    answered(true);
    expect(overdue()).toEqual([]);
    flight.begin(where);
    now += OVERDUE_MS;
    expect(overdue()).toEqual([10_600]);
  });

  test('still counts after another one failed', () => {
    flight.begin(where);
    const failed = flight.begin(where);
    now += 600;
    failed(false);
    expect(overdue()).toEqual([10_000]);
  });

  test('is forgotten when its end never came', () => {
    flight.begin(where);
    now += 60_000;
    expect(overdue()).toEqual([]);
  });
});

test('what is under way is known by merchant', () => {
  const ended = flight.begin(where);
  expect(flight.underWay('balogun')).toContainEqual(where);
  expect(flight.underWay('ade')).toEqual([]);
  ended(true);
  expect(flight.underWay('balogun')).toEqual([]);
});
