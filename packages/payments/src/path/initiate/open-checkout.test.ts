import type { CheckoutSession, Outcome } from '@switchyard/gateways';
import { createTestMerchant } from '@switchyard/runtime/testing';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import type { Order } from '../../record/order.ts';
import { openTestPayments, type TestPayments, TIMED_OUT, withGateways } from '../../testing/context.ts';
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

test('a gateway is called once the payment and the attempt are stored, under the reference on record', async () => {
  const { merchantId } = await createTestMerchant(context, { 'paystack-a': {} });
  const configuration = context.resources.configuration.merchant(merchantId) ?? expect.fail();
  const paymentId = context.newId();
  const stored: unknown[] = [];
  const looking = withGateways(context, () => ({
    open: async (_account, { reference }) => {
      const where = { merchantId, paymentId };
      const attempts = await context.database.prisma.attempt.findMany({ where, include: { payment: true } });
      stored.push(attempts.map((attempt) => [attempt.reference === reference, attempt.state, attempt.payment.status]));
      return TIMED_OUT;
    },
  }));
  await initiate(looking, { configuration, mode: 'test' }, order, paymentId, { add: () => undefined });
  expect(stored).toEqual([[[true, 'STARTED', 'INITIATED']]]);
});

/** Starts a payment of a new merchant whose accounts, by label, answer the opening of a checkout with what `open` returns. */
async function payWith(
  labels: readonly string[],
  open: (asked: number) => Outcome<CheckoutSession>,
  initiateBudgetMs = 20_000,
  traceparent = context.traceparent,
) {
  const { merchantId } = await createTestMerchant(context, Object.fromEntries(labels.map((label) => [label, {}])));
  const configuration = context.resources.configuration.merchant(merchantId);
  if (configuration === undefined) throw new Error('the merchant is not known');
  let asked = 0;
  const through = withGateways({ ...context, initiateBudgetMs, traceparent }, () => ({
    open: async () => {
      asked += 1;
      return open(asked);
    },
  }));
  const paymentId = context.newId();
  await initiate(through, { configuration, mode: 'test' }, order, paymentId, { add: () => undefined });
  const row = await context.database.prisma.payment.findUniqueOrThrow({
    where: { merchantId_id: { merchantId, id: paymentId } },
    include: { attempts: { orderBy: { position: 'asc' } } },
  });
  const checks = await context.database.prisma.paymentCheck.count({ where: { merchantId, paymentId } });
  return { asked, status: row.status, states: row.attempts.map(({ state }) => state), isWatched: checks > 0 };
}

const refusedWith = (code: 'request_rejected' | 'duplicate_reference'): Outcome<CheckoutSession> => ({
  outcome: 'no',
  failure: { class: 'our_configuration', code, message: 'The gateway refused it.' },
  call: TIMED_OUT.call,
});

test('a gateway that overruns its time leaves none for the next one, which is not asked', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const overrun = () => {
    vi.advanceTimersByTime(2_500);
    return TIMED_OUT;
  };
  expect(await payWith(['paystack-a', 'paystack-b'], overrun, 2_400)).toEqual({
    asked: 1,
    status: 'FAILED',
    states: ['UNKNOWN'],
    isWatched: true,
  });
});

test.each([
  [12_399, 1, 'FAILED', 'UNKNOWN'],
  [12_401, 0, 'INITIATED', 'STARTED'],
] as const)(
  'a process that stood still for %d ms while it recorded a payment asks %d gateways',
  async (ms, asked, status, state) => {
    vi.useFakeTimers({ toFake: ['performance'] });
    const standStill = () => {
      vi.advanceTimersByTime(ms);
      return null;
    };
    // From ten seconds after its time another process may be opening the checkout.
    expect(await payWith(['paystack-a'], () => TIMED_OUT, 2_400, standStill)).toEqual({
      asked,
      status,
      states: [state],
      isWatched: true,
    });
  },
);

test.each([
  [12_399, 'FAILED', 'REFUSED'],
  [12_401, 'INITIATED', 'STARTED'],
] as const)(
  'a process that stood still for %d ms while a gateway refused a checkout leaves the payment %s',
  async (ms, status, state) => {
    vi.useFakeTimers({ toFake: ['performance'] });
    const standStill = () => {
      vi.advanceTimersByTime(ms);
      return refusedWith('request_rejected');
    };
    // Another process may have gone on to the next gateway, whose checkout nothing would watch.
    expect(await payWith(['paystack-a', 'paystack-b'], standStill, 2_400)).toEqual({
      asked: 1,
      status,
      states: [state],
      isWatched: status === 'INITIATED',
    });
  },
);

test('a refused opening is over, and one whose reference was used may have opened a checkout: that is watched', async () => {
  expect(await payWith(['paystack-a'], () => refusedWith('request_rejected'))).toMatchObject({
    status: 'FAILED',
    states: ['REFUSED'],
    isWatched: false,
  });
  expect(await payWith(['paystack-a'], () => refusedWith('duplicate_reference'))).toMatchObject({
    status: 'FAILED',
    states: ['UNKNOWN'],
    isWatched: true,
  });
});

test('an opening without an answer is watched, also where the next gateway refused', async () => {
  const silentFirst = (asked: number) => (asked === 1 ? TIMED_OUT : refusedWith('request_rejected'));
  expect(await payWith(['paystack-a', 'paystack-b'], silentFirst)).toMatchObject({
    status: 'FAILED',
    states: ['UNKNOWN', 'REFUSED'],
    isWatched: true,
  });
});

test('a checkout that opens once another process has ended the payment is not shown as its own', async () => {
  const { merchantId } = await createTestMerchant(context, { 'paystack-a': {} });
  const configuration = context.resources.configuration.merchant(merchantId);
  if (configuration === undefined) throw new Error('the merchant is not known');
  const through = withGateways(context, () => ({
    async open() {
      await context.database.prisma.payment.updateMany({ where: { merchantId }, data: { status: 'FAILED' } });
      const value = { reference: 'r', redirectUrl: 'https://checkout.paystack.com/r', accessCode: 'r', raw: {} };
      return { outcome: 'yes', value, call: TIMED_OUT.call };
    },
  }));
  const result = await initiate(through, { configuration, mode: 'test' }, order, context.newId(), { add: () => undefined });
  expect(result).toMatchObject({ kind: 'initiated', payment: { status: 'FAILED', documents: { session: null } } });
});
