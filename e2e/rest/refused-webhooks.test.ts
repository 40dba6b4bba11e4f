import { createHmac, randomUUID } from 'node:crypto';
import { NIL_ID } from '@switchyard/db';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PAIR, type PairName } from '../harness/gateways.ts';
import { type Harness, startHarness } from '../harness/harness.ts';
import type { TestMerchant } from '../harness/merchants.ts';
import { MOUNTS } from '../harness/mounts.ts';

const HOUR_MS = 3_600_000;

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness({ worker: false });
});
afterAll(() => harness.close());

const counted = async (where: { accountId: string; why: string }) =>
  (await harness.database.prisma.refusedWebhook.findMany({ where })).reduce((sum, { count }) => sum + count, 0);

/** A genuine delivery about a payment made at some time. */
function delivery({ gatewayKeys, accounts }: TestMerchant, gateway: PairName, at: Date) {
  const { secretKey, secretHash } = gatewayKeys[gateway];
  const time = at.toISOString();
  const names = gateway === 'paystack' ? { reference: randomUUID(), paid_at: time } : { tx_ref: randomUUID(), created_at: time };
  const event = gateway === 'paystack' ? 'charge.success' : 'charge.completed';
  const data = { id: 17, status: gateway === 'paystack' ? 'success' : 'successful', ...names };
  const body = JSON.stringify({ event, data });
  const headers: Record<string, string> =
    gateway === 'paystack'
      ? {
          'x-paystack-signature': createHmac('sha512', secretKey ?? '')
            .update(body)
            .digest('hex'),
        }
      : { 'verif-hash': secretHash ?? '' };
  return { path: `/webhooks/${gateway}/${accounts[gateway]}`, body, headers };
}

describe.each(PAIR)('%s', (gateway) => {
  test('a genuine delivery of what happened more than 96 hours ago is refused and counted, and not stored', async () => {
    const merchant = await harness.merchant();
    const accountId = merchant.accounts[gateway];
    const { path, ...old } = delivery(merchant, gateway, new Date(Date.now() - 97 * HOUR_MS));
    expect((await harness.send('node', 'POST', path, old)).status).toBe(400);
    expect((await harness.send('web', 'POST', path, old)).status).toBe(400);
    expect(await counted({ accountId, why: 'stale' })).toBe(2);
    expect(await harness.database.prisma.gatewayWebhook.count({ where: { accountId } })).toBe(0);
    const { path: _, ...recent } = delivery(merchant, gateway, new Date(Date.now() - 95 * HOUR_MS));
    expect((await harness.send('node', 'POST', path, recent)).status).toBe(200);
    expect((await harness.send('node', 'POST', path, recent)).status).toBe(200);
    expect(await harness.database.prisma.gatewayWebhook.findMany({ where: { accountId } })).toMatchObject([{ deliveries: 2 }]);
  });

  test('deliveries to addresses we never gave out are counted under one id, however many addresses there are', async () => {
    const before = await counted({ accountId: NIL_ID, why: 'unknown_account' });
    const rows = await harness.database.prisma.refusedWebhook.count();
    const wrongGateway = harness.first.accounts[gateway === 'paystack' ? 'flutterwave' : 'paystack'];
    const addresses = [randomUUID(), randomUUID(), 'x', wrongGateway];
    for (const mount of MOUNTS) {
      for (const address of addresses) {
        expect((await harness.send(mount, 'POST', `/webhooks/${gateway}/${address}`, { body: {} })).status).toBe(404);
      }
    }
    expect(await counted({ accountId: NIL_ID, why: 'unknown_account' })).toBe(before + MOUNTS.length * addresses.length);
    expect(await harness.database.prisma.refusedWebhook.count()).toBeLessThanOrEqual(rows + 2);
  });
});
