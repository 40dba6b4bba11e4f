import { testMerchant } from '@switchyard/merchants/testing';
import { openTestContext, type TestContext } from '@switchyard/runtime/testing';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { disableEndpoint, enableEndpoint } from '../endpoints/update-endpoint.ts';
import { openReceiver, type Receiver, until, webhooksOf } from '../testing/webhooks.ts';
import { openDispatcher } from './dispatcher.ts';
import { listResends } from './list-deliveries.ts';
import { continueResend, continueStalledResends, countRange, resendDelivery, resendRange } from './resend-range.ts';

const actor = 'staff:ada';
const start = new Date('2100-01-01T00:00:00.000Z');
const at = (minutes: number) => new Date(start.getTime() + minutes * 60_000);

let context: TestContext;
let merchantId: string;
let webhooks: ReturnType<typeof webhooksOf>;
let receiver: Receiver;

beforeAll(async () => {
  context = await openTestContext();
  receiver = await openReceiver();
});
afterAll(async () => {
  await receiver.close();
  await context.close();
});
beforeEach(async () => {
  context.setClock(start);
  receiver.received.length = 0;
  merchantId = await testMerchant(context);
  webhooks = webhooksOf(context, merchantId);
});

/** Sends due deliveries, and waits for the end. */
async function deliver(count: number): Promise<string[]> {
  const dispatcher = openDispatcher(context, { onError: () => undefined });
  await dispatcher.sweep();
  await until(`${count} arrived`, () => receiver.received.length >= count);
  await dispatcher.stop();
  return receiver.received.splice(0).map(({ headers }) => headers['webhook-id'] ?? '');
}

const range = (endpointId: string, more: object = {}) => {
  return { merchantId, endpointId, from: at(0), to: at(60), types: [], onlyUndelivered: true, actor, ...more };
};

async function run(endpointId: string, more: object = {}): Promise<number> {
  const outcome = await resendRange(context, range(endpointId, more));
  if (outcome.kind !== 'begun') throw new Error(outcome.kind);
  await continueResend(context, { merchantId, resendId: outcome.resendId }, () => undefined);
  return outcome.total;
}

test('sends events from while the endpoint was disabled, in the order of each payment, under the same ids', async () => {
  const { endpointId } = await webhooks.endpoint(receiver.url);
  await webhooks.announce(context.newId(), 1);
  await deliver(1);
  await disableEndpoint(context, { merchantId, endpointId, reason: 'staff', actor });
  const paymentId = context.newId();
  context.setClock(at(10));
  const missed = [await webhooks.announce(paymentId, 1)];
  context.setClock(at(11));
  missed.push(await webhooks.announce(paymentId, 2, 'payment.refunded'));
  expect(await resendRange(context, range(endpointId))).toEqual({ kind: 'switched_off' });
  await enableEndpoint(context, { merchantId, endpointId, actor });
  context.setClock(at(30));
  expect(await countRange(context, range(endpointId))).toEqual({ kind: 'counted', total: 2 });
  expect(await run(endpointId)).toBe(2);
  expect(await deliver(2)).toEqual(missed);
  expect(await listResends(context, { merchantId, endpointId })).toMatchObject([
    { total: 2, queued: 2, delivered: 2, waiting: 0, failed: 0, finishedAt: at(30), requestedBy: actor },
  ]);
  expect(await resendRange(context, range(endpointId))).toEqual({ kind: 'nothing_to_send' });
});

test('includes delivered events on request, and only the requested types and times', async () => {
  const { endpointId } = await webhooks.endpoint(receiver.url, ['payment.succeeded', 'payment.failed']);
  const early = await webhooks.announce(context.newId(), 1);
  context.setClock(at(20));
  const late = await webhooks.announce(context.newId(), 1, 'payment.failed');
  await webhooks.announce(context.newId(), 1, 'payment.refunded');
  await deliver(2);
  const all = { onlyUndelivered: false };
  expect(await countRange(context, range(endpointId, all))).toEqual({ kind: 'counted', total: 2 });
  expect(await countRange(context, range(endpointId, { ...all, types: ['payment.refunded'] }))).toEqual({
    kind: 'counted',
    total: 0,
  });
  expect(await run(endpointId, { ...all, to: at(20) })).toBe(1);
  expect(await deliver(1)).toEqual([early]);
  expect(await run(endpointId, { ...all, types: ['payment.failed'] })).toBe(1);
  expect(await deliver(1)).toEqual([late]);
});

test('resumes after the crash of a process, and queues nothing twice', async () => {
  const { endpointId } = await webhooks.endpoint('http://127.0.0.1:9/');
  const event = {
    merchantId,
    mode: 'test',
    type: 'payment.succeeded',
    packedBody: new Uint8Array(),
    position: 1,
    createdAt: start,
  } as const;
  const events = Array.from({ length: 1_200 }, () => ({ ...event, id: context.newId(), paymentId: context.newId() }));
  await context.database.prisma.merchantEvent.createMany({ data: events });
  const outcome = await resendRange(context, range(endpointId));
  if (outcome.kind !== 'begun') throw new Error(outcome.kind);
  let batches = 0;
  const dies = () => {
    batches++;
    if (batches === 2) throw new Error('killed');
  };
  await expect(continueResend(context, { merchantId, resendId: outcome.resendId }, dies)).rejects.toThrow('killed');
  // The uncommitted batch of the crash is gone with it.
  expect(await listResends(context, { merchantId, endpointId })).toMatchObject([{ queued: 500, total: 1_200, finishedAt: null }]);
  await continueStalledResends(context, () => undefined);
  expect(await listResends(context, { merchantId, endpointId })).toMatchObject([{ queued: 500 }]);
  context.setClock(at(1));
  await continueStalledResends(context, () => undefined);
  expect(await listResends(context, { merchantId, endpointId })).toMatchObject([
    { queued: 1_200, waiting: 1_200, finishedAt: at(1) },
  ]);
  expect(await webhooks.deliveries(endpointId)).toHaveLength(1_200);
});

test('one delivery is sent again under the same id with the same body and a new signature', async () => {
  const { endpointId } = await webhooks.endpoint(receiver.url);
  const eventId = await webhooks.announce(context.newId(), 1);
  await deliver(1);
  const [delivery] = await webhooks.deliveries(endpointId);
  expect(await resendDelivery(context, { merchantId, deliveryId: delivery?.id ?? '', actor })).toEqual({ kind: 'queued' });
  expect(await deliver(1)).toEqual([eventId]);
  expect(await webhooks.deliveries(endpointId)).toMatchObject([{ state: 'DELIVERED', attempts: 2 }]);
  expect(await webhooks.attempts(endpointId)).toHaveLength(2);
});

test('a range that ends before it begins is refused, and one of another merchant is not found', async () => {
  const { endpointId } = await webhooks.endpoint(receiver.url);
  expect(await countRange(context, range(endpointId, { to: at(0) }))).toMatchObject({
    kind: 'invalid',
    problems: [{ field: 'to' }],
  });
  const stranger = await testMerchant(context);
  expect(await resendRange(context, { ...range(endpointId), merchantId: stranger })).toEqual({ kind: 'not_found' });
});
