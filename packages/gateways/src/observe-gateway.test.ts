import { expect, test } from 'vitest';
import type { Gateway } from './gateway.ts';
import { countOperationsUnderWay, type GatewayOperation, observable, observeGatewayOperations } from './observe-gateway.ts';
import { findGateway } from './registry.ts';

const account = { accountId: 'a', mode: 'test', credentials: {}, baseUrl: null } as const;
const query = { gatewayRefundId: '1' };

function fakeGateway(): Gateway {
  const paystack = findGateway('paystack');
  if (paystack === null) throw new Error('there is no Paystack');
  const call = {
    method: 'GET',
    url: '',
    httpStatus: null,
    latencyMs: 0,
    request: null,
    answer: null,
    retryAfterMs: null,
  } as const;
  const failure = { class: 'provider_fault', code: 'timeout', message: 'The gateway did not answer in time.' } as const;
  return observable({ ...paystack, name: 'fake', findRefund: async () => ({ outcome: 'unknown', failure, call }) });
}

test('an operation is published with its outcome while it is observed', async () => {
  const gateway = fakeGateway();
  const seen: GatewayOperation[] = [];
  const stop = observeGatewayOperations((operation) => {
    if (operation.gateway === 'fake') seen.push(operation);
  });
  await gateway.findRefund(account, query, { timeoutMs: 10 });
  stop();
  await gateway.findRefund(account, query, { timeoutMs: 10 });
  expect(seen).toMatchObject([{ gateway: 'fake', operation: 'find_refund', outcome: 'unknown', reason: 'timeout' }]);
  expect(seen[0]?.seconds).toBeGreaterThanOrEqual(0);
});

test('operations under way are counted until they end, also by an error', async () => {
  const paystack = findGateway('paystack');
  if (paystack === null) throw new Error('there is no Paystack');
  let fail = (_error: Error): void => undefined;
  const waiting = new Promise<never>((_, reject) => {
    fail = reject;
  });
  const gateway = observable({ ...paystack, findRefund: () => waiting });
  const before = countOperationsUnderWay();
  const both = [1, 2].map(() => gateway.findRefund(account, query, { timeoutMs: 10 }));
  expect(countOperationsUnderWay()).toBe(before + 2);
  fail(new Error('a fault of ours'));
  await Promise.allSettled(both);
  expect(countOperationsUnderWay()).toBe(before);
});
