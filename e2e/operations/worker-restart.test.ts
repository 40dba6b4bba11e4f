import { openSwitchyard, type Switchyard } from '@switchyard/api/process';
import { transactWithHints } from '@switchyard/db';
import { TEST_CONNECTION } from '@switchyard/db/testing';
import { createEndpoint } from '@switchyard/webhooks/endpoints';
import { announceEvent } from '@switchyard/webhooks/events';
import { openReceiver, type Receiver } from '@switchyard/webhooks/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../harness/eventually.ts';
import { type Installation, prepareInstallation, spawnWorker } from './processes.ts';

const EVENTS = 24;
/** Long enough that SIGTERM meets deliveries whose answer is still to come. */
const ANSWER_MS = 400;
/** Two starts, on a machine that is busy with other suites. */
const TIMEOUT_MS = 240_000;

let installation: Installation;
let switchyard: Switchyard;
let receiver: Receiver;

beforeAll(async () => {
  installation = await prepareInstallation();
  switchyard = openSwitchyard(installation.environment, { write: () => undefined }, TEST_CONNECTION);
  receiver = await openReceiver((_received, response) => void setTimeout(() => response.end('ok'), ANSWER_MS));
});
afterAll(async () => {
  await switchyard?.close();
  await receiver?.close();
  await installation?.close();
});

async function announceEvents(): Promise<string> {
  const { merchantId } = installation.merchant;
  const settings = { merchantId, mode: 'test', url: receiver.url, description: '', types: [], actor: 'staff:ada' } as const;
  const outcome = await createEndpoint(switchyard, settings);
  if (outcome.kind !== 'created') throw new Error(outcome.kind);
  for (let position = 1; position <= EVENTS; position++) {
    const [eventId, paymentId] = [switchyard.newId(), switchyard.newId()];
    const body = JSON.stringify({ id: eventId, type: 'payment.succeeded', data: { paymentId } });
    const event = { merchantId, eventId, mode: 'test', paymentId, position, type: 'payment.succeeded', body } as const;
    await transactWithHints(installation.database, (transaction) => announceEvent(transaction, event, new Date()));
  }
  return outcome.endpoint.id;
}

test('a worker that is told to stop finishes the deliveries it began and leaves the others to the next, each sent once', {
  timeout: TIMEOUT_MS,
}, async () => {
  const endpointId = await announceEvents();
  const { prisma } = installation.database;
  const delivered = () => prisma.webhookDelivery.count({ where: { endpointId, deliveredAt: { not: null } } });
  const first = spawnWorker(installation.environment);
  await eventually('a delivery was answered and others are under way', async () =>
    receiver.received.length > 4 && receiver.received.length < EVENTS / 2 ? true : null,
  );
  expect(await first.terminate()).toBe(0);
  const begun = receiver.received.length;
  expect(begun).toBeLessThan(EVENTS);
  expect(await delivered()).toBe(begun);

  const second = spawnWorker(installation.environment);
  await eventually('everything is delivered', async () => ((await delivered()) === EVENTS ? true : null));
  expect(await second.terminate()).toBe(0);
  const ids = receiver.received.map(({ headers }) => headers['webhook-id']);
  expect(new Set(ids).size).toBe(EVENTS);
  expect(ids).toHaveLength(EVENTS);
});

test('a worker is told by the database of new jobs, for each of its three queues, and of rows that are due', {
  timeout: TIMEOUT_MS,
}, async () => {
  const worker = spawnWorker(installation.environment);
  const listening = `SELECT count(*) FILTER (WHERE query LIKE 'LISTEN "jobs:insert"%')::int AS queues,
    count(*) FILTER (WHERE query = 'LISTEN work')::int AS rows FROM pg_stat_activity WHERE datname = current_database()`;
  await eventually('its connections listen', async () => {
    const {
      rows: [found],
    } = await installation.database.pool.query<{ queues: number; rows: number }>(listening);
    return found?.queues === 3 && found.rows === 1 ? true : null;
  });
  expect(await worker.terminate()).toBe(0);
});
