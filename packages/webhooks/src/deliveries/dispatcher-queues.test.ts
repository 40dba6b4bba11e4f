import { describe, expect, test } from 'vitest';
import { idOf, openDispatcherHarness } from '../testing/dispatcher-harness.ts';
import { until } from '../testing/receiver.ts';
import { openDispatcher } from './dispatcher.ts';
import type { Sent } from './send.ts';

const desk = openDispatcherHarness();

describe('slow endpoints', () => {
  test('hold up no others: everything arrives elsewhere while they still hang', async () => {
    const hanging: (() => void)[] = [];
    const hangs = await desk.receiving((_received, response) => void hanging.push(() => response.end()));
    const healthy = await desk.receiving();
    // Fewer at once than the hanging ones could take, if they were let.
    const by = desk.courier({ inFlightMax: 14 });
    for (let one = 0; one < 3; one++) await desk.webhooks.endpoint(`${hangs.url}/${one}`);
    for (let one = 3; one < 10; one++) await desk.webhooks.endpoint(`${healthy.url}/${one}`);
    for (let event = 0; event < 12; event++) await desk.webhooks.announce(desk.context.newId(), 1);
    await by.sweep();
    await until('the healthy ones have theirs', () => healthy.received.length === 7 * 12);
    await until('the others have what they are given at once', () => hanging.length === 3 * 4);
    expect(
      await desk.context.database.prisma.webhookTry.count({ where: { merchantId: desk.merchantId, delivered: false } }),
    ).toBe(0);
    hangs.answer = (_received, response) => void response.end();
    for (const end of hanging) end();
    await until('the hanging ones have theirs', () => hangs.received.length === 3 * 12);
  });

  test('are given one at a time once they have not answered three times in a row, and four again once they do', async () => {
    desk.receiver.answer = () => undefined;
    const { endpointId } = await desk.webhooks.endpoint(desk.receiver.url);
    for (let event = 0; event < 14; event++) await desk.webhooks.announce(desk.context.newId(), 1);
    const by = desk.courier({ timeoutMs: 150 });
    await by.sweep();
    await until('all have failed', async () => (await desk.webhooks.tries(endpointId)).length === 14);
    // Those that were begun before the third failure are done; from then on each begins when the one before has ended.
    const tries = (await desk.webhooks.tries(endpointId)).slice(7);
    for (const [index, { startedAt }] of tries.entries()) {
      const before = tries[index - 1];
      if (before !== undefined)
        expect(startedAt.getTime()).toBeGreaterThanOrEqual(before.startedAt.getTime() + before.durationMs);
    }
    const held: (() => void)[] = [];
    let most = 0;
    desk.receiver.answer = (_received, response) => {
      held.push(() => response.end());
      most = Math.max(most, held.length);
      // The first is answered alone, which shows that it answers again; then four are held until all are there.
      if (desk.receiver.received.length === 15 || held.length === 4) for (const end of held.splice(0)) end();
    };
    desk.context.setClock(new Date(Date.now() + 60_000));
    const patient = desk.courier();
    await patient.sweep();
    await until('four were under way', () => most === 4);
    desk.receiver.answer = (_received, response) => void response.end();
    for (const end of held.splice(0)) end();
  });

  test('take turns when there is more to send than may be sent at once', async () => {
    const [one, other] = [await desk.receiving(), await desk.receiving()];
    await desk.webhooks.endpoint(one.url);
    await desk.webhooks.endpoint(other.url);
    for (let event = 0; event < 10; event++) await desk.webhooks.announce(desk.context.newId(), 1);
    await desk.courier({ inFlightMax: 1 }).sweep();
    await until('all arrived', () => one.received.length === 10 && other.received.length === 10);
  });
});

test('however much waits for one endpoint, what is due at another is found', async () => {
  const [crowded, quiet] = [await desk.webhooks.endpoint(desk.receiver.url), await desk.webhooks.endpoint(desk.receiver.url)];
  await desk.context.database.pool.query(
    `INSERT INTO webhook_delivery (merchant_id, id, endpoint_id, event_id, position, type, state, attempts, next_attempt_at, created_at, updated_at)
     SELECT $1, gen_random_uuid(), $2, gen_random_uuid(), 0, 'webhook.test', 'PENDING', 0, now(), now(), now()
     FROM generate_series(1, 12000)`,
    [desk.merchantId, crowded.endpointId],
  );
  await desk.webhooks.announce(desk.context.newId(), 1);
  expect(await desk.somethingIsDue(quiet.endpointId)).toBe(true);
});

test('what a courier was carrying when it died is sent by another, when its lease has run out', async () => {
  const { endpointId } = await desk.webhooks.endpoint(desk.receiver.url);
  const paymentId = desk.context.newId();
  const eventIds = [await desk.webhooks.announce(paymentId, 1), await desk.webhooks.announce(paymentId, 2)];
  // Claimed, and not heard of again until everything is over.
  const comesBack: (() => void)[] = [];
  const send = () =>
    new Promise<Sent>((resolve) => void comesBack.push(() => resolve({ kind: 'unanswered', failure: 'connection_lost' })));
  const dead = openDispatcher(desk.context, {
    onError: (error) => desk.errors.push(error),
    sender: { send, close: async () => undefined },
  });
  await dead.sweep();
  await until('the first is under way', () => comesBack.length === 1);
  const other = desk.courier();
  expect(await desk.somethingIsDue(endpointId)).toBe(false);
  desk.context.setClock(new Date(Date.now() + 61_000));
  await other.sweep();
  await until('both arrived', () => desk.receiver.received.length === 2);
  expect(desk.receiver.received.map(idOf)).toEqual(eventIds);
  await desk.settled(other, endpointId, 1);
  for (const back of comesBack) back();
  await dead.stop();
  // What it has to say is on record, and changes nothing.
  expect(await desk.webhooks.deliveries(endpointId)).toMatchObject([{ state: 'DELIVERED' }, { state: 'DELIVERED' }]);
  expect((await desk.webhooks.tries(endpointId)).filter(({ delivered }) => !delivered)).toMatchObject([
    { failure: 'connection_lost' },
  ]);
});
