import { expect, test } from 'vitest';
import type { DrivenOrder } from './orders.ts';
import { type ClusterObserved, findBroken, formatCluster } from './result.ts';

const STRUCK = 'merchant-1';
const OTHER = 'merchant-2';

function order(merchantId: string, number: number, change: Partial<DrivenOrder> = {}): DrivenOrder {
  const tries = [{ atMs: number * 1_000, waitedMs: 50, httpStatus: 200 }];
  return { merchantId, merchantOrderId: `order-${number}`, tries, paymentId: `payment-${number}`, paid: true, ...change };
}

/** Three orders of either merchant: before the fault, during it and afterwards. */
const ORDERS = [5, 15, 25].flatMap((second) => [order(STRUCK, second), order(OTHER, second + 1)]);

function observed(change: Partial<ClusterObserved> = {}, end: Partial<ClusterObserved['end']> = {}): ClusterObserved {
  const orders = change.orders ?? ORDERS;
  return {
    fault: 'node-killed',
    perSecond: 1,
    faultAtMs: 10_000,
    repairedAtMs: 20_000,
    settledAtMs: 33_000,
    struck: new Set([STRUCK]),
    moved: 0,
    orders,
    ...change,
    end: {
      payments: orders.map(({ merchantId, merchantOrderId }) => ({
        order: `${merchantId} ${merchantOrderId}`,
        status: 'SUCCESS',
      })),
      paidCheckouts: orders.length,
      succeededEvents: orders.map(({ paymentId }) => ({ paymentId: paymentId ?? '', count: 1 })),
      openDeliveries: 0,
      wrongRollups: [],
      failedJobs: [],
      ...end,
    },
  };
}

test('a fault after which every order has one payment, one success and one event is as promised', () => {
  expect(findBroken(observed())).toEqual([]);
});

test('payments that are lost, doubled, open or told of twice are named', () => {
  const { payments, succeededEvents } = observed().end;
  const [first, second, ...rest] = payments;
  if (first === undefined || second === undefined) throw new Error('there are payments');
  const doubled = { payments: [first, first, { ...second, status: 'PENDING' }, ...rest.slice(1)], paidCheckouts: 7 };
  const events = succeededEvents.map((event, at) => (at === 0 ? { ...event, count: 2 } : event));
  expect(findBroken(observed({}, { ...doubled, succeededEvents: events }))).toEqual([
    'order merchant-1 order-5 has 2 payments',
    'the payment of order merchant-1 order-15 is lost',
    '1 payments were not settled in time',
    'customers paid 6 times, gateways have 7 payments',
    '2 events of success for payment-5',
  ]);
});

test('a killed node may fail initiates of its merchants, and none of others', () => {
  const failedFirst = (merchantId: string): DrivenOrder =>
    order(merchantId, 15, {
      tries: [
        { atMs: 15_000, waitedMs: 10, httpStatus: 503 },
        { atMs: 21_000, waitedMs: 50, httpStatus: 200 },
      ],
    });
  expect(findBroken(observed({ orders: [failedFirst(STRUCK)] }))).toEqual([]);
  expect(findBroken(observed({ orders: [failedFirst(OTHER)] }))).toEqual(['1 initiates of merchants on other nodes failed']);
  const [, , , , during, after] = formatCluster(observed({ orders: [failedFirst(STRUCK)] })).split('\n');
  expect([during, after].map((line) => line?.replaceAll(/ +/g, ' '))).toEqual([
    'of the killed node during 1 0 1 0 – – –',
    'of the killed node after 1 1 0 0 50 ms 50 ms 50 ms',
  ]);
});
