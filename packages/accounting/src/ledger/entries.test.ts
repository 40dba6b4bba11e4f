import { openTestPayments, type TestPayments } from '@switchyard/payments/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  createBooks,
  recordCredit,
  recordDispute,
  recordPaid,
  recordPayout,
  recordRefund,
  type TestBooks,
} from '../testing/books.ts';
import { ledgerEntries } from './entries.ts';

let context: TestPayments;
let books: TestBooks;
beforeAll(async () => {
  context = await openTestPayments();
});
beforeEach(async () => {
  books = await createBooks(context);
});
afterAll(() => context.close());

/** The entries of October in Lagos as `kind day amount`. */
async function october(zone = 'Africa/Lagos'): Promise<string[]> {
  const entries = ledgerEntries(books, { zone, from: '2026-10-01', until: '2026-11-01' });
  const rows = await context.database.prisma.$queryRaw<{ kind: string; day: string; amount: string }[]>`
    SELECT kind, day::text AS day, trim_scale(amount)::text AS amount FROM (${entries}) AS entry ORDER BY 2, 1, 3`;
  return rows.map(({ kind, day, amount }) => `${kind} ${day} ${amount}`);
}

describe('entries of a month', () => {
  test('are dated by the zone: the same moments are of other months elsewhere', async () => {
    await recordPaid(context, books, '2026-09-30T23:30:00Z', { fee: null });
    await recordPaid(context, books, '2026-10-31T23:30:00Z', { fee: null });
    expect(await october()).toEqual(['payment 2026-10-01 2500']);
    expect(await october('UTC')).toEqual(['payment 2026-10-31 2500']);
  });

  test('have the fee that was settled, and until then the one that the gateway reported', async () => {
    await recordPaid(context, books, '2026-10-05T10:00:00Z');
    const settled = await recordPaid(context, books, '2026-10-06T10:00:00Z');
    await recordPayout(context, books, '2026-11-02', [
      { kind: 'PAYMENT', amount: '2500', paymentId: settled },
      { kind: 'FEE', amount: '-40', paymentId: settled },
      { kind: 'OTHER', amount: '-50', paymentId: settled, description: 'Stamp duty' },
    ]);
    expect(await october()).toEqual([
      'fee 2026-10-05 -37.5',
      'payment 2026-10-05 2500',
      'fee 2026-10-06 -40',
      'payment 2026-10-06 2500',
      'stamp_duty 2026-10-06 -50',
    ]);
  });

  test('have what went back to customers: succeeded refunds, lost disputes with their charge, reversals of the gateway', async () => {
    const paymentId = await recordPaid(context, books, '2026-09-05T10:00:00Z');
    await recordRefund(context, books, paymentId, { amount: 300n, at: '2026-10-02T10:00:00Z' });
    await recordRefund(context, books, paymentId, { amount: 400n, at: '2026-10-02T10:00:00Z', state: 'PROCESSING' });
    await recordDispute(context, books, paymentId, { at: '2026-10-03T10:00:00Z', state: 'LOST', fee: '15' });
    await recordDispute(context, books, paymentId, { at: '2026-10-03T10:00:00Z', state: 'WON', fee: '15' });
    const reversed = await recordPaid(context, books, '2026-09-06T10:00:00Z');
    const taken = { reversalCause: 'gateway', reversedAmount: '70.5', reversedAt: new Date('2026-10-04T10:00:00Z') };
    await context.database.prisma.payment.updateMany({ where: { id: reversed }, data: taken });
    expect(await october()).toEqual([
      'refund 2026-10-02 -300',
      'dispute 2026-10-03 -1000',
      'fee 2026-10-03 -15',
      'reversal 2026-10-04 -70.5',
    ]);
  });

  test('have a chargeback once: what each dispute took back, and what the gateway took beyond that, together what the payment says', async () => {
    const paymentId = await recordPaid(context, books, '2026-09-05T10:00:00Z');
    await recordDispute(context, books, paymentId, { at: '2026-10-03T10:00:00Z', state: 'LOST', takenBack: '1000' });
    await recordDispute(context, books, paymentId, { at: '2026-10-05T10:00:00Z', state: 'LOST', takenBack: '500' });
    await recordDispute(context, books, paymentId, { at: '2026-10-06T10:00:00Z', state: 'EXPIRED', takenBack: '0' });
    expect(await october()).toEqual(['dispute 2026-10-03 -1000', 'dispute 2026-10-05 -500']);
    // The transaction is reversed as a whole: the rest went back by itself.
    const whole = { reversedAmount: '2500', reversedAt: new Date('2026-10-07T10:00:00Z') };
    await context.database.prisma.payment.updateMany({ where: { id: paymentId }, data: whole });
    expect(await october()).toEqual(['dispute 2026-10-03 -1000', 'dispute 2026-10-05 -500', 'reversal 2026-10-07 -1000']);
  });

  test('have a chargeback that took money before its dispute was lost as a reversal, and then as a dispute', async () => {
    const paymentId = await recordPaid(context, books, '2026-09-05T10:00:00Z');
    const held = { reversalCause: 'chargeback', reversedAmount: '1000', reversedAt: new Date('2026-10-02T10:00:00Z') };
    await context.database.prisma.payment.updateMany({ where: { id: paymentId }, data: held });
    expect(await october()).toEqual(['reversal 2026-10-02 -1000']);
    await recordDispute(context, books, paymentId, { at: '2026-10-20T10:00:00Z', state: 'LOST' });
    expect(await october()).toEqual(['dispute 2026-10-20 -1000']);
  });

  test('have the charge for a dispute once: as it was entered, and then as payouts took it off', async () => {
    const paymentId = await recordPaid(context, books, '2026-09-05T10:00:00Z');
    const disputeId = await recordDispute(context, books, paymentId, { at: '2026-10-03T10:00:00Z', state: 'LOST', fee: '15' });
    expect(await october()).toEqual(['dispute 2026-10-03 -1000', 'fee 2026-10-03 -15']);
    await recordPayout(context, books, '2026-10-04', [
      { kind: 'CHARGEBACK', amount: '-1000', paymentId, disputeId },
      { kind: 'FEE', amount: '-15', paymentId, disputeId },
    ]);
    expect(await october()).toEqual(['dispute 2026-10-03 -1000', 'fee 2026-10-04 -15', 'payout 2026-10-04 1015']);
  });

  test('have nothing of a dispute of a payment that is not in the ledger but its lines in payouts', async () => {
    const paymentId = await recordPaid(context, books, '2026-09-05T10:00:00Z');
    const disputeId = await recordDispute(context, books, paymentId, { at: '2026-10-03T10:00:00Z', state: 'LOST', fee: '15' });
    const where = { merchantId: books.merchantId, id: disputeId };
    await context.database.prisma.dispute.updateMany({ where, data: { paymentId: null, attemptId: null, takenBack: '0' } });
    await context.database.prisma.payment.updateMany({
      where: { id: paymentId },
      data: { reversedAmount: '0', reversedAt: null },
    });
    await recordPayout(context, books, '2026-10-04', [{ kind: 'CHARGEBACK', amount: '-1000' }]);
    expect(await october()).toEqual(['adjustment 2026-10-04 -1000', 'payout 2026-10-04 1000']);
  });

  test('have payouts, and of their lines those that nothing explains', async () => {
    const paymentId = await recordPaid(context, books, '2026-09-28T10:00:00Z');
    await recordPayout(context, books, '2026-10-01', [
      { kind: 'PAYMENT', amount: '2500', paymentId },
      { kind: 'FEE', amount: '-37.5', paymentId },
      { kind: 'FEE', amount: '-10' },
      { kind: 'OTHER', amount: '-50', description: 'Stamp duty' },
      { kind: 'RESIDUE', amount: '-2.25' },
    ]);
    expect(await october()).toEqual([
      'adjustment 2026-10-01 -2.25',
      'fee 2026-10-01 -10',
      'payout 2026-10-01 -2400.25',
      'stamp_duty 2026-10-01 -50',
    ]);
  });

  test('have what reached the bank: shared by payouts, the difference with the last of them', async () => {
    const [first, second] = [
      await recordPayout(context, books, '2026-10-01', [{ kind: 'ADJUSTMENT', amount: '100' }]),
      await recordPayout(context, books, '2026-10-02', [{ kind: 'ADJUSTMENT', amount: '200' }]),
    ];
    await recordCredit(context, books, '2026-10-05', '290', [first, second]);
    expect((await october()).filter((entry) => entry.startsWith('bank'))).toEqual([
      'bank 2026-10-05 100',
      'bank 2026-10-05 190',
      'bank_difference 2026-10-05 -10',
    ]);
  });

  test('have a duplicate charge once, and nothing of another mode', async () => {
    const paymentId = await recordPaid(context, books, '2026-10-05T10:00:00Z', { duplicate: true });
    const facts = { paymentId, attemptId: context.newId(), gateway: 'paystack', reference: 'r', amount: '2500', currency: 'NGN' };
    const at = new Date('2026-10-05T10:00:00Z');
    const state = { state: 'OPEN' as const, createdAt: at, updatedAt: at };
    const key = { merchantId: books.merchantId, accountId: books.paystack };
    await context.database.prisma.duplicateCharge.createMany({
      data: (['test', 'live'] as const).map((mode) => ({
        ...key,
        ...facts,
        ...state,
        id: context.newId(),
        mode,
        transactionId: mode,
      })),
    });
    expect(await october()).toEqual(['duplicate 2026-10-05 2500']);
  });
});
