import { newId } from '@switchyard/db';
import { createTestMerchant } from '@switchyard/runtime/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestPayments, recordPayment, type TestPayments } from '../testing/index.ts';
import { findCardOrigin } from './attempt-queries.ts';

let context: TestPayments;
beforeAll(async () => {
  context = await openTestPayments();
});
afterAll(() => context.close());

test('a card is from where the event of its payment says, and of other payments, accounts and merchants nothing is known', async () => {
  const { merchantId, accounts } = await createTestMerchant(context, { 'paystack-main': { fees: null } });
  const accountId = accounts['paystack-main'] ?? '';
  const { prisma } = context.database;
  const originOf = async (detail: Record<string, string>, currency = 'NGN') => {
    const { paymentId } = await recordPayment(context, merchantId, { createdAt: context.now(), status: 'SUCCESS' });
    await prisma.payment.update({ where: { merchantId_id: { merchantId, id: paymentId } }, data: { currency } });
    const event = { type: 'payment.succeeded', cause: 'gateway_webhook', detail, createdAt: context.now() };
    await prisma.timelineEvent.create({ data: { merchantId, id: newId(), paymentId, ...event } });
    const { reference } = await prisma.attempt.findFirstOrThrow({ where: { merchantId, paymentId } });
    return { reference, origin: await findCardOrigin(context.database, { merchantId, accountId, reference }) };
  };
  const { reference, origin } = await originOf({ amount: '2500', cardCountry: 'GB' });
  expect(origin).toBe('international');
  expect((await originOf({ amount: '2500', cardCountry: 'NG' })).origin).toBe('local');
  expect((await originOf({ amount: '2500' })).origin).toBeNull();
  expect((await originOf({ amount: '2500', cardCountry: 'KE' }, 'KES')).origin).toBeNull();
  expect(await findCardOrigin(context.database, { merchantId, accountId: newId(), reference })).toBeNull();
  expect(await findCardOrigin(context.database, { merchantId: newId(), accountId, reference })).toBeNull();
});
