import { newId } from '@switchyard/db';
import type { DeliveryState, DuplicateChargeState, NotificationState } from '@switchyard/db/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  createTestMerchant,
  type DashboardMerchant,
  openTestDashboard,
  sessionOf,
  type TestDashboard,
} from '../testing/dashboard.ts';
import { recordPayment } from '../testing/switchyard.ts';
import { createCallerFactory } from './procedure.ts';
import { appRouter } from './router.ts';

let dashboard: TestDashboard;
let mine: DashboardMerchant;
let theirs: DashboardMerchant;
beforeAll(async () => {
  dashboard = await openTestDashboard();
  mine = await createTestMerchant(dashboard);
  theirs = await createTestMerchant(dashboard);
});
afterAll(() => dashboard.close());

const callerOf = ({ merchantId }: DashboardMerchant) =>
  createCallerFactory(appRouter)({ switchyard: dashboard.switchyard, session: sessionOf('owner', merchantId) });
const exactly = (count: number) => ({ count, more: false });
const at = (second: number) => new Date(Date.UTC(2026, 10, 20, 12, 0, second));

describe('the counts of a list are those of its rows, of the caller’s merchants alone, whatever state is chosen', () => {
  test('of duplicate charges', async () => {
    const paymentId = await recordPayment(dashboard.switchyard, mine.merchantId, 'order-1');
    const states: readonly DuplicateChargeState[] = ['OPEN', 'OPEN', 'REFUNDED'];
    await dashboard.database.prisma.duplicateCharge.createMany({
      data: states.map((state, index) => ({
        merchantId: mine.merchantId,
        id: newId(),
        mode: 'test',
        paymentId,
        attemptId: newId(),
        accountId: mine.paystack,
        gateway: index === 0 ? 'flutterwave' : 'paystack',
        reference: `r-${index}`,
        transactionId: `t-${index}`,
        amount: '2500',
        currency: 'NGN',
        state,
        createdAt: at(index),
        updatedAt: at(index),
      })),
    });
    const { duplicates } = callerOf(mine).refunds;
    expect(await duplicates.counts({ mode: 'test', states: ['REFUNDED'] })).toEqual({
      all: exactly(3),
      byState: { OPEN: exactly(2), REFUNDING: exactly(0), REFUNDED: exactly(1), DISMISSED: exactly(0) },
    });
    expect(await duplicates.counts({ mode: 'test', gateways: ['flutterwave'] })).toMatchObject({ all: exactly(1) });
    expect(await duplicates.counts({ mode: 'live' })).toMatchObject({ all: exactly(0) });
    expect(await callerOf(theirs).refunds.duplicates.counts({ mode: 'test' })).toMatchObject({ all: exactly(0) });
  });

  test('of webhook deliveries', async () => {
    const { merchantId } = mine;
    const endpointId = newId();
    const states: readonly DeliveryState[] = ['PENDING', 'DELIVERED', 'DELIVERED', 'FAILED'];
    await dashboard.database.prisma.webhookDelivery.createMany({
      data: states.map((state, index) => ({
        merchantId,
        id: newId(),
        endpointId,
        eventId: newId(),
        position: 1,
        type: 'payment.succeeded',
        state,
        attempts: 1,
        createdAt: at(index),
        updatedAt: at(index),
      })),
    });
    const { deliveries } = callerOf(mine).webhooks;
    expect(await deliveries.counts({ merchantId, endpointId, states: ['FAILED'] })).toEqual({
      all: exactly(4),
      byState: { PENDING: exactly(1), DELIVERED: exactly(2), FAILED: exactly(1) },
    });
    expect(await deliveries.counts({ merchantId, endpointId, createdFrom: at(2) })).toMatchObject({ all: exactly(2) });
    await expect(callerOf(theirs).webhooks.deliveries.counts({ merchantId, endpointId })).rejects.toMatchObject({
      code: 'FORBIDDEN',
    });
  });

  test('of messages about alerts, which are listed in either order', async () => {
    const { merchantId } = mine;
    const states: readonly NotificationState[] = ['SENT', 'SENT', 'FAILED', 'SKIPPED'];
    const ids = states.map(() => newId());
    await dashboard.database.prisma.notification.createMany({
      data: states.map((state, index) => ({
        merchantId,
        id: ids[index] ?? newId(),
        channelMerchantId: merchantId,
        channelId: newId(),
        event: 'test' as const,
        state,
        createdAt: at(index),
        updatedAt: at(index),
      })),
    });
    const { alerts } = callerOf(mine);
    expect(await alerts.messageCounts({ merchantId })).toEqual({ PENDING: 0, SENT: 2, FAILED: 1, SKIPPED: 1 });
    expect(await callerOf(theirs).alerts.messageCounts({})).toEqual({ PENDING: 0, SENT: 0, FAILED: 0, SKIPPED: 0 });
    const listed = async (query: Partial<Parameters<typeof alerts.messages>[0]>) => {
      const found: string[] = [];
      for (let cursor: string | null = null; ; ) {
        const page = await alerts.messages({ merchantId, limit: 1, ...query, cursor });
        found.push(...page.items.map(({ notificationId }) => notificationId));
        cursor = page.next;
        if (cursor === null) return found;
      }
    };
    expect(await listed({})).toEqual(ids.toReversed());
    expect(await listed({ newestFirst: false })).toEqual(ids);
    expect(await listed({ state: 'SENT' })).toEqual([ids[1], ids[0]]);
    expect(await listed({ state: 'SENT', newestFirst: false })).toEqual([ids[0], ids[1]]);
  });
});
