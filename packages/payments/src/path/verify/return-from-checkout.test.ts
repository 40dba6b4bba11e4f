import { createTestMerchant } from '@switchyard/runtime/testing';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { openTestPayments, type TestPayments, TIMED_OUT, withGateways } from '../../testing/context.ts';
import { recordPayment } from '../../testing/past.ts';
import { returnFromCheckout } from './return-from-checkout.ts';

let context: TestPayments;
let accountId: string;
let merchantId: string;
beforeAll(async () => {
  context = await openTestPayments();
  const { accounts, ...merchant } = await createTestMerchant(context, { 'paystack-main': {} });
  ({ merchantId } = merchant);
  accountId = accounts['paystack-main'] ?? '';
});
afterEach(() => vi.useRealTimers());
afterAll(() => context.close());

async function returning() {
  const { paymentId } = await recordPayment(context, merchantId);
  return { paymentId, accountId, query: new URLSearchParams() };
}

test('the address of a checkout leads to payments of its account’s merchant and mode, and to no other', async () => {
  const customer = await returning();
  const other = await createTestMerchant(context, { 'paystack-main': {} });
  const from = (changes: Partial<typeof customer>) => returnFromCheckout(context, { ...customer, ...changes });
  const unanswered = withGateways(context, () => ({ verify: async () => TIMED_OUT }));
  expect(await returnFromCheckout(unanswered, customer)).toMatchObject({ payment: { paymentId: customer.paymentId } });
  expect(await from({ accountId: other.accounts['paystack-main'] ?? '' })).toBeUndefined();
  expect(await from({ accountId: 'paystack' })).toBeUndefined();
  const where = { merchantId_id: { merchantId, id: customer.paymentId } };
  await context.database.prisma.payment.update({ where, data: { mode: 'live' } });
  expect(await from({})).toBeUndefined();
});

describe('a customer who comes back', () => {
  test('waits for a look-up of 4 seconds', async () => {
    const given: number[] = [];
    const silent = withGateways(context, () => ({
      verify: async (_account, _query, { timeoutMs }) => {
        given.push(timeoutMs);
        return TIMED_OUT;
      },
    }));
    expect(await returnFromCheckout(silent, await returning())).toMatchObject({ payment: { status: 'PENDING' } });
    expect(given).toEqual([4_000]);
  });

  test('waits for 5 seconds and no longer, even if the look-up goes on', async () => {
    const asked = Promise.withResolvers<void>();
    const endless = withGateways(context, () => ({
      verify: () => {
        asked.resolve();
        return new Promise(() => undefined);
      },
    }));
    const customer = await returning();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    let isBack = false;
    const returned = returnFromCheckout(endless, customer).finally(() => {
      isBack = true;
    });
    await asked.promise;
    await vi.advanceTimersByTimeAsync(4_999);
    expect(isBack).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(await returned).toMatchObject({ payment: { status: 'PENDING' }, wasCancelled: false });
  });
});
