import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import { rotateEndpointSecret } from '../endpoints/endpoint-secrets.ts';
import { sendTestEvent } from '../endpoints/send-test-event.ts';
import { disableEndpoint, enableEndpoint, updateEndpoint } from '../endpoints/update-endpoint.ts';
import { readEventBody } from '../events/packed-event.ts';
import {
  idOf,
  makeCertificate,
  openDispatcherHarness,
  openReceiver,
  type Received,
  type Receiver,
  refuse,
  until,
  webhooksOf,
} from '../testing/webhooks.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const actor = 'staff:ada';

const harness = openDispatcherHarness();

test('an event arrives once, byte for byte, under its own id and a signature that verifies', async () => {
  const { endpointId, secret } = await harness.webhooks.endpoint(`${harness.receiver.url}/hooks`);
  const eventId = await harness.webhooks.announce(harness.context.newId(), 2);
  await harness.settled(harness.dispatcher(), endpointId);
  const [received, ...more] = harness.receiver.received;
  const event = await harness.context.database.prisma.merchantEvent.findFirstOrThrow({ where: { id: eventId } });
  expect(more).toEqual([]);
  expect(received).toMatchObject({ path: '/hooks', body: readEventBody(event) });
  expect(received && idOf(received)).toBe(eventId);
  expect(received?.headers['content-type']).toBe('application/json');
  expect(new Webhook(secret).verify(received?.body ?? '', received?.headers ?? {})).toMatchObject({ id: eventId });
  expect(await harness.webhooks.deliveries(endpointId)).toMatchObject([
    { state: 'DELIVERED', attempts: 1, lastStatus: 200, nextAttemptAt: null },
  ]);
  expect(await harness.webhooks.attempts(endpointId)).toMatchObject([{ delivered: true, status: 200, answer: 'ok', number: 1 }]);
});

test.each([300, 301, 302, 303, 304, 307, 308])(
  'a delivery answered %i is not delivered and not followed, and is sent again until the endpoint accepts it',
  async (status) => {
    const elsewhere = await harness.receiving();
    const { endpointId } = await harness.webhooks.endpoint(harness.receiver.url);
    harness.receiver.answer = (_received, response, count) =>
      void (count === 1 ? response.writeHead(status, { location: elsewhere.url }).end() : response.end('ok'));
    const eventId = await harness.webhooks.announce(harness.context.newId(), 2);
    const by = harness.dispatcher();
    await harness.settled(by, endpointId);
    const [pending] = await harness.webhooks.deliveries(endpointId);
    expect(pending).toMatchObject({ state: 'PENDING', attempts: 1, lastStatus: status, nextAttemptAt: expect.any(Date) });
    expect(await harness.webhooks.attempts(endpointId)).toMatchObject([{ delivered: false, status, number: 1 }]);
    expect(await harness.webhooks.row(endpointId)).toMatchObject({ failingSince: expect.any(Date) });
    harness.context.setClock(pending?.nextAttemptAt ?? null);
    await harness.settled(by, endpointId);
    expect(await harness.webhooks.deliveries(endpointId)).toMatchObject([{ state: 'DELIVERED', attempts: 2, lastStatus: 200 }]);
    expect(harness.receiver.received.map(idOf)).toEqual([eventId, eventId]);
    expect(elsewhere.connections).toBe(0);
  },
);

test('the expiry of the certificate of an endpoint is kept with it, written once, and forgotten with the address', async () => {
  const certificate = await makeCertificate(10);
  const receiver = await openReceiver(undefined, certificate);
  const { endpointId } = await harness.webhooks.endpoint(receiver.url);
  // When an endpoint was delivered to last is written every ten seconds.
  harness.context.setClock(new Date());
  const by = harness.dispatcher();
  const deliver = async () => {
    await harness.webhooks.announce(harness.context.newId(), 1);
    await harness.settled(by, endpointId);
  };
  /** The transaction that wrote the row last. */
  const writtenBy = async () => {
    const text = 'SELECT xmin::text FROM webhook_endpoint WHERE id = $1';
    return (await harness.context.database.pool.query(text, [endpointId])).rows;
  };
  await deliver();
  expect(await harness.webhooks.row(endpointId)).toMatchObject({ certificateExpiresAt: certificate.expiresAt });
  const before = await writtenBy();
  await deliver();
  await deliver();
  expect(receiver.received).toHaveLength(3);
  expect(await writtenBy()).toEqual(before);
  const command = { merchantId: harness.merchantId, endpointId, actor };
  await updateEndpoint(harness.context, { ...command, changes: { description: 'Shop', url: receiver.url } });
  expect(await harness.webhooks.row(endpointId)).toMatchObject({ certificateExpiresAt: certificate.expiresAt });
  await updateEndpoint(harness.context, { ...command, changes: { url: harness.receiver.url } });
  expect(await harness.webhooks.row(endpointId)).toMatchObject({ certificateExpiresAt: null });
  await receiver.close();
});

test('while a secret is being replaced, a receiver verifies with either of them, and afterwards only with the new one', async () => {
  const { endpointId, secret: old } = await harness.webhooks.endpoint(harness.receiver.url);
  const oldSignsUntil = new Date(Date.now() + HOUR_MS);
  const rotated = await rotateEndpointSecret(harness.context, {
    merchantId: harness.merchantId,
    endpointId,
    oldSignsUntil,
    actor,
  });
  if (rotated.kind !== 'rotated') throw new Error(rotated.kind);
  const verifies = (secret: string, received: Received | undefined) => {
    try {
      return new Webhook(secret).verify(received?.body ?? '', received?.headers ?? {}) !== undefined;
    } catch {
      return false;
    }
  };
  const by = harness.dispatcher();
  await harness.webhooks.announce(harness.context.newId(), 2);
  await harness.settled(by, endpointId);
  expect([old, rotated.secret].map((secret) => verifies(secret, harness.receiver.received[0]))).toEqual([true, true]);
  await harness.context.database.prisma.webhookEndpoint.updateMany({
    where: { id: endpointId },
    data: { previousSecretEndsAt: new Date() },
  });
  await harness.webhooks.announce(harness.context.newId(), 2);
  await harness.settled(by, endpointId);
  expect([old, rotated.secret].map((secret) => verifies(secret, harness.receiver.received[1]))).toEqual([false, true]);
});

describe('events of one payment', () => {
  test('arrive in order, although the first attempt of the first fails', async () => {
    const { endpointId } = await harness.webhooks.endpoint(harness.receiver.url);
    const paymentId = harness.context.newId();
    harness.receiver.answer = (received, response, count) =>
      count === 1 ? refuse(received, response, count) : void response.end();
    const first = await harness.webhooks.announce(paymentId, 2);
    const second = await harness.webhooks.announce(paymentId, 3, 'payment.refunded');
    const by = harness.dispatcher();
    await harness.settled(by, endpointId);
    expect(harness.receiver.received.map(idOf)).toEqual([first]);
    harness.context.setClock(new Date(Date.now() + 60_000));
    await by.sweep();
    await until('both arrived', () => harness.receiver.received.length === 3);
    expect(harness.receiver.received.map(idOf)).toEqual([first, first, second]);
  });

  test('continue when an earlier one is given up', async () => {
    const { endpointId } = await harness.webhooks.endpoint(harness.receiver.url);
    const paymentId = harness.context.newId();
    const first = await harness.webhooks.announce(paymentId, 2);
    const second = await harness.webhooks.announce(paymentId, 3, 'payment.refunded');
    harness.receiver.answer = (received, response, count) =>
      idOf(received) === first ? refuse(received, response, count) : void response.end();
    for (let next: Date | null = harness.context.now(); next !== null; ) {
      harness.context.setClock(next);
      const by = harness.dispatcher();
      await harness.settled(by, endpointId);
      // One that claims at an earlier time than the clock shows has a lease that is over at once.
      await by.stop();
      next = (await harness.webhooks.deliveries(endpointId))[0]?.nextAttemptAt ?? null;
    }
    const by = harness.dispatcher();
    await until('the second has ended', async () => {
      await by.sweep();
      return (await harness.webhooks.deliveries(endpointId))[1]?.state !== 'PENDING';
    });
    expect(await harness.webhooks.deliveries(endpointId)).toMatchObject([
      { eventId: first, state: 'FAILED', attempts: 14, nextAttemptAt: null, lastStatus: 500 },
      { eventId: second, state: 'DELIVERED', attempts: 1 },
    ]);
    expect(harness.receiver.received.map(idOf)).toEqual([...Array.from({ length: 14 }, () => first), second]);
  });

  test('are never sent concurrently, for any number of dispatchers', async () => {
    const { endpointId } = await harness.webhooks.endpoint(harness.receiver.url);
    const underWay = new Map<string, number>();
    let maxParallel = 0;
    harness.receiver.answer = (received, response) => {
      const { paymentId } = JSON.parse(received.body).data;
      underWay.set(paymentId, (underWay.get(paymentId) ?? 0) + 1);
      maxParallel = Math.max(maxParallel, underWay.get(paymentId) ?? 0);
      setTimeout(() => {
        underWay.set(paymentId, (underWay.get(paymentId) ?? 0) - 1);
        response.end();
      }, 5);
    };
    const payments = [harness.context.newId(), harness.context.newId(), harness.context.newId()];
    const expected = new Map<string, string[]>();
    for (let position = 1; position <= 8; position++) {
      for (const paymentId of payments) {
        expected.set(paymentId, [...(expected.get(paymentId) ?? []), await harness.webhooks.announce(paymentId, position)]);
      }
    }
    const dispatchers = [harness.dispatcher(), harness.dispatcher(), harness.dispatcher()];
    await Promise.all(dispatchers.map((one) => harness.settled(one, endpointId)));
    expect(maxParallel).toBe(1);
    expect(harness.receiver.received).toHaveLength(24);
    for (const paymentId of payments) {
      const own = harness.receiver.received.filter(({ body }) => body.includes(paymentId)).map(idOf);
      expect(own).toEqual(expected.get(paymentId));
    }
  });
});

describe('an endpoint', () => {
  test('that answers 410 is disabled at once, and shown as such', async () => {
    const { endpointId } = await harness.webhooks.endpoint(harness.receiver.url);
    harness.receiver.answer = (_received, response) => void response.writeHead(410).end();
    await harness.webhooks.announce(harness.context.newId(), 1);
    await harness.dispatcher().sweep();
    await until('it is off', async () => !(await harness.webhooks.row(endpointId)).enabled);
    expect(await harness.webhooks.row(endpointId)).toMatchObject({ disabledReason: 'gone' });
    expect(await harness.webhooks.deliveries(endpointId)).toMatchObject([{ state: 'FAILED', attempts: 1 }]);
    const audit = await harness.context.database.prisma.auditEntry.findMany({
      where: { objectId: endpointId },
      orderBy: { position: 'asc' },
    });
    expect(audit.at(-1)).toMatchObject({
      action: 'webhook_endpoint.disabled',
      actor: 'system:worker',
      tenantId: harness.merchantId,
    });
  });

  test('that failed for five days without a success is disabled; one success resets the count', async () => {
    const { endpointId } = await harness.webhooks.endpoint(harness.receiver.url);
    const by = harness.dispatcher();
    const begin = Date.now();
    const day = async (number: number, answer: Receiver['answer']) => {
      harness.receiver.answer = answer;
      harness.context.setClock(new Date(begin + number * DAY_MS));
      await harness.webhooks.announce(harness.context.newId(), 1);
      await harness.settled(by, endpointId);
      return harness.webhooks.row(endpointId);
    };
    for (const number of [0, 0.9, 1.8, 2.7, 3.6, 4.5]) expect(await day(number, refuse)).toMatchObject({ enabled: true });
    expect(await day(4.6, (_received, response) => void response.end())).toMatchObject({ enabled: true, failingSince: null });
    for (const number of [5, 5.9, 6.8, 7.7, 8.6, 9.5]) expect(await day(number, refuse)).toMatchObject({ enabled: true });
    await day(10.1, refuse);
    await until('it is off', async () => !(await harness.webhooks.row(endpointId)).enabled);
    expect(await harness.webhooks.row(endpointId)).toMatchObject({ disabledReason: 'failing' });
    // Nothing is pending for it, and nothing new is queued.
    await harness.webhooks.announce(harness.context.newId(), 1);
    expect((await harness.webhooks.deliveries(endpointId)).filter(({ state }) => state === 'PENDING')).toEqual([]);
    expect(await enableEndpoint(harness.context, { merchantId: harness.merchantId, endpointId, actor })).toMatchObject({
      kind: 'changed',
    });
    expect(await harness.webhooks.row(endpointId)).toMatchObject({ enabled: true, failingSince: null, disabledReason: null });
  });

  test('that was enabled after an attempt began is not disabled for what that attempt shows', async () => {
    const { endpointId } = await harness.webhooks.endpoint(harness.receiver.url);
    const underWay: (() => void)[] = [];
    harness.receiver.answer = (_received, response) => void underWay.push(() => response.writeHead(410).end());
    await harness.webhooks.announce(harness.context.newId(), 1);
    const by = harness.dispatcher();
    await by.sweep();
    await until('the attempt is under way', () => underWay.length === 1);
    const key = { merchantId: harness.merchantId, endpointId, actor };
    await disableEndpoint(harness.context, { ...key, reason: 'staff' });
    await enableEndpoint(harness.context, key);
    for (const end of underWay) end();
    await by.stop();
    expect(await harness.webhooks.attempts(endpointId)).toMatchObject([{ status: 410 }]);
    expect(await harness.webhooks.row(endpointId)).toMatchObject({ enabled: true, disabledReason: null });
  });

  test('that failed once long ago is not disabled by the next failure', async () => {
    const { endpointId } = await harness.webhooks.endpoint(harness.receiver.url);
    const failedAt = new Date(Date.now() - 9 * DAY_MS);
    await harness.context.database.prisma.webhookEndpoint.updateMany({
      where: { id: endpointId },
      data: { failingSince: failedAt, lastFailedAt: failedAt },
    });
    harness.receiver.answer = refuse;
    await harness.webhooks.announce(harness.context.newId(), 1);
    await harness.settled(harness.dispatcher(), endpointId);
    const row = await harness.webhooks.row(endpointId);
    expect(row.enabled).toBe(true);
    expect(row.failingSince?.getTime()).toBeGreaterThan(Date.now() - DAY_MS);
  });
});

test('a test event is sent once, regardless of the endpoint’s types, and its response is recorded', async () => {
  const { endpointId, secret } = await harness.webhooks.endpoint(harness.receiver.url, ['payment.failed']);
  harness.receiver.answer = (_received, response) => void response.writeHead(401).end('who are you');
  const outcome = await sendTestEvent(harness.context, { merchantId: harness.merchantId, endpointId, actor });
  if (outcome.kind !== 'queued') throw new Error(outcome.kind);
  await harness.settled(harness.dispatcher(), endpointId);
  const [received] = harness.receiver.received;
  expect(new Webhook(secret).verify(received?.body ?? '', received?.headers ?? {})).toMatchObject({
    id: outcome.eventId,
    type: 'webhook.test',
    data: { endpointId },
  });
  expect(await harness.webhooks.deliveries(endpointId)).toMatchObject([
    { id: outcome.deliveryId, state: 'FAILED', lastStatus: 401 },
  ]);
  expect(await harness.webhooks.attempts(endpointId)).toMatchObject([{ answer: 'who are you' }]);
});

test('an endpoint gets only its subscribed types, of its own mode', async () => {
  const { endpointId } = await harness.webhooks.endpoint(harness.receiver.url, ['payment.refunded']);
  const live = webhooksOf(harness.context, harness.merchantId, 'live');
  await harness.webhooks.announce(harness.context.newId(), 1, 'payment.succeeded');
  await live.announce(harness.context.newId(), 1, 'payment.refunded');
  const wanted = await harness.webhooks.announce(harness.context.newId(), 1, 'payment.refunded');
  await harness.settled(harness.dispatcher(), endpointId);
  expect(harness.receiver.received.map(idOf)).toEqual([wanted]);
});

test('a retry in another format sends the bytes of the first attempt, whatever has become of the payment', async () => {
  const { endpointId } = await harness.webhooks.endpoint(harness.receiver.url);
  const format = { where: { id: endpointId }, data: { format: 'paystack' } };
  await harness.context.database.prisma.webhookEndpoint.updateMany(format);
  harness.receiver.answer = (received, response, count) =>
    count === 1 ? refuse(received, response, count) : void response.end();
  let written = 0;
  const formatEvent = async () => {
    written += 1;
    return `{"event":"charge.success","version":${written}}`;
  };
  await harness.webhooks.announce(harness.context.newId(), 1);
  const by = harness.dispatcher({ formatEvent });
  await harness.settled(by, endpointId);
  harness.context.setClock(new Date(Date.now() + 60_000));
  await harness.settled(by, endpointId);
  const body = '{"event":"charge.success","version":1}';
  expect(harness.receiver.received.map((received) => received.body)).toEqual([body, body]);
});
