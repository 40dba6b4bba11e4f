import { randomUUID } from 'node:crypto';
import { findLeaks, tables } from '@switchyard/db/testing';
import { updateGateway } from '@switchyard/merchants/console/gateway-accounts';
import { setOverride } from '@switchyard/rule-sets/overrides';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { order, readPayment } from '../harness/contract.ts';
import { startDatabaseProxy } from '../harness/database-proxy.ts';
import { eventually } from '../harness/eventually.ts';
import { PAIR } from '../harness/gateways.ts';
import { type Harness, startHarness } from '../harness/harness.ts';
import { MOUNTS } from '../harness/mounts.ts';

/*
 * Every harness searches its answers, its log and its whole database for the secrets it used when it is closed. Here it is given
 * every occasion to let one slip, and the search itself is put to the test.
 */

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness({ initiateBudgetMs: 2_400 });
});
afterAll(() => harness.close());

const INITIATE = '/v1/payments/initiate';

/** Calls that succeed, fail and break, wherever a secret is in use. */
async function tour(): Promise<void> {
  for (const mount of MOUNTS) {
    for (const fault of ['http_500', 'html_502', 'invalid_key', 'broken_json', 'down'] as const) {
      const merchant = await harness.merchant();
      const { testKey: key, liveKey } = merchant;
      for (const gateway of PAIR) await harness.gateways.setFault(gateway, fault);
      const { paymentId } = readPayment(await harness.send(mount, 'POST', INITIATE, { key, body: order() }));
      await harness.send(mount, 'POST', `/v1/payments/${paymentId}/verify`, { key });
      await harness.send(mount, 'GET', `/v1/payments/${paymentId}`, { key: liveKey });
      await harness.gateways.heal();
    }
    const { testKey: key, accounts, merchantId } = harness.first;
    const body = order();
    const { paymentId, recommendedGateway } = readPayment(
      await harness.send(mount, 'POST', INITIATE, { key, body, headers: { 'idempotency-key': randomUUID() } }),
    );
    await harness.gateways.setFault('paystack', 'forged_webhook');
    await harness.gateways.settle('paystack', recommendedGateway.session?.reference ?? '', 'success');
    await eventually('the payment to succeed', async () => {
      const read = await harness.send(mount, 'GET', `/v1/payments/${paymentId}`, { key });
      return readPayment(read).status === 'SUCCESS' ? true : null;
    });
    await harness.gateways.heal();
    await harness.send(mount, 'POST', INITIATE, { key, body: '{' });
    await harness.send(mount, 'POST', INITIATE, { headers: { authorization: `Basic ${key}` }, body });
    await harness.send(mount, 'POST', INITIATE, { headers: { authorization: `Bearer ${key.slice(0, -1)}` }, body });
    await harness.send(mount, 'GET', `/checkout/${paymentId}/${accounts.paystack}/return?reference=x`);
    const context = harness.switchyard;
    const changes = { credentials: harness.first.gatewayKeys.paystack };
    await updateGateway(context, { merchantId, accountId: accounts.paystack, changes, actor: 'system:test' });
    const override = {
      method: null,
      action: 'drain',
      reason: 'A try.',
      startsAt: null,
      expiresAt: null,
      actor: 'system:test',
    } as const;
    await setOverride(context, { merchantId, accountId: accounts.flutterwave, ...override });

    const databaseProxy = await startDatabaseProxy(harness.database.url);
    const behind = await harness.startWebProcess({ databaseUrl: databaseProxy.url });
    await behind.send(mount, 'GET', `/v1/payments/${paymentId}`, { key });
    await databaseProxy.shut();
    expect((await behind.send(mount, 'POST', INITIATE, { key, body: order() })).status).toBe(503);
    await databaseProxy.open();
  }
}

test('no secret is in any answer, any row of any table, or any line of the log', async () => {
  await tour();
  const heard = harness.output();
  expect(harness.secrets.length).toBeGreaterThan(30 * MOUNTS.length);
  expect(heard.filter((line) => line.includes('"level"')).length).toBeGreaterThan(1);
  expect(await tables(harness.database)).toEqual(
    expect.arrayContaining([
      'public.api_key',
      'public.attempt',
      'public.audit_entry',
      'public.gateway_account',
      'public.payment',
    ]),
  );
  expect(await findLeaks(harness.database, harness.secrets, heard)).toEqual([]);
});

test('the search finds a secret that is there: in an answer, in a row, in base64 and in hexadecimal', async () => {
  const canary = `canary-${randomUUID()}`;
  const { paymentId } = readPayment(
    await harness.send('node', 'POST', INITIATE, { key: harness.second.testKey, body: order({ metadata: { canary } }) }),
  );
  expect(paymentId).not.toBe('');
  const hidden = [canary, Buffer.from(`${canary}`).toString('base64'), Buffer.from(canary).toString('hex')];
  expect(await findLeaks(harness.database, [canary], hidden)).toHaveLength(4);
});
