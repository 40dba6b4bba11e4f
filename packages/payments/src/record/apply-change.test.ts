import { newId } from '@switchyard/db';
import { createTestDatabase, type TestDatabase } from '@switchyard/db/testing';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { newAttempt, newPayment } from '../testing/context.ts';
import { applyPaymentChange, type PaymentChange, type ReceivedMoney } from './apply-change.ts';
import type { NewDuplicateCharge } from './duplicate-queries.ts';
import type { NewAttempt } from './payment-record.ts';
import { readPayment, reservePayment } from './statements.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

const NOW = new Date('2026-11-02T09:00:00Z');
const merchantId = newId();
let paymentId: string;
let attempt: NewAttempt;
beforeEach(async () => {
  paymentId = newId();
  attempt = newAttempt();
  await reservePayment(database, newPayment({ merchantId, paymentId, createdAt: NOW }), attempt);
});

const received = (transactionId: string): ReceivedMoney => ({
  amount: '2500',
  currency: 'NGN',
  fee: null,
  method: 'card',
  paidAt: NOW,
  transactionId,
});
const change = (version: number, more: Partial<PaymentChange>): PaymentChange => ({
  merchantId,
  paymentId,
  version,
  events: [],
  ...more,
});
const paidBy = (transactionId: string, version: number): PaymentChange =>
  change(version, {
    status: 'SUCCESS',
    received: received(transactionId),
    attempt: { attemptId: attempt.attemptId, state: 'PAID', duplicate: false, received: received(transactionId), askedAt: NOW },
  });
const chargedAgainBy = (transactionId: string, version: number): PaymentChange => {
  const { attemptId, accountId, gateway, reference } = attempt;
  const duplicateCharge: NewDuplicateCharge = {
    duplicateChargeId: newId(),
    mode: 'live',
    attemptId,
    accountId,
    gateway,
    reference,
    transactionId,
    amount: '2500',
    currency: 'NGN',
    refund: false,
  };
  return change(version, { duplicateCharge });
};
const version = async () => (await readPayment(database, merchantId, paymentId))?.version ?? -1;
const charges = () => database.prisma.duplicateCharge.findMany({ where: { merchantId, paymentId } });

test('money that paid the payment is never recorded as a duplicate charge, even from an outdated read', async () => {
  expect(await applyPaymentChange(database, paidBy('first', await version()), NOW)).toBe('applied');
  const before = await version();
  expect(await applyPaymentChange(database, chargedAgainBy('first', before), NOW)).toBe('known');
  expect(await charges()).toEqual([]);
  expect(await version()).toBe(before);
});

test('other money is recorded once, and reporting it again changes nothing', async () => {
  await applyPaymentChange(database, paidBy('first', await version()), NOW);
  expect(await applyPaymentChange(database, chargedAgainBy('second', await version()), NOW)).toBe('applied');
  const before = await version();
  expect(await applyPaymentChange(database, chargedAgainBy('second', before), NOW)).toBe('known');
  expect(await charges()).toMatchObject([{ transactionId: 'second', state: 'OPEN' }]);
  expect(await version()).toBe(before);
});

test('a change computed from an older version does nothing, and returns that the payment has moved on', async () => {
  const old = await version();
  await applyPaymentChange(database, paidBy('first', old), NOW);
  for (const late of [paidBy('second', old), chargedAgainBy('second', old)]) {
    expect(await applyPaymentChange(database, late, NOW)).toBe('moved_on');
  }
  expect(await charges()).toEqual([]);
  const payment = await database.prisma.payment.findFirstOrThrow({ where: { merchantId, id: paymentId } });
  expect(payment).toMatchObject({ status: 'SUCCESS', version: old + 1 });
  expect(await database.prisma.attempt.findMany({ where: { merchantId, paymentId } })).toMatchObject([
    { transactionId: 'first' },
  ]);
});

test('why a payment failed is kept while it is failed, and cleared by late money', async () => {
  const reasonOf = async () => {
    const where = { merchantId_id: { merchantId, id: paymentId } };
    return (await database.prisma.payment.findUniqueOrThrow({ where })).failureReason;
  };
  await applyPaymentChange(database, change(1, { status: 'FAILED', failureReason: 'session_expired' }), NOW);
  expect(await reasonOf()).toBe('session_expired');
  await applyPaymentChange(database, change(2, { attempt: { attemptId: attempt.attemptId, askedAt: NOW } }), NOW);
  expect(await reasonOf()).toBe('session_expired');
  await applyPaymentChange(database, paidBy('late', 3), NOW);
  expect(await reasonOf()).toBeNull();
});

test('of two concurrent changes of the same version, one is applied', async () => {
  const seen = await version();
  const outcomes = await Promise.all(['first', 'second'].map((id) => applyPaymentChange(database, paidBy(id, seen), NOW)));
  expect(outcomes.toSorted()).toEqual(['applied', 'moved_on']);
});

test('the event of the status is the last that changed it, whatever else happened with it', async () => {
  const event = (eventId: string, toStatus: 'FAILED' | null) =>
    ({ eventId, type: 'x', fromStatus: null, toStatus, cause: 'api', actor: null, detail: {} }) as const;
  const failed = newId();
  const events = [event(newId(), null), event(failed, 'FAILED'), event(newId(), null)];
  await applyPaymentChange(database, change(1, { status: 'FAILED', failureReason: 'declined', events }), NOW);
  await applyPaymentChange(database, change(2, { events: [event(newId(), null)] }), NOW);
  const where = { merchantId_id: { merchantId, id: paymentId } };
  expect(await database.prisma.payment.findUniqueOrThrow({ where })).toMatchObject({ statusEventId: failed, version: 3 });
});
