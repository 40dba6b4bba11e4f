import { createHmac, randomInt, randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { order, readPayment } from '../harness/contract.ts';
import { endSession } from '../harness/database-proxy.ts';
import { eventually, findFollowedUp } from '../harness/eventually.ts';
import { PAIR, type PairName } from '../harness/gateways.ts';
import { type Harness, startHarness } from '../harness/harness.ts';
import type { TestMerchant } from '../harness/merchants.ts';
import { MOUNTS, type Mount } from '../harness/mounts.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness({ initiateBudgetMs: 2_400 });
});
afterEach(() => harness.gateways.heal());
afterAll(() => harness.close());

async function open(merchant: TestMerchant, gateway: PairName, mount: Mount = 'node') {
  const body = order({ requestedGateway: gateway });
  const reply = await harness.send(mount, 'POST', '/v1/payments/initiate', { key: merchant.testKey, body });
  const payment = readPayment(reply);
  expect(payment.recommendedGateway.name).toBe(gateway);
  return { paymentId: payment.paymentId, reference: payment.recommendedGateway.session?.reference ?? '' };
}

const rowOf = (paymentId: string) =>
  harness.database.prisma.payment.findFirstOrThrow({
    where: { id: paymentId },
    include: { attempts: { orderBy: { position: 'asc' } }, timeline: { orderBy: { id: 'asc' } } },
  });
const untilSuccess = (paymentId: string) =>
  eventually('the payment to succeed', async () => {
    const row = await rowOf(paymentId);
    return row.status === 'SUCCESS' ? row : null;
  });
const storedUnder = (reference: string) => harness.database.prisma.gatewayWebhook.findMany({ where: { reference } });
const untilProcessed = (reference: string) =>
  eventually('the webhook to be followed up', () => findFollowedUp(harness.database, { reference }));
const refusals = async (accountId: string) =>
  (await harness.database.prisma.refusedWebhook.findMany({ where: { accountId } })).reduce((sum, { count }) => sum + count, 0);
const untilDelivered = (gateway: PairName, reference: string) =>
  eventually('the gateway to have delivered', async () => {
    const { webhooks } = await harness.gateways.journal(gateway, reference);
    const genuine = webhooks.filter(({ forged }) => !forged);
    return genuine.length > 0 && genuine.every(({ state }) => state === 'delivered') ? genuine : null;
  });

/** A delivery as the gateway would make it, claiming that a reference was paid. */
function claim(merchant: TestMerchant, gateway: PairName, reference: string, id = randomInt(1e9)) {
  const keys = merchant.gatewayKeys[gateway];
  const path = `/webhooks/${gateway}/${merchant.accounts[gateway]}`;
  const data = { id, amount: 250_000, currency: 'NGN', ...(gateway === 'paystack' ? { reference } : { tx_ref: reference }) };
  const event = gateway === 'paystack' ? 'charge.success' : 'charge.completed';
  const body = JSON.stringify({ event, data: { ...data, status: gateway === 'paystack' ? 'success' : 'successful' } });
  const headers: Record<string, string> =
    gateway === 'paystack'
      ? {
          'x-paystack-signature': createHmac('sha512', keys.secretKey ?? '')
            .update(body)
            .digest('hex'),
        }
      : { 'verif-hash': keys.secretHash ?? '' };
  return { path, body, headers };
}

describe.each(PAIR)('%s', (gateway) => {
  const merchant = () => harness.first;

  test('a genuine webhook triggers a look-up, and the payment succeeds without a verify request', async () => {
    const { paymentId, reference } = await open(merchant(), gateway);
    await harness.gateways.settle(gateway, reference, 'success');
    const { timeline, gatewayReference } = await untilSuccess(paymentId);
    expect(timeline.at(-1)).toMatchObject({ type: 'payment.succeeded', cause: 'gateway_webhook' });
    expect(gatewayReference).toBe(reference);
    const stored = await untilProcessed(reference);
    expect(stored).toMatchObject({ merchantId: merchant().merchantId, gateway, deliveries: 1 });
    expect(await storedUnder(reference)).toHaveLength(1);
  });

  test('delivered twice, it is stored once and counted twice', async () => {
    const { paymentId, reference } = await open(merchant(), gateway);
    await harness.gateways.setFault(gateway, 'duplicate_webhook');
    await harness.gateways.settle(gateway, reference, 'success');
    await untilSuccess(paymentId);
    expect(await untilDelivered(gateway, reference)).toHaveLength(2);
    expect((await storedUnder(reference)).map(({ deliveries }) => deliveries)).toEqual([2]);
    const { timeline } = await rowOf(paymentId);
    expect(timeline.filter(({ type }) => type === 'payment.succeeded')).toHaveLength(1);
  });

  test('a forged one is refused and counted, and changes nothing else', async () => {
    const before = await refusals(merchant().accounts[gateway]);
    await harness.gateways.setFault(gateway, 'forged_webhook');
    const { paymentId, reference } = await open(merchant(), gateway);
    await harness.gateways.settle(gateway, reference, 'abandoned');
    await eventually('the refusals to be counted', async () =>
      (await refusals(merchant().accounts[gateway])) >= before + 2 ? true : null,
    );
    expect(await storedUnder(reference)).toEqual([]);
    const { status, timeline } = await rowOf(paymentId);
    expect([status, timeline.filter(({ toStatus }) => toStatus !== 'INITIATED' && toStatus !== 'PENDING')]).toEqual([
      'PENDING',
      [],
    ]);

    await harness.gateways.settle(gateway, reference, 'success');
    await untilSuccess(paymentId);
  });

  test('one that comes before the customer returns is processed by then', async () => {
    const { paymentId, reference } = await open(merchant(), gateway);
    await harness.gateways.setFault(gateway, 'webhook_before_redirect');
    await harness.gateways.settle(gateway, reference, 'success');
    expect(await storedUnder(reference)).toHaveLength(1);
    await untilSuccess(paymentId);
  });

  test('its content changes nothing by itself: a signed claim about an unpaid reference leaves the payment as it is', async () => {
    const { paymentId, reference } = await open(merchant(), gateway);
    const { path, body, headers } = claim(merchant(), gateway, reference);
    expect((await harness.send('node', 'POST', path, { headers, body })).status).toBe(200);
    await untilProcessed(reference);
    expect((await rowOf(paymentId)).status).toBe('PENDING');
  });

  test('a declined try in a webhook leaves the payment open, and the look-up after its session ended fails it', async () => {
    const { paymentId, reference } = await open(merchant(), gateway);
    await harness.gateways.settle(gateway, reference, 'failed');
    const { path, body, headers } = claim(merchant(), gateway, reference);
    expect((await harness.send('node', 'POST', path, { headers, body })).status).toBe(200);
    await untilProcessed(reference);
    expect((await rowOf(paymentId)).status).toBe('PENDING');
    await endSession(harness.database, paymentId);
    await harness.send('node', 'POST', `/v1/payments/${paymentId}/verify`, { key: merchant().testKey });
    expect(await rowOf(paymentId)).toMatchObject({ status: 'FAILED', failureReason: 'declined' });
  });

  describe.each(MOUNTS)('through the %s mount', (mount) => {
    const deliver = (path: string, headers: Record<string, string>, body: string) =>
      harness.send(mount, 'POST', path, { headers, body });

    test('a replay, however often, counts and does nothing more', async () => {
      const { paymentId, reference } = await open(merchant(), gateway, mount);
      const { path, body, headers } = claim(merchant(), gateway, reference);
      const replies = await Promise.all(Array.from({ length: 20 }, () => deliver(path, headers, body)));
      expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
      expect((await storedUnder(reference)).map(({ deliveries }) => deliveries)).toEqual([20]);
      expect((await rowOf(paymentId)).status).toBe('PENDING');
    });

    test('a delivery that is not genuine is 401 and leaves nothing but a count', async () => {
      const { reference } = await open(merchant(), gateway, mount);
      const { path, body, headers } = claim(merchant(), gateway, reference);
      const [name = '', value = ''] = Object.entries(headers).flat();
      const flipped = `${value.slice(0, -1)}${value.endsWith('0') ? '1' : '0'}`;
      const elsewhere = name === 'verif-hash' ? 'x-paystack-signature' : 'verif-hash';
      const tries: { sent: Record<string, string>; text: string }[] = [
        { sent: {}, text: body },
        { sent: { [name]: '' }, text: body },
        { sent: { [name]: flipped }, text: body },
        { sent: { [name]: `${value}00` }, text: body },
        { sent: { [name]: `${value}, ${value}` }, text: body },
        { sent: { [elsewhere]: value }, text: body },
        { sent: claim(harness.second, gateway, reference).headers, text: body },
      ];
      // Only a signature over the bytes detects that they were changed.
      if (gateway === 'paystack') {
        tries.push({ sent: headers, text: body.replace('NGN', 'USD') }, { sent: headers, text: `${body} ` });
      }
      const before = await refusals(merchant().accounts[gateway]);
      for (const { sent, text } of tries) expect((await deliver(path, sent, text)).status).toBe(401);
      expect(await refusals(merchant().accounts[gateway])).toBe(before + tries.length);
      expect(await storedUnder(reference)).toEqual([]);
    });

    test("an unknown account's address is 404, another method 405, a huge body 413", async () => {
      const { body, headers, path } = claim(merchant(), gateway, 'whatever0');
      const other = PAIR.find((name) => name !== gateway);
      for (const wrong of [`/webhooks/${gateway}/${randomUUID()}`, `/webhooks/${other}/${merchant().accounts[gateway]}`]) {
        expect((await deliver(wrong, headers, body)).status).toBe(404);
      }
      expect((await harness.send(mount, 'GET', path)).status).toBe(405);
      expect((await deliver(path, headers, 'x'.repeat(2_100_000))).status).toBe(413);
    });

    test('a genuine one about an unknown reference is stored', async () => {
      const reference = `nobody${randomInt(1e9)}`;
      const { path, body, headers } = claim(merchant(), gateway, reference);
      expect((await deliver(path, headers, body)).status).toBe(200);
      expect(await storedUnder(reference)).toHaveLength(1);
    });
  });
});

test('while the gateway gives no answer the follow-up is tried again, until it does', async () => {
  const { paymentId, reference } = await open(harness.second, 'paystack');
  await harness.gateways.setFault('paystack', 'http_500');
  await harness.gateways.settle('paystack', reference, 'success');
  await untilDelivered('paystack', reference);
  await eventually('the gateway to be asked in vain', async () =>
    (await harness.gateways.journal('paystack')).calls.find(({ path, status }) => path.includes(reference) && status === 500),
  );
  expect((await rowOf(paymentId)).status).toBe('PENDING');
  await harness.gateways.heal();
  expect((await untilSuccess(paymentId)).timeline.at(-1)).toMatchObject({ cause: 'gateway_webhook' });
});

test('money for an attempt that was given up is not dropped, even when its webhook overtakes our own record', async () => {
  const merchant = await harness.merchant();
  await harness.gateways.setFault('paystack', 'timeout_after_create');
  const body = order();
  const answer = harness.send('node', 'POST', '/v1/payments/initiate', { key: merchant.testKey, body });
  const payment = { merchantOrderId: String(body.merchantOrderId) };
  const { reference } = await eventually('the first attempt', () =>
    harness.database.prisma.attempt.findFirst({ where: { payment } }),
  );
  await eventually('the gateway to have opened a checkout', async () =>
    (await harness.gateways.journal('paystack', reference)).transactions.at(0),
  );
  await harness.gateways.settle('paystack', reference, 'success');
  const { paymentId, recommendedGateway } = readPayment(await answer);
  expect(recommendedGateway.name).toBe('flutterwave');
  await harness.gateways.heal();
  const paid = await eventually('the money to be found', async () =>
    (await rowOf(paymentId)).attempts.find(({ state }) => state === 'PAID'),
  );
  expect([paid.reference, paid.receivedAmount?.toString()]).toEqual([reference, '2500']);
});
