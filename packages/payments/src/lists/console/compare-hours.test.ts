import { createTestMerchant } from '@switchyard/runtime/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestPayments, type TestPayments } from '../../testing/context.ts';
import { recordPayment } from '../../testing/past.ts';
import { compareHours } from './count-payments.ts';

const NOON = new Date('2026-11-20T11:00:00.000Z');
const WEEK_MS = 7 * 86_400_000;

let context: TestPayments;

beforeAll(async () => {
  context = await openTestPayments();
});
afterAll(() => context.close());

test("counts today's payments by the hours of the zone, and those of the whole day a week ago", async () => {
  context.setClock(NOON);
  const { merchantId } = await createTestMerchant(context, { 'paystack-main': {} });
  const pay = (minutesAgo: number, status: 'PENDING' | 'SUCCESS' | 'FAILED', amount: number) =>
    recordPayment(context, merchantId, { createdAt: new Date(NOON.getTime() - minutesAgo * 60_000), status, amount });
  await pay(0, 'SUCCESS', 1_000);
  await pay(1, 'FAILED', 2_000);
  await pay(30, 'PENDING', 4_000);
  // Before midnight in Lagos, which is an hour ahead of UTC.
  await pay(12 * 60 + 1, 'SUCCESS', 8_000);
  await recordPayment(context, merchantId, { createdAt: new Date(NOON.getTime() - WEEK_MS + 6 * 3_600_000), status: 'SUCCESS' });
  const query = { merchantIds: [merchantId], mode: 'test', zone: 'Africa/Lagos' } as const;
  const { today, weekAgo, dayStart } = await compareHours(context, query);
  expect(dayStart.toISOString()).toBe('2026-11-19T23:00:00.000Z');
  expect(today).toEqual([
    { hour: 11, currency: 'NGN', payments: 2, paid: 0, failed: 0, expired: 1, received: 0n },
    { hour: 12, currency: 'NGN', payments: 1, paid: 1, failed: 0, expired: 0, received: 1_000n },
  ]);
  expect(weekAgo).toEqual([{ hour: 18, currency: 'NGN', payments: 1, paid: 1, failed: 0, expired: 0, received: 2_500n }]);
});
