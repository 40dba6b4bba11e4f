import { randomUUID } from 'node:crypto';
import { updateGateway } from '@switchyard/merchants/console';
import { setOverride } from '@switchyard/rule-sets';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readPayment } from '../harness/contract.ts';
import { databaseDoor } from '../harness/database-proxy.ts';
import { eventually } from '../harness/eventually.ts';
import { GATEWAYS } from '../harness/gateways.ts';
import { type House, startHouse } from '../harness/harness.ts';
import { findLeaks, tables } from '../harness/leaks.ts';
import { MOUNTS } from '../harness/mounts.ts';
import { order } from '../harness/orders.ts';

/*
 * Every house searches its answers, its log and its whole database for the secrets it used when it is closed. Here it is given
 * every occasion to let one slip, and the search itself is put to the test.
 */

let house: House;
beforeAll(async () => {
  house = await startHouse({ initiateBudgetMs: 2_400 });
});
afterAll(() => house.close());

const INITIATE = '/v1/payments/initiate';

/** Calls that go well, go wrong and break, everywhere a secret is at hand. */
async function tour(): Promise<void> {
  for (const mount of MOUNTS) {
    for (const fault of ['http_500', 'html_502', 'invalid_key', 'broken_json', 'down'] as const) {
      const merchant = await house.merchant();
      const { testKey: key, liveKey } = merchant;
      for (const gateway of GATEWAYS) await house.gateways.setFault(gateway, fault);
      const { paymentId } = readPayment(await house.send(mount, 'POST', INITIATE, { key, body: order() }));
      await house.send(mount, 'POST', `/v1/payments/${paymentId}/verify`, { key });
      await house.send(mount, 'GET', `/v1/payments/${paymentId}`, { key: liveKey });
      await house.gateways.heal();
    }
    const { testKey: key, accounts, merchantId } = house.first;
    const body = order();
    const { paymentId, recommendedGateway } = readPayment(
      await house.send(mount, 'POST', INITIATE, { key, body, headers: { 'idempotency-key': randomUUID() } }),
    );
    await house.gateways.setFault('paystack', 'forged_webhook');
    await house.gateways.settle('paystack', recommendedGateway.session?.reference ?? '', 'success');
    await eventually('the payment to succeed', async () => {
      const read = await house.send(mount, 'GET', `/v1/payments/${paymentId}`, { key });
      return readPayment(read).status === 'SUCCESS' ? true : null;
    });
    await house.gateways.heal();
    await house.send(mount, 'POST', INITIATE, { key, body: '{' });
    await house.send(mount, 'POST', INITIATE, { headers: { authorization: `Basic ${key}` }, body });
    await house.send(mount, 'POST', INITIATE, { headers: { authorization: `Bearer ${key.slice(0, -1)}` }, body });
    await house.send(mount, 'GET', `/checkout/${paymentId}/${accounts.paystack}/return?reference=x`);
    const context = house.switchyard.merchants;
    const changes = { credentials: { secretKey: house.first.gatewayKeys.paystack.secretKey } };
    await updateGateway(context, { merchantId, accountId: accounts.paystack, changes, actor: 'system:test' });
    const override = { method: null, action: 'drain', reason: 'A try.', expiresAt: null, actor: 'system:test' } as const;
    await setOverride(context, { merchantId, accountId: accounts.flutterwave, ...override });

    const door = await databaseDoor(house.database.url);
    const behind = await house.beside({ databaseUrl: door.url });
    await behind.send(mount, 'GET', `/v1/payments/${paymentId}`, { key });
    await door.shut();
    expect((await behind.send(mount, 'POST', INITIATE, { key, body: order() })).status).toBe(503);
    await door.open();
  }
}

test('no secret is in any answer, any row of any table, or any line of the log', async () => {
  await tour();
  const heard = house.heard();
  expect(house.secrets.length).toBeGreaterThan(50);
  expect(heard.filter((line) => line.includes('"level"')).length).toBeGreaterThan(1);
  expect(await tables(house.database)).toEqual(
    expect.arrayContaining([
      'public.api_key',
      'public.attempt',
      'public.audit_entry',
      'public.gateway_account',
      'public.payment',
    ]),
  );
  expect(await findLeaks(house.database, house.secrets, heard)).toEqual([]);
});

test('the search finds a secret that is there: in an answer, in a row, in base64 and in hexadecimal', async () => {
  const canary = `canary-${randomUUID()}`;
  const { paymentId } = readPayment(
    await house.send('node', 'POST', INITIATE, { key: house.second.testKey, body: order({ metadata: { canary } }) }),
  );
  expect(paymentId).not.toBe('');
  const hidden = [canary, Buffer.from(`${canary}`).toString('base64'), Buffer.from(canary).toString('hex')];
  expect(await findLeaks(house.database, [canary], hidden)).toHaveLength(4);
});
