import { expect, test } from 'vitest';
import { openDispatcherHarness } from '../testing/dispatcher-harness.ts';
import { claimDueDelivery, settleDeliveryAttempt } from './due-deliveries-queries.ts';

const harness = openDispatcherHarness();
const LEASE_MS = 60_000;

test('a delivery whose lease ran out is settled by the process that has claimed it since, and stays in the log of both', async () => {
  const { endpointId } = await harness.webhooks.endpoint(harness.receiver.url);
  await harness.webhooks.announce(harness.context.newId(), 1);
  const { database } = harness.context;
  const key = { merchantId: harness.merchantId, endpointId };
  const startedAt = harness.context.now();
  const afterLease = new Date(startedAt.getTime() + LEASE_MS);
  const first = await claimDueDelivery(database, key, { now: startedAt, leaseMs: LEASE_MS });
  expect(await claimDueDelivery(database, key, { now: startedAt, leaseMs: LEASE_MS })).toBeNull();
  const second = await claimDueDelivery(database, key, { now: afterLease, leaseMs: LEASE_MS });
  if (first === null || second === null) throw new Error('the delivery was not due');
  const result = { startedAt, endedAt: afterLease, status: 500, failure: null, answer: '', retryAt: null };
  await settleDeliveryAttempt(database, first, { ...result, delivered: false });
  expect(await harness.webhooks.deliveries(endpointId)).toMatchObject([{ state: 'PENDING', attempts: 2 }]);
  await settleDeliveryAttempt(database, second, { ...result, delivered: true, status: 200 });
  expect(await harness.webhooks.deliveries(endpointId)).toMatchObject([{ state: 'DELIVERED', attempts: 2, lastStatus: 200 }]);
  const log = await harness.webhooks.attempts(endpointId);
  expect(log.map(({ number, delivered }) => [number, delivered]).toSorted()).toEqual([
    [1, false],
    [2, true],
  ]);
});
