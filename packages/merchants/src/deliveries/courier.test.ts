import { migrateJobs } from '@switchyard/db';
import { listDueEndpoints } from '@switchyard/db/webhooks';
import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openTestContext, type TestContext, testMerchant } from '../testing/context.ts';
import { openReceiver, type Received, type Receiver, until } from '../testing/receiver.ts';
import { webhooksOf } from '../testing/webhooks.ts';
import { rotateEndpointSecret } from '../webhooks/rotate-endpoint-secret.ts';
import { sendTestEvent } from '../webhooks/send-test-event.ts';
import { switchOnEndpoint } from '../webhooks/switch-endpoint.ts';
import { type Courier, type CourierOptions, openCourier } from './courier.ts';
import { openSender, type Sent } from './send.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const actor = 'staff:ada';

let context: TestContext;
let merchantId: string;
let webhooks: ReturnType<typeof webhooksOf>;
let receiver: Receiver;
const open: (() => Promise<void>)[] = [];
const errors: unknown[] = [];

beforeAll(async () => {
  context = await openTestContext();
  await migrateJobs(context.database);
});
afterAll(() => context.close());
beforeEach(async () => {
  context.setClock(null);
  errors.length = 0;
  merchantId = await testMerchant(context);
  webhooks = webhooksOf(context, merchantId);
  receiver = await receiving();
});
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
  await context.database.pool.query('DELETE FROM webhook_delivery');
  expect(errors).toEqual([]);
});

async function receiving(answer?: Receiver['answer']): Promise<Receiver> {
  const made = await openReceiver(answer);
  open.push(() => made.close());
  return made;
}

function courier(options: Partial<CourierOptions> & { timeoutMs?: number } = {}): Courier {
  const { timeoutMs = 15_000, ...rest } = options;
  const sender = openSender({ timeoutMs });
  const made = openCourier(context, { onError: (error) => errors.push(error), sender, random: () => 0, ...rest });
  open.push(() => made.stop());
  return made;
}

/** Everything due is sent, and then nothing is due any more at this time; of `lost` tries nobody has heard. */
async function settled(by: Courier, endpointId: string, lost = 0): Promise<void> {
  await until('nothing is due', async () => {
    await by.sweep();
    const isDue = await somethingIsDue(endpointId);
    const [tries, begun] = [await webhooks.tries(endpointId), await webhooks.deliveries(endpointId)];
    return !isDue && tries.length + lost === begun.reduce((sum, { attempts }) => sum + attempts, 0);
  });
}

async function somethingIsDue(endpointId: string): Promise<boolean> {
  const due = await listDueEndpoints(context.database, context.now());
  return due.some((endpoint) => endpoint.endpointId === endpointId);
}

const idOf = ({ headers }: Received) => headers['webhook-id'];
const refuse: Receiver['answer'] = (_received, response) => void response.writeHead(500).end('no');

test('an event arrives once, byte for byte, under its own id and a signature that verifies', async () => {
  const { endpointId, secret } = await webhooks.endpoint(`${receiver.url}/hooks`);
  const eventId = await webhooks.announce(context.newId(), 2);
  await settled(courier(), endpointId);
  const [received, ...more] = receiver.received;
  const event = await context.database.prisma.merchantEvent.findFirstOrThrow({ where: { id: eventId } });
  expect(more).toEqual([]);
  expect(received).toMatchObject({ path: '/hooks', body: event.body });
  expect(received && idOf(received)).toBe(eventId);
  expect(received?.headers['content-type']).toBe('application/json');
  expect(new Webhook(secret).verify(received?.body ?? '', received?.headers ?? {})).toMatchObject({ id: eventId });
  expect(await webhooks.deliveries(endpointId)).toMatchObject([
    { state: 'DELIVERED', attempts: 1, lastStatus: 200, nextAttemptAt: null },
  ]);
  expect(await webhooks.tries(endpointId)).toMatchObject([{ delivered: true, status: 200, answer: 'ok', number: 1 }]);
});

test('while a secret is being replaced a receiver with either of them verifies, and afterwards only with the new one', async () => {
  const { endpointId, secret: old } = await webhooks.endpoint(receiver.url);
  const oldSignsUntil = new Date(Date.now() + HOUR_MS);
  const rotated = await rotateEndpointSecret(context, { merchantId, endpointId, oldSignsUntil, actor });
  if (rotated.kind !== 'rotated') throw new Error(rotated.kind);
  const verifies = (secret: string, received: Received | undefined) => {
    try {
      return new Webhook(secret).verify(received?.body ?? '', received?.headers ?? {}) !== undefined;
    } catch {
      return false;
    }
  };
  const by = courier();
  await webhooks.announce(context.newId(), 2);
  await settled(by, endpointId);
  expect([old, rotated.secret].map((secret) => verifies(secret, receiver.received[0]))).toEqual([true, true]);
  await context.database.prisma.webhookEndpoint.updateMany({
    where: { id: endpointId },
    data: { previousSecretEndsAt: new Date() },
  });
  await webhooks.announce(context.newId(), 2);
  await settled(by, endpointId);
  expect([old, rotated.secret].map((secret) => verifies(secret, receiver.received[1]))).toEqual([false, true]);
});

describe('events of one payment', () => {
  test('arrive in their order, although the first try of the first fails', async () => {
    const { endpointId } = await webhooks.endpoint(receiver.url);
    const paymentId = context.newId();
    receiver.answer = (received, response, count) => (count === 1 ? refuse(received, response, count) : void response.end());
    const first = await webhooks.announce(paymentId, 2);
    const second = await webhooks.announce(paymentId, 3, 'payment.refunded');
    const by = courier();
    await settled(by, endpointId);
    expect(receiver.received.map(idOf)).toEqual([first]);
    context.setClock(new Date(Date.now() + 60_000));
    await by.sweep();
    await until('both arrived', () => receiver.received.length === 3);
    expect(receiver.received.map(idOf)).toEqual([first, first, second]);
  });

  test('go on when an earlier one is given up', async () => {
    const { endpointId } = await webhooks.endpoint(receiver.url);
    const paymentId = context.newId();
    const first = await webhooks.announce(paymentId, 2);
    const second = await webhooks.announce(paymentId, 3, 'payment.refunded');
    receiver.answer = (received, response, count) =>
      idOf(received) === first ? refuse(received, response, count) : void response.end();
    const by = courier();
    for (let next: Date | null = context.now(); next !== null; ) {
      context.setClock(next);
      await settled(by, endpointId);
      next = (await webhooks.deliveries(endpointId))[0]?.nextAttemptAt ?? null;
    }
    expect(await webhooks.deliveries(endpointId)).toMatchObject([
      { eventId: first, state: 'FAILED', attempts: 14, nextAttemptAt: null, lastStatus: 500 },
      { eventId: second, state: 'DELIVERED', attempts: 1 },
    ]);
    expect(receiver.received.map(idOf)).toEqual([...Array.from({ length: 14 }, () => first), second]);
  });

  test('are never under way two at a time, however many couriers there are', async () => {
    const { endpointId } = await webhooks.endpoint(receiver.url);
    const underWay = new Map<string, number>();
    let most = 0;
    receiver.answer = (received, response) => {
      const { paymentId } = JSON.parse(received.body).data;
      underWay.set(paymentId, (underWay.get(paymentId) ?? 0) + 1);
      most = Math.max(most, underWay.get(paymentId) ?? 0);
      setTimeout(() => {
        underWay.set(paymentId, (underWay.get(paymentId) ?? 0) - 1);
        response.end();
      }, 5);
    };
    const payments = [context.newId(), context.newId(), context.newId()];
    const expected = new Map<string, string[]>();
    for (let position = 1; position <= 8; position++) {
      for (const paymentId of payments) {
        expected.set(paymentId, [...(expected.get(paymentId) ?? []), await webhooks.announce(paymentId, position)]);
      }
    }
    const couriers = [courier(), courier(), courier()];
    await Promise.all(couriers.map((one) => settled(one, endpointId)));
    expect(most).toBe(1);
    expect(receiver.received).toHaveLength(24);
    for (const paymentId of payments) {
      const own = receiver.received.filter(({ body }) => body.includes(paymentId)).map(idOf);
      expect(own).toEqual(expected.get(paymentId));
    }
  });
});

describe('slow endpoints', () => {
  test('hold up no others: everything arrives elsewhere while they still hang', async () => {
    const hanging: (() => void)[] = [];
    const hangs = await receiving((_received, response) => void hanging.push(() => response.end()));
    const healthy = await receiving();
    // Fewer at once than the hanging ones could take, if they were let.
    const by = courier({ inFlightMax: 14 });
    for (let one = 0; one < 3; one++) await webhooks.endpoint(`${hangs.url}/${one}`);
    for (let one = 3; one < 10; one++) await webhooks.endpoint(`${healthy.url}/${one}`);
    for (let event = 0; event < 12; event++) await webhooks.announce(context.newId(), 1);
    await by.sweep();
    await until('the healthy ones have theirs', () => healthy.received.length === 7 * 12);
    await until('the others have what they are given at once', () => hanging.length === 3 * 4);
    expect(await context.database.prisma.webhookTry.count({ where: { merchantId, delivered: false } })).toBe(0);
    hangs.answer = (_received, response) => void response.end();
    for (const end of hanging) end();
    await until('the hanging ones have theirs', () => hangs.received.length === 3 * 12);
  });

  test('are given one at a time once they have not answered three times in a row, and four again once they do', async () => {
    receiver.answer = () => undefined;
    const { endpointId } = await webhooks.endpoint(receiver.url);
    for (let event = 0; event < 14; event++) await webhooks.announce(context.newId(), 1);
    const by = courier({ timeoutMs: 150 });
    await by.sweep();
    await until('all have failed', async () => (await webhooks.tries(endpointId)).length === 14);
    // Those that were begun before the third failure are done; from then on each begins when the one before has ended.
    const tries = (await webhooks.tries(endpointId)).slice(7);
    for (const [index, { startedAt }] of tries.entries()) {
      const before = tries[index - 1];
      if (before !== undefined)
        expect(startedAt.getTime()).toBeGreaterThanOrEqual(before.startedAt.getTime() + before.durationMs);
    }
    const held: (() => void)[] = [];
    let most = 0;
    receiver.answer = (_received, response) => {
      held.push(() => response.end());
      most = Math.max(most, held.length);
      // The first is answered alone, which shows that it answers again; then four are held until all are there.
      if (receiver.received.length === 15 || held.length === 4) for (const end of held.splice(0)) end();
    };
    context.setClock(new Date(Date.now() + 60_000));
    const patient = courier();
    await patient.sweep();
    await until('four were under way', () => most === 4);
    receiver.answer = (_received, response) => void response.end();
    for (const end of held.splice(0)) end();
  });

  test('take turns when there is more to send than may be sent at once', async () => {
    const [one, other] = [await receiving(), await receiving()];
    await webhooks.endpoint(one.url);
    await webhooks.endpoint(other.url);
    for (let event = 0; event < 10; event++) await webhooks.announce(context.newId(), 1);
    await courier({ inFlightMax: 1 }).sweep();
    await until('all arrived', () => one.received.length === 10 && other.received.length === 10);
  });
});

test('however much waits for one endpoint, what is due at another is found', async () => {
  const [crowded, quiet] = [await webhooks.endpoint(receiver.url), await webhooks.endpoint(receiver.url)];
  await context.database.pool.query(
    `INSERT INTO webhook_delivery (merchant_id, id, endpoint_id, event_id, position, type, state, attempts, next_attempt_at, created_at, updated_at)
     SELECT $1, gen_random_uuid(), $2, gen_random_uuid(), 0, 'webhook.test', 'PENDING', 0, now(), now(), now()
     FROM generate_series(1, 12000)`,
    [merchantId, crowded.endpointId],
  );
  await webhooks.announce(context.newId(), 1);
  expect(await somethingIsDue(quiet.endpointId)).toBe(true);
});

test('what a courier was carrying when it died is sent by another, when its lease has run out', async () => {
  const { endpointId } = await webhooks.endpoint(receiver.url);
  const paymentId = context.newId();
  const eventIds = [await webhooks.announce(paymentId, 1), await webhooks.announce(paymentId, 2)];
  // Claimed, and not heard of again until everything is over.
  const comesBack: (() => void)[] = [];
  const send = () =>
    new Promise<Sent>((resolve) => void comesBack.push(() => resolve({ kind: 'unanswered', failure: 'connection_lost' })));
  const dead = openCourier(context, { onError: (error) => errors.push(error), sender: { send, close: async () => undefined } });
  await dead.sweep();
  await until('the first is under way', () => comesBack.length === 1);
  const other = courier();
  expect(await somethingIsDue(endpointId)).toBe(false);
  context.setClock(new Date(Date.now() + 61_000));
  await other.sweep();
  await until('both arrived', () => receiver.received.length === 2);
  expect(receiver.received.map(idOf)).toEqual(eventIds);
  await settled(other, endpointId, 1);
  for (const back of comesBack) back();
  await dead.stop();
  // What it has to say is on record, and changes nothing.
  expect(await webhooks.deliveries(endpointId)).toMatchObject([{ state: 'DELIVERED' }, { state: 'DELIVERED' }]);
  expect((await webhooks.tries(endpointId)).filter(({ delivered }) => !delivered)).toMatchObject([
    { failure: 'connection_lost' },
  ]);
});

describe('an endpoint', () => {
  test('that answers 410 is switched off at once, and whoever asks is told', async () => {
    const { endpointId } = await webhooks.endpoint(receiver.url);
    receiver.answer = (_received, response) => void response.writeHead(410).end();
    await webhooks.announce(context.newId(), 1);
    await courier().sweep();
    await until('it is off', async () => !(await webhooks.row(endpointId)).enabled);
    expect(await webhooks.row(endpointId)).toMatchObject({ disabledReason: 'gone' });
    expect(await webhooks.deliveries(endpointId)).toMatchObject([{ state: 'FAILED', attempts: 1 }]);
    const audit = await context.database.prisma.auditEntry.findMany({
      where: { objectId: endpointId },
      orderBy: { position: 'asc' },
    });
    expect(audit.at(-1)).toMatchObject({ action: 'webhook_endpoint.disabled', actor: 'system:worker', tenantId: merchantId });
  });

  test('that failed for five days without a success is switched off; one success begins the count anew', async () => {
    const { endpointId } = await webhooks.endpoint(receiver.url);
    const by = courier();
    const begin = Date.now();
    const day = async (number: number, answer: Receiver['answer']) => {
      receiver.answer = answer;
      context.setClock(new Date(begin + number * DAY_MS));
      await webhooks.announce(context.newId(), 1);
      await settled(by, endpointId);
      return webhooks.row(endpointId);
    };
    for (const number of [0, 0.9, 1.8, 2.7, 3.6, 4.5]) expect(await day(number, refuse)).toMatchObject({ enabled: true });
    expect(await day(4.6, (_received, response) => void response.end())).toMatchObject({ enabled: true, failingSince: null });
    for (const number of [5, 5.9, 6.8, 7.7, 8.6, 9.5]) expect(await day(number, refuse)).toMatchObject({ enabled: true });
    await day(10.1, refuse);
    await until('it is off', async () => !(await webhooks.row(endpointId)).enabled);
    expect(await webhooks.row(endpointId)).toMatchObject({ disabledReason: 'failing' });
    // Nothing is left waiting for it, and nothing new is.
    await webhooks.announce(context.newId(), 1);
    expect((await webhooks.deliveries(endpointId)).filter(({ state }) => state === 'PENDING')).toEqual([]);
    expect(await switchOnEndpoint(context, { merchantId, endpointId, actor })).toMatchObject({ kind: 'switched' });
    expect(await webhooks.row(endpointId)).toMatchObject({ enabled: true, failingSince: null, disabledReason: null });
  });

  test('that failed once long ago is not switched off by the next failure', async () => {
    const { endpointId } = await webhooks.endpoint(receiver.url);
    const failedAt = new Date(Date.now() - 9 * DAY_MS);
    await context.database.prisma.webhookEndpoint.updateMany({
      where: { id: endpointId },
      data: { failingSince: failedAt, lastFailedAt: failedAt },
    });
    receiver.answer = refuse;
    await webhooks.announce(context.newId(), 1);
    await settled(courier(), endpointId);
    const row = await webhooks.row(endpointId);
    expect(row.enabled).toBe(true);
    expect(row.failingSince?.getTime()).toBeGreaterThan(Date.now() - DAY_MS);
  });
});

test('a test event is sent once, whichever types the endpoint wants, and its answer is there to see', async () => {
  const { endpointId, secret } = await webhooks.endpoint(receiver.url, ['payment.failed']);
  receiver.answer = (_received, response) => void response.writeHead(401).end('who are you');
  const outcome = await sendTestEvent(context, { merchantId, endpointId, actor });
  if (outcome.kind !== 'queued') throw new Error(outcome.kind);
  await settled(courier(), endpointId);
  const [received] = receiver.received;
  expect(new Webhook(secret).verify(received?.body ?? '', received?.headers ?? {})).toMatchObject({
    id: outcome.eventId,
    type: 'webhook.test',
    data: { endpointId },
  });
  expect(await webhooks.deliveries(endpointId)).toMatchObject([{ id: outcome.deliveryId, state: 'FAILED', lastStatus: 401 }]);
  expect(await webhooks.tries(endpointId)).toMatchObject([{ answer: 'who are you' }]);
});

test('an endpoint gets only the types it wants, and of its own mode', async () => {
  const { endpointId } = await webhooks.endpoint(receiver.url, ['payment.refunded']);
  const live = webhooksOf(context, merchantId, 'live');
  await webhooks.announce(context.newId(), 1, 'payment.succeeded');
  await live.announce(context.newId(), 1, 'payment.refunded');
  const wanted = await webhooks.announce(context.newId(), 1, 'payment.refunded');
  await settled(courier(), endpointId);
  expect(receiver.received.map(idOf)).toEqual([wanted]);
});
