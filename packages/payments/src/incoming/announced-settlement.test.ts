import { createHmac } from 'node:crypto';
import { createTestMerchant, reloadConfiguration } from '@switchyard/runtime/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestPayments, type TestPayments } from '../testing/context.ts';
import { followUpWebhook } from './follow-webhooks.ts';
import { claimWebhooks, readBody } from './queries.ts';
import { receiveGatewayWebhook } from './receive-webhook.ts';

let context: TestPayments;
beforeAll(async () => {
  context = await openTestPayments();
});
afterAll(() => context.close());

test('a webhook of a settlement is stored once, without the customers in it, and handed on with its amount', async () => {
  context.setClock(new Date('2026-11-25T21:00:10Z'));
  const { merchantId, accounts } = await createTestMerchant(context, { 'monnify-main': {} });
  const accountId = accounts['monnify-main'] ?? '';
  const credentials = { apiKey: 'MK_TEST_C0FFEE00C0', secretKey: 'C0FFEE00C0FFEE00C0FFEE00C0FFEE00', contractCode: '4934121686' };
  const sealed = context.resources.vault.seal(JSON.stringify(credentials), `${merchantId}/${accountId}`);
  await context.database.prisma.gatewayAccount.updateMany({
    where: { merchantId, id: accountId },
    data: { credentials: sealed },
  });
  await reloadConfiguration(context, merchantId);
  const eventData = {
    amount: '2462.50',
    settlementTime: '25/11/2026 10:00:04 PM',
    settlementReference: '3ZFWCWFYN8EVEWZKVZQH',
    transactions: [{ paymentReference: 'sw-1', customer: { name: 'Ada Obi', email: 'ada@example.com' } }],
  };
  const body = Buffer.from(JSON.stringify({ eventType: 'SETTLEMENT', eventData }));
  const signature = createHmac('sha512', credentials.secretKey).update(body).digest('hex');
  const delivery = { body, headers: { 'monnify-signature': signature } };
  for (const _ of [1, 2]) {
    expect(await receiveGatewayWebhook(context, { gateway: 'monnify', accountId, delivery })).toEqual({ kind: 'accepted' });
  }
  const stored = await context.database.prisma.gatewayWebhook.findMany({ where: { merchantId } });
  expect(stored).toMatchObject([{ reference: '3ZFWCWFYN8EVEWZKVZQH', event: 'SETTLEMENT', deliveries: 2 }]);
  const [kept = ''] = stored.map(readBody);
  expect(kept).toContain('2462.50');
  expect(kept).not.toContain('Ada');

  const [claimed] = await claimWebhooks(context.database, merchantId, { now: context.now(), leaseMs: 60_000, limit: 10 });
  if (claimed === undefined) throw new Error('the webhook is due');
  await followUpWebhook(context, claimed);
  await followUpWebhook(context, claimed);
  const { rows } = await context.database.pool.query<{ payload: unknown }>(
    `SELECT payload FROM graphile_worker._private_jobs AS job JOIN graphile_worker._private_tasks AS task ON task.id = job.task_id
     WHERE task.identifier = 'store-announced-settlement' AND payload->>'merchantId' = $1`,
    [merchantId],
  );
  const settlement = {
    settlementId: '3ZFWCWFYN8EVEWZKVZQH',
    currency: 'NGN',
    net: '2462.5',
    settledOn: '2026-11-25',
    createdAt: '2026-11-25T21:00:04.000Z',
  };
  expect(rows).toEqual([{ payload: { merchantId, accountId, settlement } }]);
});
