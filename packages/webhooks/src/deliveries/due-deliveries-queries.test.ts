import { expect, test } from 'vitest';
import { giveUpDeliveries, readEndpointTraffic, type WebhookEndpointKey } from '../endpoints/queries.ts';
import { openDispatcherHarness } from '../testing/webhooks.ts';
import {
  type ClaimedDelivery,
  claimDueDeliveries,
  listDueEndpoints,
  recordCertificateExpiry,
  settleDeliveryAttempt,
} from './due-deliveries-queries.ts';
import { queueDeliveries } from './resends-queries.ts';

const harness = openDispatcherHarness();
const LEASE_MS = 60_000;

/** Claims the delivery that is due at an endpoint; null when none is. */
async function claim(endpoint: WebhookEndpointKey, now: Date): Promise<ClaimedDelivery | null> {
  const [claimed = null] = await claimDueDeliveries(harness.context.database, endpoint, { now, leaseMs: LEASE_MS, limit: 1 });
  return claimed;
}

test('a delivery whose lease ran out is settled by the process that has claimed it since, and stays in the log of both', async () => {
  const { endpointId } = await harness.webhooks.endpoint(harness.receiver.url);
  await harness.webhooks.announce(harness.context.newId(), 1);
  const { database } = harness.context;
  const key = { merchantId: harness.merchantId, endpointId };
  const startedAt = harness.context.now();
  const afterLease = new Date(startedAt.getTime() + LEASE_MS);
  const first = await claim(key, startedAt);
  expect(await claim(key, startedAt)).toBeNull();
  const second = await claim(key, afterLease);
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

test('an attempt that delivers at once is no row until the event is sent again, and in the log all the same', async () => {
  const { endpointId } = await harness.webhooks.endpoint(harness.receiver.url);
  const eventId = await harness.webhooks.announce(harness.context.newId(), 1);
  const { database } = harness.context;
  const key = { merchantId: harness.merchantId, endpointId };
  const startedAt = harness.context.now();
  const endedAt = new Date(startedAt.getTime() + 40);
  const first = await claim(key, startedAt);
  if (first === null) throw new Error('the delivery was not due');
  const result = { startedAt, endedAt, status: 200, failure: null, answer: 'ok', retryAt: null };
  await settleDeliveryAttempt(database, first, { ...result, delivered: true });
  const rows = () => database.prisma.webhookDeliveryAttempt.count({ where: { ...key } });
  expect(await rows()).toBe(0);
  const logged = {
    number: 1,
    url: first.url,
    startedAt,
    durationMs: 40,
    delivered: true,
    status: 200,
    failure: null,
    answer: 'ok',
  };
  expect(await harness.webhooks.attempts(endpointId)).toMatchObject([logged]);
  const since = new Date(startedAt.getTime() - LEASE_MS);
  const traffic = () => readEndpointTraffic(database, [{ merchantId: harness.merchantId, id: endpointId }], since);
  expect(await traffic()).toMatchObject([{ attempts: 1, delivered: 1 }]);

  const event = { id: eventId, paymentId: first.paymentId, position: 1, type: first.type };
  const again = { now: endedAt, leaseMs: LEASE_MS, resendId: null };
  await database.prisma.$transaction((transaction) => queueDeliveries(transaction, key, [event], again));
  const second = await claim(key, endedAt);
  if (second === null) throw new Error('the delivery was not queued');
  const refused = { startedAt: endedAt, endedAt, status: 500, failure: null, answer: 'no', retryAt: null };
  await settleDeliveryAttempt(database, second, { ...refused, delivered: false });
  expect(await rows()).toBe(2);
  expect(await harness.webhooks.attempts(endpointId)).toMatchObject([logged, { number: 2, delivered: false, answer: 'no' }]);
  expect(await traffic()).toMatchObject([{ attempts: 2, delivered: 1 }]);
});

test('a claim leaves the time that the index has, and the end of an attempt sets it anew or ends it', async () => {
  const { endpointId } = await harness.webhooks.endpoint(harness.receiver.url);
  await harness.webhooks.announce(harness.context.newId(), 1);
  const { database } = harness.context;
  const key = { merchantId: harness.merchantId, endpointId };
  const [{ dueAt, nextAttemptAt } = { dueAt: null, nextAttemptAt: null }] = await harness.webhooks.deliveries(endpointId);
  expect(dueAt).toEqual(nextAttemptAt);
  const now = harness.context.now();
  const leaseEnds = new Date(now.getTime() + LEASE_MS);
  const first = await claim(key, now);
  expect(await harness.webhooks.deliveries(endpointId)).toMatchObject([
    { dueAt, nextAttemptAt: leaseEnds, settledAttempts: null },
  ]);
  if (first === null) throw new Error('the delivery was not due');
  const result = { startedAt: now, endedAt: now, status: 500, failure: null, answer: '', retryAt: leaseEnds };
  await settleDeliveryAttempt(database, first, { ...result, delivered: false });
  expect(await harness.webhooks.deliveries(endpointId)).toMatchObject([{ dueAt: leaseEnds, settledAttempts: null }]);
  const second = await claim(key, leaseEnds);
  if (second === null) throw new Error('the retry was not due');
  await settleDeliveryAttempt(database, second, { ...result, delivered: true, status: 200 });
  expect(await harness.webhooks.deliveries(endpointId)).toMatchObject([{ state: 'DELIVERED', dueAt: null, settledAttempts: 2 }]);
});

test('of a payment the earlier event is sent first, by its place among them, whichever was announced first', async () => {
  const { endpointId } = await harness.webhooks.endpoint(harness.receiver.url);
  const { database, newId, now } = harness.context;
  const key = { merchantId: harness.merchantId, endpointId };
  const paymentId = newId();
  const later = await harness.webhooks.announce(paymentId, 2);
  const earlier = await harness.webhooks.announce(paymentId, 1);
  const claimed = await claimDueDeliveries(database, key, { now: now(), leaseMs: LEASE_MS, limit: 10 });
  expect(claimed.map(({ eventId }) => eventId)).toEqual([earlier]);
  // While it is on its way, nothing of the payment is due, and the endpoint is not asked for.
  expect(await claim(key, now())).toBeNull();
  expect((await listDueEndpoints(database, now())).map((due) => due.endpointId)).not.toContain(endpointId);
  const [first] = claimed;
  if (first === undefined) throw new Error('the earlier event was not due');
  const result = { startedAt: now(), endedAt: now(), status: 200, failure: null, answer: '', retryAt: null };
  await settleDeliveryAttempt(database, first, { ...result, delivered: true });
  expect((await claim(key, now()))?.eventId).toBe(later);
});

test('deliveries that are given up or deleted leave nothing that is due', async () => {
  const { endpointId } = await harness.webhooks.endpoint(harness.receiver.url);
  for (const version of [1, 2, 3]) await harness.webhooks.announce(harness.context.newId(), version);
  const { database } = harness.context;
  const { prisma } = database;
  const key = { merchantId: harness.merchantId, endpointId };
  expect(await prisma.dueDelivery.count({ where: key })).toBe(3);
  const deleted = await prisma.webhookDelivery.findFirstOrThrow({ where: key });
  await prisma.webhookDelivery.deleteMany({ where: { merchantId: harness.merchantId, id: deleted.id } });
  expect(await prisma.dueDelivery.count({ where: key })).toBe(2);
  const now = harness.context.now();
  expect(await prisma.$transaction((transaction) => giveUpDeliveries(transaction, key, now))).toBe(2);
  expect(await harness.webhooks.deliveries(endpointId)).toMatchObject(
    Array.from({ length: 2 }, () => ({ state: 'FAILED', dueAt: null, settledAttempts: 0 })),
  );
  expect(await prisma.dueDelivery.count({ where: key })).toBe(0);
});

test('nothing is due at an endpoint that is off, whatever waits for it', async () => {
  const { endpointId } = await harness.webhooks.endpoint(harness.receiver.url);
  await harness.webhooks.announce(harness.context.newId(), 1);
  const { database } = harness.context;
  await database.prisma.webhookEndpoint.updateMany({ where: { id: endpointId }, data: { enabled: false } });
  const key = { merchantId: harness.merchantId, endpointId };
  const now = harness.context.now();
  expect(await claim(key, now)).toBeNull();
  expect(await listDueEndpoints(database, now)).not.toContainEqual(key);
  await database.prisma.webhookEndpoint.updateMany({ where: { id: endpointId }, data: { enabled: true } });
  expect(await listDueEndpoints(database, now)).toContainEqual(key);
  expect(await claim(key, now)).toMatchObject(key);
});

test('events of one payment are due by their positions, whichever was recorded first, also when they are sent again', async () => {
  const { database } = harness.context;
  const { endpointId } = await harness.webhooks.endpoint(harness.receiver.url);
  const paymentId = harness.context.newId();
  const second = await harness.webhooks.announce(paymentId, 3, 'payment.refunded');
  const first = await harness.webhooks.announce(paymentId, 2);
  const added = await harness.webhooks.endpoint(harness.receiver.url);
  const { merchantId } = harness;
  const events = [
    { id: second, paymentId, position: 3, type: 'payment.refunded' },
    { id: first, paymentId, position: 2, type: 'payment.succeeded' },
  ];
  const now = harness.context.now();
  const queued = { now, leaseMs: LEASE_MS, resendId: null };
  await database.prisma.$transaction((transaction) =>
    queueDeliveries(transaction, { merchantId, endpointId: added.endpointId }, events, queued),
  );
  for (const key of [
    { merchantId, endpointId },
    { merchantId, endpointId: added.endpointId },
  ]) {
    const claims = () => claimDueDeliveries(database, key, { now, leaseMs: LEASE_MS, limit: 10 });
    const [earlier = expect.fail(), ...others] = await claims();
    expect([earlier.eventId, others]).toEqual([first, []]);
    // The other one waits for it: nothing else is due meanwhile.
    expect(await listDueEndpoints(database, now)).not.toContainEqual(key);
    const result = { startedAt: now, endedAt: now, status: 200, failure: null, answer: '', retryAt: null };
    expect(await settleDeliveryAttempt(database, earlier, { ...result, delivered: true })).toMatchObject({ isNextDue: true });
    expect(await listDueEndpoints(database, now)).toContainEqual(key);
    expect((await claims()).map(({ eventId }) => eventId)).toEqual([second]);
  }
});

test('a certificate is noted at the address that showed it alone', async () => {
  const { endpointId } = await harness.webhooks.endpoint(harness.receiver.url);
  await harness.webhooks.announce(harness.context.newId(), 1);
  const { database } = harness.context;
  const key = { merchantId: harness.merchantId, endpointId };
  const claimed = await claim(key, harness.context.now());
  if (claimed === null) throw new Error('the delivery was not due');
  const expiresAt = new Date('2027-01-01T00:00:00Z');
  await recordCertificateExpiry(database, { ...claimed, url: 'https://shop.example/before' }, expiresAt);
  expect(await harness.webhooks.row(endpointId)).toMatchObject({ certificateExpiresAt: null });
  await recordCertificateExpiry(database, claimed, expiresAt);
  expect(await harness.webhooks.row(endpointId)).toMatchObject({ certificateExpiresAt: expiresAt });
});
