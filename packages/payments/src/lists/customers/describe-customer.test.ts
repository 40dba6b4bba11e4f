import { createTestMerchant } from '@switchyard/runtime/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openTestPayments, type TestPayments } from '../../testing/context.ts';
import { type PastPaymentOptions, recordPayment } from '../../testing/past.ts';
import { describeCustomer, summariseCustomer } from './describe-customer.ts';

let context: TestPayments;
let merchantId: string;
let accountId: string;

beforeAll(async () => {
  context = await openTestPayments();
});
beforeEach(async () => {
  const merchant = await createTestMerchant(context, { 'paystack-main': {}, 'flutterwave-main': {} });
  merchantId = merchant.merchantId;
  accountId = merchant.accounts['paystack-main'] ?? '';
});
afterAll(() => context.close());

const ADA = { customerEmail: 'Ada@Example.com', customerPhone: '0803 555 0199', customerId: 'C-7' };
const DAY_MS = 86_400_000;

/** A payment of a customer, some days ago. */
async function pay(daysAgo: number, customer: Partial<typeof ADA>, options: PastPaymentOptions = {}): Promise<string> {
  const createdAt = new Date(context.now().getTime() - daysAgo * DAY_MS);
  const { paymentId } = await recordPayment(context, merchantId, { status: 'SUCCESS', createdAt, ...options });
  const none = { customerEmail: 'other@example.com', customerPhone: null, customerId: null };
  await context.database.prisma.payment.update({
    where: { merchantId_id: { merchantId, id: paymentId } },
    data: { ...none, ...customer },
  });
  return paymentId;
}

const describeBy = (paymentId: string, match: 'any' | 'email' | 'phone' | 'id' = 'any', merchantIds = [merchantId]) =>
  describeCustomer(context.database, { merchantIds, paymentId, match });

async function found(...of: Parameters<typeof describeBy>) {
  const customer = await describeBy(...of);
  if (customer?.kind !== 'found') throw new Error(`${customer?.kind}`);
  return customer;
}

const idsOf = (rows: readonly { readonly paymentId: string }[]) => rows.map(({ paymentId }) => paymentId);

describe('a customer', () => {
  test('has the payments of any identifier of the payment that names them, in any spelling, newest first', async () => {
    const [first, second, third, fourth] = [
      await pay(4, { ...ADA }),
      await pay(3, { customerEmail: 'ADA@example.COM' }),
      await pay(2, { customerPhone: '+234 803 555 0199' }),
      await pay(1, { customerId: 'C-7' }),
    ];
    await pay(1, { customerPhone: '+1 803 555 0199' });
    await pay(1, { customerEmail: 'ada@example.com.ng', customerId: 'C-77' });
    expect(idsOf((await found(first)).payments)).toEqual([fourth, third, second, first]);
    expect(idsOf((await found(first, 'email')).payments)).toEqual([second, first]);
    expect(idsOf((await found(first, 'phone')).payments)).toEqual([third, first]);
    expect(idsOf((await found(first, 'id')).payments)).toEqual([fourth, first]);
    // It has no phone number: all that it has.
    expect(idsOf((await found(second, 'phone')).payments)).toEqual([second, first]);
    expect((await found(first)).identifiers).toEqual({
      emails: expect.arrayContaining(['Ada@Example.com', 'ADA@example.COM', 'other@example.com']),
      phones: expect.arrayContaining(['+234 803 555 0199', '0803 555 0199']),
      customerIds: ['C-7'],
    });
  });

  test('is one of a merchant and a mode', async () => {
    const own = await pay(1, { ...ADA });
    const before = merchantId;
    merchantId = (await createTestMerchant(context, { 'paystack-main': {} })).merchantId;
    const theirs = await pay(1, { ...ADA });
    expect(idsOf((await found(own, 'any', [before])).payments)).toEqual([own]);
    expect(idsOf((await found(theirs, 'any', [before, merchantId])).payments)).toEqual([theirs]);
    expect(await describeBy(theirs, 'any', [before])).toBeNull();
    expect(await describeBy('ada@example.com')).toBeNull();
    const other = { merchantId, email: ADA.customerEmail, phone: null, customerId: null };
    expect(await summariseCustomer(context.database, { ...other, mode: 'live' })).toBeNull();
    expect(await summariseCustomer(context.database, { ...other, mode: 'test' })).toMatchObject({ paymentIds: [theirs] });
  });

  test('has totals by currency, and when they were first and last seen', async () => {
    const first = await pay(9, { ...ADA }, { amount: 2_500 });
    await pay(5, { ...ADA }, { amount: 700, status: 'FAILED' });
    const refunded = await pay(3, { ...ADA }, { amount: 1_000 });
    const abroad = await pay(1, { ...ADA }, { amount: 40 });
    const { prisma } = context.database;
    const key = (id: string) => ({ merchantId_id: { merchantId, id } });
    await prisma.payment.update({
      where: key(refunded),
      data: { status: 'REFUNDED', refundedAmount: 1_000n, reversedAmount: '0.5' },
    });
    await prisma.payment.update({ where: key(abroad), data: { currency: 'USD' } });
    const { totals, firstSeenAt, lastSeenAt, isCut, paymentCount } = await found(abroad);
    const counts = { payments: 3, paid: 2, failed: 1 };
    const none = { refundedAmount: 0n, reversedAmount: '0' };
    expect(totals).toEqual([
      { currency: 'NGN', ...counts, paidAmount: 3_500n, refundedAmount: 1_000n, reversedAmount: '0.5' },
      { currency: 'USD', payments: 1, paid: 1, failed: 0, paidAmount: 40n, ...none },
    ]);
    expect([isCut, paymentCount]).toEqual([false, 4]);
    const ago = (days: number) => new Date(context.now().getTime() - days * DAY_MS);
    expect([firstSeenAt, lastSeenAt]).toEqual([ago(9), ago(1)]);
    expect((await found(first)).lastSeenAt).toEqual(ago(1));
  });

  test('has failed payments and attempts that opened no checkout, with the reason of each', async () => {
    const { prisma } = context.database;
    const declined = await pay(3, { ...ADA }, { status: 'FAILED' });
    const fellBack = await pay(2, { ...ADA }, { fellBack: true });
    const nowhere = await pay(1, { ...ADA }, { status: 'FAILED', fellBack: true });
    await prisma.payment.update({ where: { merchantId_id: { merchantId, id: declined } }, data: { failureReason: 'declined' } });
    await prisma.payment.update({
      where: { merchantId_id: { merchantId, id: nowhere } },
      data: { failureReason: 'every_gateway_failed' },
    });
    const event = { type: 'payment.failed', toStatus: 'FAILED', cause: 'schedule', createdAt: context.now() } as const;
    const detail = { message: 'Insufficient funds' };
    await prisma.timelineEvent.create({ data: { merchantId, id: context.newId(), paymentId: declined, ...event, detail } });
    const { tries } = await found(declined);
    const shown = tries.map(({ paymentId, kind, failureReason, failureClass, message }) => [
      paymentId,
      kind,
      failureReason ?? failureClass,
      message,
    ]);
    expect(shown).toEqual([
      [nowhere, 'attempt', 'provider_fault', 'No answer in time.'],
      [fellBack, 'attempt', 'provider_fault', 'No answer in time.'],
      [declined, 'payment', 'declined', 'Insufficient funds'],
    ]);
  });

  test('has refunds, disputes and the last four digits of cards', async () => {
    const { prisma } = context.database;
    const paymentId = await pay(1, { ...ADA });
    const attempt = await prisma.attempt.findFirstOrThrow({ where: { merchantId, paymentId } });
    const at = context.now();
    const of = {
      merchantId,
      mode: 'test',
      paymentId,
      attemptId: attempt.id,
      accountId,
      gateway: 'paystack',
      createdAt: at,
      updatedAt: at,
    } as const;
    const refundId = context.newId();
    const refund = {
      amount: 500n,
      currency: 'NGN',
      state: 'SUCCEEDED',
      reference: refundId,
      transactionId: 't',
      requestedBy: 'api',
    } as const;
    await prisma.refund.create({ data: { ...of, id: refundId, ...refund } });
    const disputeId = context.newId();
    const dispute = { gatewayDisputeId: 'd', state: 'NEEDS_RESPONSE', amount: '2500.50', currency: 'NGN', openedAt: at } as const;
    await prisma.dispute.create({ data: { ...of, id: disputeId, ...dispute } });
    const event = { type: 'payment.succeeded', toStatus: 'SUCCESS', cause: 'schedule', createdAt: at } as const;
    await prisma.timelineEvent.create({
      data: { merchantId, id: context.newId(), paymentId, ...event, detail: { cardLast4: '4081' } },
    });
    const customer = await found(paymentId);
    expect(customer.refunds).toMatchObject([{ refundId, paymentId, amount: 500n, state: 'SUCCEEDED' }]);
    expect(customer.disputes).toMatchObject([{ disputeId, paymentId, amount: '2500.5', state: 'NEEDS_RESPONSE' }]);
    expect(customer.payments).toMatchObject([{ paymentId, cardLast4: '4081', gateway: 'paystack', amount: 2_500n }]);
  });

  test('who was erased is no one any more, and their payments are no one else’s', async () => {
    const [gone, kept] = [await pay(2, { ...ADA }), await pay(1, { ...ADA })];
    const erasedAt = context.now();
    const erased = {
      customerEmail: 'erased@customer.invalid',
      customerPhone: null,
      customerId: null,
      customerErasedAt: erasedAt,
    };
    await context.database.prisma.payment.update({ where: { merchantId_id: { merchantId, id: gone } }, data: erased });
    expect(await describeBy(gone)).toEqual({ kind: 'erased', merchantId, mode: 'test', erasedAt });
    expect(idsOf((await found(kept)).payments)).toEqual([kept]);
    const none = { merchantId, mode: 'test', phone: null, customerId: null } as const;
    expect(await summariseCustomer(context.database, { ...none, email: 'erased@customer.invalid' })).toBeNull();
  });
});
