import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { readPayment } from '../harness/contract.ts';
import { databaseDoor } from '../harness/database-proxy.ts';
import { GATEWAYS, type GatewayName } from '../harness/gateways.ts';
import { type House, startHouse } from '../harness/harness.ts';
import type { HouseMerchant } from '../harness/merchants.ts';
import { MOUNTS, type Mount } from '../harness/mounts.ts';
import { order } from '../harness/orders.ts';

let house: House;
beforeAll(async () => {
  // No worker: here nobody but the returning customer makes us ask.
  house = await startHouse({ worker: false });
});
afterEach(() => house.gateways.heal());
afterAll(() => house.close());

const REDIRECT = 'https://shop.example/thanks?lang=en&paymentId=old#done';
/** Most time a customer may be kept waiting. */
const WAIT_MAX_MS = 5_000;

async function open(mount: Mount, merchant: HouseMerchant, gateway: GatewayName, changes: object = { redirectUrl: REDIRECT }) {
  const body = order({ requestedGateway: gateway, ...changes });
  const payment = readPayment(await house.send(mount, 'POST', '/v1/payments/initiate', { key: merchant.testKey, body }));
  const reference = payment.recommendedGateway.session?.reference ?? '';
  const { transactions } = await house.gateways.journal(gateway, reference);
  const callback = transactions[0]?.redirectUrl ?? payment.recommendedGateway.session?.metadata.callbackUrl ?? '';
  return { paymentId: payment.paymentId, reference, path: callback.replace(house.publicUrl, '') };
}

const statusOf = async (paymentId: string) =>
  (await house.database.prisma.payment.findFirstOrThrow({ where: { id: paymentId } })).status;

/** The query with which each gateway sends its customers back. */
function queryOf(gateway: GatewayName, reference: string, transactionId = ''): string {
  return gateway === 'paystack'
    ? `trxref=${reference}&reference=${reference}`
    : `status=successful&tx_ref=${reference}&transaction_id=${transactionId}`;
}

describe.each(MOUNTS)('through the %s mount', (mount) => {
  describe.each(GATEWAYS)('a customer who comes back from %s', (gateway) => {
    const merchant = () => (gateway === 'paystack' ? house.first : house.second);

    test('having paid is sent on with paymentId, and the payment has succeeded by then', async () => {
      const { paymentId, reference, path } = await open(mount, merchant(), gateway);
      await house.gateways.setFault(gateway, 'no_webhook');
      await house.gateways.settle(gateway, reference, 'success');
      const { transactions } = await house.gateways.journal(gateway, reference);
      const query = queryOf(gateway, reference, String(transactions[0]?.transactionId));
      const reply = await house.send(mount, 'GET', `${path}?${query}`);
      expect([reply.status, reply.headers.location, reply.text]).toEqual([
        303,
        `https://shop.example/thanks?lang=en&paymentId=${paymentId}#done`,
        '',
      ]);
      expect(reply.headers).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' });
      expect(await statusOf(paymentId)).toBe('SUCCESS');
      const [{ cause } = { cause: '' }] = await house.database.prisma.timelineEvent.findMany({
        where: { paymentId, toStatus: 'SUCCESS' },
      });
      expect(cause).toBe('checkout_return');

      const again = await house.send(mount, 'GET', `${path}?${query}`);
      expect([again.status, again.headers.location]).toEqual([303, reply.headers.location]);
    });

    test('having cancelled is sent on just so, and the payment stays open', async () => {
      const { paymentId, reference, path } = await open(mount, merchant(), gateway);
      await house.gateways.settle(gateway, reference, 'abandoned');
      const reply = await house.send(mount, 'GET', `${path}?status=cancelled&tx_ref=${reference}&reference=${reference}`);
      expect([reply.status, reply.headers.location]).toEqual([
        303,
        `https://shop.example/thanks?lang=en&paymentId=${paymentId}#done`,
      ]);
      expect(await statusOf(paymentId)).toBe('PENDING');
    });

    test("with another payment's transaction in the query proves nothing", async () => {
      const [paid, unpaid] = [await open(mount, merchant(), gateway), await open(mount, merchant(), gateway)];
      await house.gateways.settle(gateway, paid.reference, 'success');
      const { transactions } = await house.gateways.journal(gateway, paid.reference);
      const query = queryOf(gateway, paid.reference, String(transactions[0]?.transactionId));
      expect((await house.send(mount, 'GET', `${unpaid.path}?${query}`)).status).toBe(303);
      expect(await statusOf(unpaid.paymentId)).toBe('PENDING');
    });

    test.each(['down', 'http_500', 'broken_json', 'invalid_key'] as const)(
      'while the gateway is %s is sent on unverified',
      async (fault) => {
        const { paymentId, reference, path } = await open(mount, merchant(), gateway);
        await house.gateways.settle(gateway, reference, 'success');
        await house.gateways.setFault(gateway, fault);
        const reply = await house.send(mount, 'GET', `${path}?${queryOf(gateway, reference)}`);
        expect([reply.status, await statusOf(paymentId)]).toEqual([303, 'PENDING']);
      },
    );
  });

  test('no address of the merchant for the payment: the one from the dashboard, else our result page', async () => {
    const merchant = await house.merchant({ defaultRedirectUrl: 'https://adaeze.example/orders?shop=1' });
    const own = await open(mount, merchant, 'paystack', {});
    expect((await house.send(mount, 'GET', own.path)).headers.location).toBe(
      `https://adaeze.example/orders?shop=1&paymentId=${own.paymentId}`,
    );
    const none = await open(mount, house.first, 'paystack', {});
    expect((await house.send(mount, 'GET', none.path)).headers.location).toBe(
      `${house.publicUrl}/checkout/${none.paymentId}/${house.first.accounts.paystack}`,
    );
  });

  test('an address beyond ASCII is one that a header can hold', async () => {
    const { paymentId, path } = await open(mount, house.first, 'paystack', { redirectUrl: 'https://shop.example/谢谢?für=1#ü' });
    const reply = await house.send(mount, 'GET', path);
    expect([reply.status, reply.headers.location]).toEqual([
      303,
      `https://shop.example/%E8%B0%A2%E8%B0%A2?f%C3%BCr=1&paymentId=${paymentId}#%C3%BC`,
    ]);
  });

  test('an address we never gave out is 404: nothing can be learnt from it', async () => {
    const { paymentId } = await open(mount, house.first, 'paystack');
    const bodies = new Set<string>();
    for (const path of [
      `/checkout/${randomUUID()}/${house.first.accounts.paystack}/return`,
      `/checkout/${paymentId}/${house.second.accounts.paystack}/return`,
      `/checkout/${paymentId}/${randomUUID()}/return`,
      `/checkout/${paymentId}/nobody/return`,
      `/checkout/nothing/${house.first.accounts.paystack}/return`,
    ]) {
      const reply = await house.send(mount, 'GET', path);
      expect([reply.status, reply.headers.location]).toEqual([404, undefined]);
      bodies.add(reply.text);
    }
    expect(bodies.size).toBe(1);
  });

  test('while the database is away the customer is asked to come again', async () => {
    const { path } = await open(mount, house.first, 'paystack');
    const door = await databaseDoor(house.database.url);
    const behind = await house.beside({ databaseUrl: door.url });
    await behind.send(mount, 'GET', '/api/health');
    await door.shut();
    const reply = await behind.send(mount, 'GET', path);
    expect([reply.status, reply.headers.location]).toEqual([503, undefined]);
    expect(reply.text).toMatch(/Your payment is safe/);
    await door.open();
    expect((await behind.send(mount, 'GET', path)).status).toBe(303);
  });
});

test('a customer is kept waiting 5 seconds at most while gateways say nothing, and is sent on', async () => {
  const visits = await Promise.all(
    GATEWAYS.flatMap((gateway) => MOUNTS.map(async (mount) => ({ mount, ...(await open(mount, house.first, gateway)) }))),
  );
  for (const gateway of GATEWAYS) await house.gateways.setFault(gateway, 'hang');
  const began = performance.now();
  const replies = await Promise.all(visits.map(({ mount, path }) => house.send(mount, 'GET', path)));
  expect(performance.now() - began).toBeLessThan(WAIT_MAX_MS + 500);
  expect(replies.map(({ status }) => status)).toEqual([303, 303, 303, 303]);
});
