import { createHealthFixture, type HealthFixture, timedOut, well } from '@switchyard/provider-health/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openTestPayments, type TestPayments } from '../../testing/context.ts';
import { recordPayment } from '../../testing/past.ts';
import { findPaymentsBehindHealth } from './find-payments-behind-health.ts';

let fixture: HealthFixture<TestPayments>;

beforeAll(async () => {
  fixture = createHealthFixture(await openTestPayments());
});
afterAll(() => fixture.context.close());
beforeEach(() => fixture.begin());

describe('the payments behind a health state', () => {
  test('are the checkouts that the gateway failed in its window, with the counts of the state', async () => {
    const { merchantId } = fixture.merchant;
    await recordPayment(fixture.context, merchantId, { fellBack: true });
    fixture.later(400_000);
    const bad = [];
    for (let n = 0; n < 5; n++) {
      fixture.later(1_000);
      bad.unshift((await recordPayment(fixture.context, merchantId, { fellBack: true })).paymentId);
    }
    await recordPayment(fixture.context, merchantId, { fellBack: true, method: 'USSD' });
    await recordPayment(fixture.context, merchantId);
    await fixture.see('paystack-main', timedOut, 7);
    await fixture.lookUp('paystack-main', well, 4);
    const query = {
      merchantIds: [merchantId],
      accountId: fixture.id('paystack-main'),
      method: 'CARD',
      at: fixture.now,
      after: null,
      limit: 3,
    } as const;
    const page = await findPaymentsBehindHealth(fixture.context, query);
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
      accountId: fixture.id('paystack-main'),
    });
    const rest = await findPaymentsBehindHealth(fixture.context, { ...query, after: page?.next ?? null });
    expect(rest).toMatchObject({ attempts: [{ paymentId: bad[3] }, { paymentId: bad[4] }], next: null });
    expect((await findPaymentsBehindHealth(fixture.context, { ...query, method: null, limit: 200 }))?.attempts).toHaveLength(6);
    expect(await findPaymentsBehindHealth(fixture.context, { ...query, merchantIds: [fixture.context.newId()] })).toBeNull();
  });
});
