import { randomUUID } from 'node:crypto';
import { openSwitchyard } from '@switchyard/api/process';
import { TEST_CONNECTION } from '@switchyard/db/testing';
import { reservePort } from '@switchyard/runtime/reserve-port';
import { createEndpoint } from '@switchyard/webhooks/endpoints';
import { openReceiver, type Receiver } from '@switchyard/webhooks/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { eventually, findFollowedUp } from '../harness/eventually.ts';
import { type Installation, prepareInstallation, spawnWeb, spawnWorker } from './processes.ts';

/** Two starts, on a machine that is busy with other suites. */
const TIMEOUT_MS = 240_000;

const initiatedSchema = z.object({
  data: z.object({
    paymentId: z.uuid(),
    recommendedGateway: z.object({ name: z.literal('paystack'), session: z.object({ reference: z.string() }) }),
  }),
});

let port: number;
let installation: Installation;
let receiver: Receiver;

beforeAll(async () => {
  port = await reservePort();
  installation = await prepareInstallation(`http://127.0.0.1:${port}`);
  receiver = await openReceiver();
});
afterAll(async () => {
  await receiver?.close();
  await installation?.close();
});

test('what a process has committed before it was killed is followed up and delivered, although no worker heard of it', {
  timeout: TIMEOUT_MS,
}, async () => {
  const { environment, database, merchant, gateways } = installation;
  const switchyard = openSwitchyard(environment, { write: () => undefined }, TEST_CONNECTION);
  const { merchantId } = merchant;
  await createEndpoint(switchyard, {
    merchantId,
    mode: 'test',
    url: receiver.url,
    description: '',
    types: [],
    actor: 'staff:ada',
  });
  await switchyard.close();
  const victim = await spawnWeb(environment, {}, port);
  const post = (path: string, body: unknown) =>
    fetch(`${victim.url}/v1/payments/${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${merchant.testKey}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const order = { merchantOrderId: randomUUID(), amount: 2_500, currency: 'NGN', paymentMethod: 'CARD' };
  const answer = await post('initiate', { ...order, customer: { email: 'ada@example.com' } });
  const { paymentId, recommendedGateway } = initiatedSchema.parse(await answer.json()).data;
  const { reference } = recommendedGateway.session;

  await gateways.settle('paystack', reference, 'success');
  const where = { merchantId, reference };
  await eventually('the webhook to be stored', () => database.prisma.gatewayWebhook.findFirst({ where }));
  const verified = await post(`${paymentId}/verify`, {});
  expect(await verified.json()).toMatchObject({ data: { data: { status: 'SUCCESS' } } });
  victim.child.kill('SIGKILL');
  const { rows: jobs } = await database.pool.query('SELECT FROM graphile_worker._private_jobs WHERE payload::text LIKE $1', [
    `%${merchantId}%`,
  ]);
  expect(jobs).toEqual([]);
  expect(receiver.received).toEqual([]);

  const worker = spawnWorker(environment);
  await eventually('the event to arrive', async () => (receiver.received.length > 0 ? true : null));
  await eventually('the webhook to be followed up', () => findFollowedUp(database, where));
  expect(receiver.received.map(({ body }) => JSON.parse(body))).toMatchObject([{ type: 'payment.succeeded' }]);
  expect(await worker.terminate()).toBe(0);
});
