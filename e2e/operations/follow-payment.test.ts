import { randomUUID } from 'node:crypto';
import { openSwitchyard } from '@switchyard/api/process';
import { TEST_CONNECTION } from '@switchyard/db/testing';
import { reservePort } from '@switchyard/runtime/reserve-port';
import { createEndpoint } from '@switchyard/webhooks/endpoints';
import { openReceiver, type Receiver } from '@switchyard/webhooks/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { eventually } from '../harness/eventually.ts';
import { PAIR } from '../harness/gateways.ts';
import { type Installation, prepareInstallation, type SpawnedWeb, spawnWeb, spawnWorker } from './processes.ts';

/** Two starts, on a machine that is busy with other suites. */
const TIMEOUT_MS = 240_000;

const answerSchema = z.object({
  data: z.object({
    paymentId: z.uuid(),
    recommendedGateway: z.object({ name: z.enum(PAIR), session: z.object({ reference: z.string() }) }),
  }),
});
const lineSchema = z.looseObject({
  msg: z.string().optional(),
  'http.route': z.string().optional(),
  'messaging.destination.name': z.string().optional(),
  operation: z.string().optional(),
  event_type: z.string().optional(),
});

let installation: Installation;
let web: SpawnedWeb;
let receiver: Receiver;

beforeAll(async () => {
  const port = await reservePort();
  installation = await prepareInstallation(`http://127.0.0.1:${port}`);
  web = await spawnWeb(installation.environment, {}, port);
  receiver = await openReceiver((_received, response) => void response.end('ok'));
  const switchyard = openSwitchyard(installation.environment, { write: () => undefined }, TEST_CONNECTION);
  const { merchantId } = installation.merchant;
  const settings = { merchantId, mode: 'test', url: receiver.url, description: '', types: [], actor: 'staff:ada' } as const;
  await createEndpoint(switchyard, settings);
  await switchyard.close();
}, TIMEOUT_MS);
afterAll(async () => {
  await web?.terminate();
  await receiver?.close();
  await installation?.close();
});

/** Lines that `grep` finds in a log, each by the work that it is about. */
function grep(output: readonly string[], text: string): ReadonlySet<string> {
  const lines = output
    .join('')
    .split('\n')
    .filter((line) => line.includes(text));
  return new Set(
    lines.map((line) => {
      const read = lineSchema.parse(JSON.parse(line));
      const of = read['http.route'] ?? read['messaging.destination.name'] ?? read.operation ?? read.event_type;
      return `${read.msg}: ${of}`;
    }),
  );
}

test('a payment is followed by its id through the logs of all processes, and no other is found by it', {
  timeout: TIMEOUT_MS,
}, async () => {
  const { environment, gateways, database, merchant } = installation;
  const worker = spawnWorker(environment);
  const post = (path: string, body: object) =>
    fetch(`${web.url}/v1/payments/${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${merchant.testKey}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const initiate = async () => {
    const customer = { email: 'ada@example.com' };
    const order = { merchantOrderId: randomUUID(), amount: 2_500, currency: 'NGN', paymentMethod: 'CARD', customer };
    return answerSchema.parse(await (await post('initiate', order)).json()).data;
  };
  const [{ paymentId, recommendedGateway }, other] = [await initiate(), await initiate()];
  const found = (what: string, output: readonly string[]) =>
    eventually(`"${what}" in the log`, async () => (grep(output, paymentId).has(what) ? true : null));

  // A sweep looks at what is due.
  await database.prisma.paymentCheck.updateMany({ where: { paymentId }, data: { nextCheckAt: new Date(0) } });
  await found('gateway operation: verify', worker.output);

  const { name, session } = recommendedGateway;
  await gateways.settle(name, session.reference, 'success');
  await found('request: /webhooks/{gateway}/{accountId}', web.output);
  await found('job: follow-webhook', worker.output);
  await found('delivery: payment.succeeded', worker.output);

  expect((await post(`${paymentId}/verify`, {})).status).toBe(200);
  expect((await post(`${paymentId}/refunds`, { full: true })).status).toBe(200);
  await found('job: send-refund', worker.output);
  await found('gateway operation: refund', worker.output);

  expect(grep(web.output, paymentId)).toEqual(
    new Set([
      'request: /v1/payments/initiate',
      'request: /webhooks/{gateway}/{accountId}',
      'request: /v1/payments/{paymentId}/verify',
      'request: /v1/payments/{paymentId}/refunds',
    ]),
  );
  expect(grep(worker.output, other.paymentId)).toEqual(new Set());
  expect(await worker.terminate()).toBe(0);
});
