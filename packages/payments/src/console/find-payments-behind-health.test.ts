import { createHealthScene, type HealthScene, timedOut, well } from '@switchyard/provider-health/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openTestPayments, type TestPayments } from '../testing/context.ts';
import { recordPayment } from '../testing/past.ts';
import { findPaymentsBehindHealth } from './find-payments-behind-health.ts';

let scene: HealthScene<TestPayments>;

beforeAll(async () => {
  scene = createHealthScene(await openTestPayments());
});
afterAll(() => scene.context.close());
beforeEach(() => scene.begin());

describe('the payments behind a state', () => {
  test('are the checkouts that failed by the provider in its window, and the counts it was read from', async () => {
    const { merchantId } = scene.merchant;
    await recordPayment(scene.context, merchantId, { fellBack: true });
    scene.later(400_000);
    const bad = [];
    for (let n = 0; n < 5; n++) {
      scene.later(1_000);
      bad.unshift((await recordPayment(scene.context, merchantId, { fellBack: true })).paymentId);
    }
    await recordPayment(scene.context, merchantId, { fellBack: true, method: 'USSD' });
    await recordPayment(scene.context, merchantId);
    await scene.see('paystack-main', timedOut, 7);
    await scene.lookUp('paystack-main', well, 4);
    const query = {
      merchantIds: [merchantId],
      accountId: scene.id('paystack-main'),
      method: 'CARD',
      at: scene.now,
      after: null,
      limit: 3,
    } as const;
    const page = await findPaymentsBehindHealth(scene.context, query);
    expect(page?.counts).toEqual({
      succeeded: 0,
      faulted: 7,
      timedOut: 7,
      refused: 0,
      serverError: 0,
      rateLimited: 0,
      malformed: 0,
      lookupsAnswered: 4,
      lookupsFailed: 0,
    });
    expect(page?.attempts.map(({ paymentId }) => paymentId)).toEqual(bad.slice(0, 3));
    expect(page?.attempts[0]).toMatchObject({
      amount: 2_500n,
      failureCode: 'timeout',
      method: 'CARD',
      accountId: scene.id('paystack-main'),
    });
    const rest = await findPaymentsBehindHealth(scene.context, { ...query, after: page?.next ?? null });
    expect(rest).toMatchObject({ attempts: [{ paymentId: bad[3] }, { paymentId: bad[4] }], next: null });
    expect((await findPaymentsBehindHealth(scene.context, { ...query, method: null, limit: 200 }))?.attempts).toHaveLength(6);
    expect(await findPaymentsBehindHealth(scene.context, { ...query, merchantIds: [scene.context.newId()] })).toBeNull();
  });
});
