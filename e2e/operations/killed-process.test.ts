import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { eventually } from '../harness/eventually.ts';
import { type GatewayName, PAIR } from '../harness/gateways.ts';
import { type Installation, prepareInstallation, type SpawnedWeb, spawnWeb } from './processes.ts';

/** Two starts, on a machine that is busy with other suites. */
const TIMEOUT_MS = 240_000;
const RETRY_MS = 200;
/**
 * The guarantee is three seconds, on a machine with nothing else to do. Without it a retry waits for the end of a lock or of the first
 * request's time: 30 to 60 seconds.
 */
const GOES_ON_WITHIN_MS = 20_000;

const answerSchema = z.object({
  data: z.object({
    paymentId: z.uuid(),
    status: z.string(),
    recommendedGateway: z.object({ name: z.enum(PAIR), session: z.object({ reference: z.string() }) }),
  }),
});

let installation: Installation;
let survivor: SpawnedWeb;

beforeAll(async () => {
  installation = await prepareInstallation();
  survivor = await spawnWeb(installation.environment);
}, TIMEOUT_MS);
afterAll(async () => {
  await survivor?.terminate();
  await installation?.close();
});

const paidAt = async (gateway: GatewayName) =>
  (await installation.gateways.journal(gateway)).transactions.filter(({ paid }) => paid);

test.each([
  ['has opened the checkout', 'timeout_after_create'],
  ['opens the checkout later', 'slow'],
] as const)(
  'a request whose process is killed while its gateway %s goes on in another process, as one payment',
  {
    timeout: TIMEOUT_MS,
  },
  async (_, fault) => {
    const { environment, gateways, database, merchant } = installation;
    const victim = await spawnWeb(environment);
    const merchantOrderId = randomUUID();
    const customer = { email: 'ada@example.com' };
    const ask = (url: string) =>
      fetch(`${url}/v1/payments/initiate`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${merchant.testKey}`,
          'content-type': 'application/json',
          'idempotency-key': merchantOrderId,
        },
        body: JSON.stringify({ merchantOrderId, amount: 2_500, currency: 'NGN', paymentMethod: 'CARD', customer }),
      });
    const paidBefore = (await Promise.all(PAIR.map(paidAt))).flat().length;

    await gateways.setFault('paystack', fault, 5_000);
    const first = ask(victim.url).catch(() => null);
    const left = await eventually('the payment to be on record, and its gateway to be called', async () => {
      const payment = await database.prisma.payment.findFirst({ where: { merchantOrderId }, include: { attempts: true } });
      const reference = payment?.attempts[0]?.reference;
      if (payment === null || reference === undefined) return null;
      const { calls } = await gateways.journal('paystack');
      return calls.some(({ method, fault: struck }) => method === 'POST' && struck === fault) ? payment : null;
    });
    victim.child.kill('SIGKILL');
    const killedAt = performance.now();
    expect(await first).toBeNull();
    await gateways.heal();

    let answer = await ask(survivor.url);
    while (answer.status === 409 && performance.now() - killedAt < GOES_ON_WITHIN_MS) {
      expect(answer.headers.get('retry-after')).toBe('2');
      await answer.body?.cancel();
      await pause(RETRY_MS);
      answer = await ask(survivor.url);
    }
    const text = await answer.text();
    expect([answer.status, text]).toEqual([200, expect.stringContaining(left.id)]);
    const { data } = answerSchema.parse(JSON.parse(text));
    expect(data).toMatchObject({ paymentId: left.id, status: 'PENDING' });
    // Nothing runs again.
    expect(await (await ask(survivor.url)).text()).toBe(text);
    expect(await database.prisma.payment.count({ where: { merchantOrderId } })).toBe(1);

    const { name, session } = data.recommendedGateway;
    await gateways.settle(name, session.reference, 'success');
    const verified = await fetch(`${survivor.url}/v1/payments/${left.id}/verify`, {
      method: 'POST',
      headers: { authorization: `Bearer ${merchant.testKey}`, 'content-type': 'application/json' },
      body: '{}',
    });
    expect(await verified.json()).toMatchObject({ data: { data: { status: 'SUCCESS' } } });
    expect((await Promise.all(PAIR.map(paidAt))).flat()).toHaveLength(paidBefore + 1);
  },
);
