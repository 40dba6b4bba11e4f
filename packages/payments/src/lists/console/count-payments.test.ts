import { createTestMerchant } from '@switchyard/runtime/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestPayments, type TestPayments } from '../../testing/context.ts';
import { recordPayment } from '../../testing/past.ts';
import { countDirectPayments } from './count-payments.ts';

const HOUR_MS = 3_600_000;

let context: TestPayments;
beforeAll(async () => {
  context = await openTestPayments();
});
afterAll(() => context.close());

test('payments that gateways report and no attempt has are counted once each, by account, merchant, mode and time', async () => {
  const merchant = await createTestMerchant(context, { 'paystack-main': {} });
  const other = await createTestMerchant(context, { 'paystack-main': {} });
  const { paymentId } = await recordPayment(context, merchant.merchantId);
  const { prisma } = context.database;
  const attempt = await prisma.attempt.findFirstOrThrow({ where: { paymentId } });
  const { accountId } = attempt;
  const now = context.now();
  const receive = (merchantId: string, account: string, reference: string | null, hoursAgo: number) =>
    prisma.gatewayWebhook.create({
      data: {
        merchantId,
        id: context.newId(),
        accountId: account,
        gateway: 'paystack',
        dedupeKey: context.newId(),
        event: 'charge.success',
        reference,
        state: 'IGNORED',
        receivedAt: new Date(now.getTime() - hoursAgo * HOUR_MS),
      },
    });
  await receive(merchant.merchantId, accountId, attempt.reference, 1);
  await receive(merchant.merchantId, accountId, null, 1);
  await receive(merchant.merchantId, accountId, 'direct-1', 1);
  await receive(merchant.merchantId, accountId, 'direct-1', 3);
  await receive(merchant.merchantId, accountId, 'direct-2', 2);
  await receive(merchant.merchantId, accountId, 'direct-3', 49);
  const { id: others } = await prisma.gatewayAccount.findFirstOrThrow({ where: { merchantId: other.merchantId } });
  await receive(other.merchantId, others, 'direct-1', 1);

  const since = new Date(now.getTime() - 48 * HOUR_MS);
  const count = (merchantIds: readonly string[], mode: 'test' | 'live') =>
    countDirectPayments(context, { merchantIds, mode, since });
  const lastAt = new Date(now.getTime() - HOUR_MS);
  expect(await count([merchant.merchantId], 'test')).toEqual([
    { merchantId: merchant.merchantId, accountId, references: 2, lastAt },
  ]);
  expect(await count([merchant.merchantId, other.merchantId], 'test')).toHaveLength(2);
  expect(await count([merchant.merchantId], 'live')).toEqual([]);
});
