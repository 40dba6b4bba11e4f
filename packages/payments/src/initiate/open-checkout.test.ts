import { createTestMerchant } from '@switchyard/runtime/testing';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import type { Order } from '../life-cycle/order.ts';
import { TIMED_OUT, withGateways } from '../testing/changed-gateways.ts';
import { openTestPayments, type TestPayments } from '../testing/context.ts';
import { initiate } from './initiate.ts';

let context: TestPayments;
beforeAll(async () => {
  context = await openTestPayments();
});
afterEach(() => vi.useRealTimers());
afterAll(() => context.close());

const order: Order = {
  merchantOrderId: 'order',
  amount: 2_500n,
  currency: 'NGN',
  metadata: null,
  redirectUrl: null,
  customer: { email: 'ada@example.com', id: null, phone: null },
  paymentMethod: 'CARD',
  customerCountry: null,
  requestedGateway: null,
};

test.each([
  [['paystack-a'], 2_400, [2_400]],
  [['paystack-a', 'paystack-b'], 2_400, [1_200, 1_200]],
  [['paystack-a', 'paystack-b', 'paystack-c'], 20_000, [8_000, 8_000, 4_000]],
])(
  'when none of %j answers within the time it is given, a payment with %d ms fails as soon as these are over',
  async (labels, initiateBudgetMs, expected) => {
    const { merchantId } = await createTestMerchant(context, Object.fromEntries(labels.map((label) => [label, {}])));
    const configuration = context.resources.configuration.merchant(merchantId);
    if (configuration === undefined) throw new Error('the merchant is not known');
    const given: number[] = [];
    const silent = withGateways({ ...context, initiateBudgetMs }, () => ({
      open: async (_account, _order, { timeoutMs }) => {
        given.push(timeoutMs);
        vi.advanceTimersByTime(timeoutMs);
        return TIMED_OUT;
      },
    }));
    // Only gateways take time.
    vi.useFakeTimers({ toFake: ['performance'] });
    const startedAt = performance.now();
    const result = await initiate(silent, { configuration, mode: 'test' }, order, context.newId(), { add: () => undefined });
    expect(result).toMatchObject({ kind: 'initiated', payment: { status: 'FAILED' } });
    expect(given).toEqual(expected);
    expect(performance.now() - startedAt).toBe(initiateBudgetMs);
  },
);
