import { expect, test } from 'vitest';
import { describeFlow } from './now-line.tsx';

const DAY_START = new Date('2026-11-20T23:00:00Z');
/** Ten hours into the day. */
const NOW = new Date('2026-11-21T09:00:00Z').getTime();
const ago = (minutes: number) => new Date(NOW - minutes * 60_000);
const flow = (lastPaidAt: Date | null, paidWeekAgo: number) =>
  describeFlow({ lastPaidAt, dayStart: DAY_START, paidWeekAgo, now: NOW });

test.each([
  // A payment a minute: ten minutes are the least silence.
  [ago(9), 600, 'good', 'Money is coming in'],
  [ago(11), 600, 'bad', 'No payment has succeeded for 11 min'],
  // A payment in twenty minutes.
  [ago(190), 30, 'good', 'Money is coming in'],
  [ago(201), 30, 'bad', 'No payment has succeeded for 3 h 21 min'],
  // Few payments prove nothing.
  [ago(500), 9, 'plain', 'Last paid'],
  [null, 0, 'plain', 'No payment has succeeded yet'],
  // After yesterday's last payment, the silence of today counts.
  [ago(2_000), 600, 'bad', 'No payment has succeeded for 10 h'],
])('last paid at %s with %d payments a week ago is %s: %s', (lastPaidAt, paidWeekAgo, tone, text) => {
  expect(flow(lastPaidAt, paidWeekAgo)).toEqual({ tone, text });
});
