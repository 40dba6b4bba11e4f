import { createTestMerchant, type TestMerchant } from '@switchyard/runtime/testing';
import { readEventBody } from '@switchyard/webhooks/events/packed';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openTestPayments, type TestPayments } from '../../testing/context.ts';
import { recordPayment } from '../../testing/past.ts';
import { announceRepeatedPayments, listUnresolvedRepeats } from './repeated-payments.ts';

const START = new Date('2026-11-20T14:00:00Z');
const after = (minutes: number) => new Date(START.getTime() + minutes * 60_000);
const SESSION_MINUTES = 30;

let context: TestPayments;
let merchant: TestMerchant;

beforeAll(async () => {
  context = await openTestPayments();
});
afterAll(() => context.close());
beforeEach(async () => {
  context.setClock(after(20));
  merchant = await createTestMerchant(context, { 'paystack-main': {} });
});

interface Paid {
  readonly begunAt: number;
  /** Minutes after the start at which we found it paid. */
  readonly paidAt: number;
  readonly amount?: number;
  readonly email?: string;
  readonly customerId?: string;
  readonly phone?: string;
  readonly erased?: boolean;
}

/** Records a paid payment and the event of it. */
async function pay({ begunAt, paidAt, amount = 2_500, email = 'ada@example.com', ...customer }: Paid) {
  const { merchantId } = merchant;
  const createdAt = after(begunAt);
  const { paymentId } = await recordPayment(context, merchantId, { status: 'SUCCESS', createdAt, amount });
  const { prisma } = context.database;
  const { merchantOrderId } = await prisma.payment.update({
    where: { merchantId_id: { merchantId, id: paymentId } },
    data: {
      customerEmail: email,
      customerId: customer.customerId ?? null,
      customerPhone: customer.phone ?? null,
      customerErasedAt: customer.erased === true ? after(paidAt) : null,
      expiresAt: after(begunAt + SESSION_MINUTES),
      statusChangedAt: after(paidAt),
    },
  });
  const event = {
    type: 'payment.succeeded',
    mode: 'test',
    position: 2,
    packedBody: new Uint8Array(),
    createdAt: after(paidAt),
  } as const;
  await prisma.merchantEvent.create({ data: { ...event, merchantId, id: context.newId(), paymentId } });
  return { paymentId, merchantOrderId };
}

const announced = () =>
  context.database.prisma.merchantEvent.findMany({ where: { merchantId: merchant.merchantId, type: 'payment.repeated' } });
const unresolved = () => listUnresolvedRepeats(context.database, [merchant.merchantId], context.now());

test('an order that was paid again by a new payment is told to merchant and staff, once', async () => {
  const first = await pay({ begunAt: 0, paidAt: 12, email: 'Ada@example.com' });
  const second = await pay({ begunAt: 5, paidAt: 8 });
  await announceRepeatedPayments(context, START);
  await announceRepeatedPayments(context, START);
  const [event, ...others] = await announced();
  expect(others).toEqual([]);
  expect(JSON.parse(event === undefined ? '' : readEventBody(event))).toMatchObject({
    id: event?.id,
    type: 'payment.repeated',
    data: { paymentId: second.paymentId, merchantOrderId: second.merchantOrderId, status: 'SUCCESS', repeats: first },
  });
  const timeline = await context.database.prisma.timelineEvent.findMany({ where: { paymentId: second.paymentId } });
  expect(timeline.at(-1)).toMatchObject({ id: event?.id, type: 'payment.repeated', detail: first });
  expect(await unresolved()).toMatchObject([
    { paymentId: second.paymentId, repeatsOrderId: first.merchantOrderId, amount: '2500', currency: 'NGN', foundAt: after(20) },
  ]);
});

test('of many payments for one order each pair is told, however many there are', async () => {
  const minutes = Array.from({ length: 15 }, (_, minute) => minute);
  for (const minute of minutes) await pay({ begunAt: minute, paidAt: 20 + minute });
  await announceRepeatedPayments(context, START);
  const pairs = (minutes.length * (minutes.length - 1)) / 2;
  expect(await announced()).toHaveLength(pairs);
  const repeats = await unresolved();
  expect(new Set(repeats.map(({ paymentId, repeatsId }) => `${paymentId} ${repeatsId}`)).size).toBe(pairs);
});

test('it is settled once money of either was given back, and after seven days', async () => {
  const first = await pay({ begunAt: 0, paidAt: 12 });
  await pay({ begunAt: 5, paidAt: 8 });
  await announceRepeatedPayments(context, START);
  context.setClock(after(20 + 7 * 24 * 60 + 1));
  expect(await unresolved()).toEqual([]);
  context.setClock(after(20));
  expect(await unresolved()).toHaveLength(1);
  await context.database.prisma.payment.updateMany({ where: { id: first.paymentId }, data: { refundedAmount: 1n } });
  expect(await unresolved()).toEqual([]);
});

describe('no order that was paid again', () => {
  const FIRST: Paid = { begunAt: 0, paidAt: 12, customerId: 'c-1', phone: '+2348030000001' };
  test.each<[string, Paid, Paid]>([
    ['begun when the first was known to be paid', { begunAt: 0, paidAt: 4 }, { begunAt: 5, paidAt: 8 }],
    ['begun after the session of the first', { begunAt: 0, paidAt: 50 }, { begunAt: SESSION_MINUTES, paidAt: 40 }],
    ['of another amount', { begunAt: 0, paidAt: 12 }, { begunAt: 5, paidAt: 8, amount: 2_501 }],
    ['of another address', { begunAt: 0, paidAt: 12 }, { begunAt: 5, paidAt: 8, email: 'obi@example.com' }],
    ['of another customer with the same address', FIRST, { begunAt: 5, paidAt: 8, customerId: 'c-2' }],
    ['of another phone with the same address', FIRST, { begunAt: 5, paidAt: 8, phone: '08030000002' }],
    [
      'of a customer who was erased, as others were',
      { begunAt: 0, paidAt: 12, erased: true },
      { begunAt: 5, paidAt: 8, erased: true },
    ],
    ['told before the moment that is looked back to', { begunAt: 0, paidAt: 12 }, { begunAt: 5, paidAt: 8 }],
  ])('%s', async (what, first, second) => {
    await pay(first);
    await pay(second);
    await announceRepeatedPayments(context, what.startsWith('told') ? after(13) : START);
    expect(await announced()).toEqual([]);
  });

  test('a phone that is spelled otherwise is the same', async () => {
    await pay(FIRST);
    await pay({ begunAt: 5, paidAt: 8, phone: '0803 000 0001' });
    await announceRepeatedPayments(context, START);
    expect(await announced()).toHaveLength(1);
  });

  test('of another merchant', async () => {
    await pay({ begunAt: 0, paidAt: 12 });
    merchant = await createTestMerchant(context, { 'paystack-main': {} });
    await pay({ begunAt: 5, paidAt: 8 });
    await announceRepeatedPayments(context, START);
    expect(await announced()).toEqual([]);
  });
});
