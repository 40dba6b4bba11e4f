import { describe, expect, test } from 'vitest';
import { idOf, openDispatcherHarness, until } from '../testing/webhooks.ts';
import { openDispatcher } from './dispatcher.ts';
import type { Sent } from './send.ts';

const harness = openDispatcherHarness();

describe('slow endpoints', () => {
  test('delay no others: everything arrives elsewhere while they still hang', async () => {
    const hanging: (() => void)[] = [];
    const hangs = await harness.receiving((_received, response) => void hanging.push(() => response.end()));
    const healthy = await harness.receiving();
    // Fewer at once than the hanging ones could occupy without a limit.
    const by = harness.dispatcher({ inFlightMax: 14 });
    for (let one = 0; one < 3; one++) await harness.webhooks.endpoint(`${hangs.url}/${one}`);
    for (let one = 3; one < 10; one++) await harness.webhooks.endpoint(`${healthy.url}/${one}`);
    for (let event = 0; event < 12; event++) await harness.webhooks.announce(harness.context.newId(), 1);
    await by.sweep();
    await until('the healthy ones have theirs', () => healthy.received.length === 7 * 12);
    await until('the others have what they are given at once', () => hanging.length === 3 * 4);
    expect(
      await harness.context.database.prisma.webhookDeliveryAttempt.count({
        where: { merchantId: harness.merchantId, delivered: false },
      }),
    ).toBe(0);
    hangs.answer = (_received, response) => void response.end();
    for (const end of hanging) end();
    await until('the hanging ones have theirs', () => hangs.received.length === 3 * 12);
  });

  test('get one delivery at a time after three timeouts in a row, and four again once they answer', async () => {
    const { endpointId } = await harness.webhooks.endpoint(harness.receiver.url);
    for (let event = 0; event < 14; event++) await harness.webhooks.announce(harness.context.newId(), 1);
    /** Ends of the deliveries under way; how many there were at the beginning of each, itself included. */
    const underWay = new Set<(sent: Sent) => void>();
    const atOnce: number[] = [];
    const answerAll = () => {
      for (const end of underWay) end({ kind: 'answered', status: 200, answer: 'ok', retryAfterMs: null });
    };
    const send = async (begun: (end: (sent: Sent) => void) => void) => {
      const { promise, resolve } = Promise.withResolvers<Sent>();
      underWay.add(resolve);
      atOnce.push(underWay.size);
      begun(resolve);
      return promise.finally(() => underWay.delete(resolve));
    };
    // Long enough for others to begin meanwhile.
    let begun = (end: (sent: Sent) => void): void => void setTimeout(end, 20, { kind: 'unanswered', failure: 'timeout' });
    const sender = { send: () => send(begun), certificateExpiry: () => null, close: async () => undefined };
    const by = harness.dispatcher({ sender });
    await by.sweep();
    await until('all have failed', async () => (await harness.webhooks.attempts(endpointId)).length === 14);
    // Those started before the third failure are done; from then on each starts when the previous one has ended.
    expect(atOnce.slice(7)).toEqual([1, 1, 1, 1, 1, 1, 1]);

    begun = () => undefined;
    harness.context.setClock(new Date(Date.now() + 60_000));
    await by.sweep();
    await until('one is under way', () => underWay.size === 1);
    answerAll();
    try {
      await expect.poll(() => underWay.size).toBe(4);
      expect(Math.max(...atOnce)).toBe(4);
    } finally {
      begun = answerAll;
      answerAll();
    }
  });

  test('take turns when more is due than may be sent at once', async () => {
    const one = await harness.receiving();
    const other = await harness.receiving();
    await harness.webhooks.endpoint(one.url);
    await harness.webhooks.endpoint(other.url);
    for (let event = 0; event < 10; event++) await harness.webhooks.announce(harness.context.newId(), 1);
    await harness.dispatcher({ inFlightMax: 1 }).sweep();
    await until('all arrived', () => one.received.length === 10 && other.received.length === 10);
  });
});

test('all that is due at an endpoint is sent after one wake', async () => {
  const { endpointId } = await harness.webhooks.endpoint(harness.receiver.url);
  for (let event = 0; event < 9; event++) await harness.webhooks.announce(harness.context.newId(), 1);
  harness.dispatcher().wake({ merchantId: harness.merchantId, endpointId });
  await until('all arrived', () => harness.receiver.received.length === 9);
});

test('an event that cannot be read holds up none of those that are due with it', async () => {
  const { endpointId } = await harness.webhooks.endpoint(harness.receiver.url);
  const { database, newId } = harness.context;
  const unreadable = await harness.webhooks.announce(newId(), 1);
  const eventIds: string[] = [];
  for (let event = 0; event < 3; event++) eventIds.push(await harness.webhooks.announce(newId(), 1));
  const packedBody = Buffer.of(255);
  await database.prisma.merchantEvent.updateMany({ where: { id: unreadable }, data: { packedBody } });
  harness.dispatcher().wake({ merchantId: harness.merchantId, endpointId });
  await until('the others have arrived', () => harness.receiver.received.length === 3);
  expect(harness.receiver.received.map(idOf).toSorted()).toEqual(eventIds.toSorted());
  await until('it is reported', () => harness.errors.length === 1);
  expect(String(harness.errors.splice(0))).toContain('not known here');
});

test('each event of a payment is sent as soon as the one before it has arrived', async () => {
  const { endpointId } = await harness.webhooks.endpoint(harness.receiver.url);
  const paymentId = harness.context.newId();
  const eventIds: string[] = [];
  for (const version of [1, 2, 3]) eventIds.push(await harness.webhooks.announce(paymentId, version));
  harness.dispatcher().wake({ merchantId: harness.merchantId, endpointId });
  await until('all arrived', () => harness.receiver.received.length === 3);
  expect(harness.receiver.received.map(idOf)).toEqual(eventIds);
});

test('a backlog at one endpoint does not hide a due delivery at another', async () => {
  const crowded = await harness.webhooks.endpoint(harness.receiver.url);
  const quiet = await harness.webhooks.endpoint(harness.receiver.url);
  await harness.fillQueue(crowded.endpointId, 12_000);
  await harness.webhooks.announce(harness.context.newId(), 1);
  expect(await harness.somethingIsDue(quiet.endpointId)).toBe(true);
});

test('the delivery of a dead dispatcher is sent by another after its lease expires', async () => {
  const { endpointId } = await harness.webhooks.endpoint(harness.receiver.url);
  const paymentId = harness.context.newId();
  const eventIds = [await harness.webhooks.announce(paymentId, 1), await harness.webhooks.announce(paymentId, 2)];
  // Claimed, and not continued until the end of the test.
  const comesBack: (() => void)[] = [];
  const send = () =>
    new Promise<Sent>((resolve) => void comesBack.push(() => resolve({ kind: 'unanswered', failure: 'connection_lost' })));
  const dead = openDispatcher(harness.context, {
    onError: (error) => harness.errors.push(error),
    sender: { send, certificateExpiry: () => null, close: async () => undefined },
  });
  await dead.sweep();
  await until('the first is under way', () => comesBack.length === 1);
  const other = harness.dispatcher();
  // A request takes 15 s at most, and its result has to be written: no other process sends the delivery for twice as long.
  harness.context.setClock(new Date(Date.now() + 30_000));
  expect(await harness.somethingIsDue(endpointId)).toBe(false);
  harness.context.setClock(new Date(Date.now() + 61_000));
  await other.sweep();
  await until('both arrived', () => harness.receiver.received.length === 2);
  expect(harness.receiver.received.map(idOf)).toEqual(eventIds);
  await harness.settled(other, endpointId, 1);
  for (const back of comesBack) back();
  await dead.stop();
  // Its late result is recorded, and changes nothing.
  expect(await harness.webhooks.deliveries(endpointId)).toMatchObject([{ state: 'DELIVERED' }, { state: 'DELIVERED' }]);
  expect((await harness.webhooks.attempts(endpointId)).filter(({ delivered }) => !delivered)).toMatchObject([
    { failure: 'connection_lost' },
  ]);
});
