import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { order, readPayment } from '../harness/contract.ts';
import { startDatabaseProxy } from '../harness/database-proxy.ts';
import { PAIR, type PairName } from '../harness/gateways.ts';
import { type Harness, startHarness } from '../harness/harness.ts';
import type { TestMerchant } from '../harness/merchants.ts';
import { MOUNTS, type Mount } from '../harness/mounts.ts';

let harness: Harness;
beforeAll(async () => {
  // No worker: only the customer's return triggers a look-up.
  harness = await startHarness({ worker: false });
});
afterEach(() => harness.gateways.heal());
afterAll(() => harness.close());

const REDIRECT = 'https://shop.example/thanks?lang=en&paymentId=old#done';

async function open(mount: Mount, merchant: TestMerchant, gateway: PairName, changes: object = { redirectUrl: REDIRECT }) {
  const body = order({ requestedGateway: gateway, ...changes });
  const payment = readPayment(await harness.send(mount, 'POST', '/v1/payments/initiate', { key: merchant.testKey, body }));
  const reference = payment.recommendedGateway.session?.reference ?? '';
  const { transactions } = await harness.gateways.journal(gateway, reference);
  const callback = transactions[0]?.redirectUrl ?? payment.recommendedGateway.session?.metadata.callbackUrl ?? '';
  return { paymentId: payment.paymentId, reference, path: callback.replace(harness.publicUrl, '') };
}

const statusOf = async (paymentId: string) =>
  (await harness.database.prisma.payment.findFirstOrThrow({ where: { id: paymentId } })).status;

/** The query with which each gateway sends its customers back. */
function queryOf(gateway: PairName, reference: string, transactionId = ''): string {
  return gateway === 'paystack'
    ? `trxref=${reference}&reference=${reference}`
    : `status=successful&tx_ref=${reference}&transaction_id=${transactionId}`;
}

describe.each(MOUNTS)('through the %s mount', (mount) => {
  describe.each(PAIR)('a customer who comes back from %s', (gateway) => {
    const merchant = () => (gateway === 'paystack' ? harness.first : harness.second);

    test('having paid is redirected with paymentId, after the payment has succeeded', async () => {
      const { paymentId, reference, path } = await open(mount, merchant(), gateway);
      await harness.gateways.setFault(gateway, 'no_webhook');
      await harness.gateways.settle(gateway, reference, 'success');
      const { transactions } = await harness.gateways.journal(gateway, reference);
      const query = queryOf(gateway, reference, String(transactions[0]?.transactionId));
      const reply = await harness.send(mount, 'GET', `${path}?${query}`);
      expect([reply.status, reply.headers.location, reply.text]).toEqual([
        303,
        `https://shop.example/thanks?lang=en&paymentId=${paymentId}#done`,
        '',
      ]);
      expect(reply.headers).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' });
      expect(await statusOf(paymentId)).toBe('SUCCESS');
      const [{ cause } = { cause: '' }] = await harness.database.prisma.timelineEvent.findMany({
        where: { paymentId, toStatus: 'SUCCESS' },
      });
      expect(cause).toBe('checkout_return');

      const again = await harness.send(mount, 'GET', `${path}?${query}`);
      expect([again.status, again.headers.location]).toEqual([303, reply.headers.location]);
    });

    test('having cancelled is sent on just so, and the payment stays open', async () => {
      const { paymentId, reference, path } = await open(mount, merchant(), gateway);
      await harness.gateways.settle(gateway, reference, 'abandoned');
      const reply = await harness.send(mount, 'GET', `${path}?status=cancelled&tx_ref=${reference}&reference=${reference}`);
      expect([reply.status, reply.headers.location]).toEqual([
        303,
        `https://shop.example/thanks?lang=en&paymentId=${paymentId}#done`,
      ]);
      expect(await statusOf(paymentId)).toBe('PENDING');
    });

    test("with another payment's transaction in the query proves nothing", async () => {
      const paid = await open(mount, merchant(), gateway);
      const unpaid = await open(mount, merchant(), gateway);
      await harness.gateways.settle(gateway, paid.reference, 'success');
      const { transactions } = await harness.gateways.journal(gateway, paid.reference);
      const query = queryOf(gateway, paid.reference, String(transactions[0]?.transactionId));
      expect((await harness.send(mount, 'GET', `${unpaid.path}?${query}`)).status).toBe(303);
      expect(await statusOf(unpaid.paymentId)).toBe('PENDING');
    });

    test.each(['down', 'http_500', 'broken_json', 'invalid_key'] as const)(
      'while the gateway is %s is sent on unverified',
      async (fault) => {
        const { paymentId, reference, path } = await open(mount, merchant(), gateway);
        await harness.gateways.settle(gateway, reference, 'success');
        await harness.gateways.setFault(gateway, fault);
        const reply = await harness.send(mount, 'GET', `${path}?${queryOf(gateway, reference)}`);
        expect([reply.status, await statusOf(paymentId)]).toEqual([303, 'PENDING']);
      },
    );
  });

  test('no address of the merchant for the payment: the one from the dashboard, else our result page', async () => {
    const merchant = await harness.merchant({ defaultRedirectUrl: 'https://adaeze.example/orders?shop=1' });
    const own = await open(mount, merchant, 'paystack', {});
    expect((await harness.send(mount, 'GET', own.path)).headers.location).toBe(
      `https://adaeze.example/orders?shop=1&paymentId=${own.paymentId}`,
    );
    const none = await open(mount, harness.first, 'paystack', {});
    expect((await harness.send(mount, 'GET', none.path)).headers.location).toBe(
      `${harness.publicUrl}/checkout/${none.paymentId}/${harness.first.accounts.paystack}`,
    );
  });

  test('an address beyond ASCII is one that a header can hold', async () => {
    const { paymentId, path } = await open(mount, harness.first, 'paystack', {
      redirectUrl: 'https://shop.example/谢谢?für=1#ü',
    });
    const reply = await harness.send(mount, 'GET', path);
    expect([reply.status, reply.headers.location]).toEqual([
      303,
      `https://shop.example/%E8%B0%A2%E8%B0%A2?f%C3%BCr=1&paymentId=${paymentId}#%C3%BC`,
    ]);
  });

  test('an address that belongs to no payment is 404, the same answer for each', async () => {
    const { paymentId } = await open(mount, harness.first, 'paystack');
    const bodies = new Set<string>();
    for (const path of [
      `/checkout/${randomUUID()}/${harness.first.accounts.paystack}/return`,
      `/checkout/${paymentId}/${harness.second.accounts.paystack}/return`,
      `/checkout/${paymentId}/${randomUUID()}/return`,
      `/checkout/${paymentId}/nobody/return`,
      `/checkout/nothing/${harness.first.accounts.paystack}/return`,
    ]) {
      const reply = await harness.send(mount, 'GET', path);
      expect([reply.status, reply.headers.location]).toEqual([404, undefined]);
      bodies.add(reply.text);
    }
    expect(bodies.size).toBe(1);
  });

  test('while the database is unavailable the customer is asked to retry', async () => {
    const { path } = await open(mount, harness.first, 'paystack');
    const databaseProxy = await startDatabaseProxy(harness.database.url);
    const behind = await harness.startWebProcess({ databaseUrl: databaseProxy.url });
    await behind.send(mount, 'GET', '/api/health');
    await databaseProxy.shut();
    const reply = await behind.send(mount, 'GET', path);
    expect([reply.status, reply.headers.location]).toEqual([503, undefined]);
    expect(reply.text).toMatch(/Your payment is safe/);
    await databaseProxy.open();
    expect((await behind.send(mount, 'GET', path)).status).toBe(303);
  });
});

test('a customer whose gateway never answers is redirected', async () => {
  const visits = await Promise.all(
    PAIR.flatMap((gateway) => MOUNTS.map(async (mount) => ({ mount, ...(await open(mount, harness.first, gateway)) }))),
  );
  for (const gateway of PAIR) await harness.gateways.setFault(gateway, 'hang');
  const replies = await Promise.all(visits.map(({ mount, path }) => harness.send(mount, 'GET', path)));
  expect(replies.map(({ status }) => status)).toEqual(Array.from({ length: 2 * MOUNTS.length }, () => 303));
});
