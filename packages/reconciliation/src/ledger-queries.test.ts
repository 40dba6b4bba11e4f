import type { Prisma } from '@switchyard/db/client';
import { recordPayment, type TestPayments } from '@switchyard/payments/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { dayOf } from './days.ts';
import type { LedgerPayment } from './ledger.ts';
import { readLedgerAttempts, readLedgerDuplicates, readLedgerRefunds, readPaidAttempts } from './ledger-queries.ts';
import { createReconciledMerchant, openTestReconciliation } from './testing/open.ts';

const DAY = dayOf('2026-11-20', 'Africa/Lagos');
const noon = new Date('2026-11-20T11:00:00Z');

let context: TestPayments;
let merchant: Awaited<ReturnType<typeof createReconciledMerchant>>;
beforeAll(async () => {
  context = await openTestReconciliation();
});
beforeEach(async () => {
  merchant = await createReconciledMerchant(context);
});
afterAll(() => context.close());

const keyOf = () => ({ merchantId: merchant.merchantId, accountId: merchant.paystack });

/** A payment of NGN 2,500.00 at Paystack, made at a time, whose attempt is changed. Returns the attempt. */
async function attempt(createdAt: Date, changes: Prisma.AttemptUpdateInput = {}, payment: Prisma.PaymentUpdateInput = {}) {
  const { paymentId } = await recordPayment(context, merchant.merchantId, { createdAt, requestedGateway: 'paystack' });
  const { prisma } = context.database;
  const { id } = await prisma.attempt.findFirstOrThrow({ where: { paymentId } });
  await prisma.payment.update({ where: { merchantId_id: { merchantId: merchant.merchantId, id: paymentId } }, data: payment });
  return prisma.attempt.update({
    where: { merchantId_id: { merchantId: merchant.merchantId, id } },
    data: { createdAt, transactionId: `t-${id}`, ...changes },
  });
}

type Attempt = Awaited<ReturnType<typeof attempt>>;

function refund({ paymentId, id: attemptId }: Attempt, changes: Partial<Prisma.RefundUncheckedCreateInput> = {}) {
  const refundId = context.newId();
  return context.database.prisma.refund.create({
    data: {
      ...keyOf(),
      id: refundId,
      mode: 'test',
      paymentId,
      attemptId,
      gateway: 'paystack',
      transactionId: `t-${attemptId}`,
      amount: 400n,
      currency: 'NGN',
      state: 'SUCCEEDED',
      reference: `rf-${refundId}`,
      gatewayRefundId: `g-${refundId}`,
      requestedBy: 'system:test',
      createdAt: noon,
      updatedAt: noon,
      ...changes,
    },
  });
}

const byReference = async (...attempts: Attempt[]): Promise<LedgerPayment[]> =>
  readLedgerAttempts(
    context.database,
    keyOf(),
    attempts.map(({ reference }) => reference),
  );

describe('an attempt in the ledger', () => {
  test('that is paid has the amount received; one that is not has the amount of the order', async () => {
    const paid = await attempt(noon, { state: 'PAID', receivedAmount: '2499.5', receivedCurrency: 'NGN' });
    const open = await attempt(noon, { receivedAmount: '2499.5', receivedCurrency: 'NGN' });
    const rows = new Map((await byReference(paid, open)).map((row) => [row.attemptId, row]));
    expect(rows.get(paid.id)).toMatchObject({ paid: true, amount: '2499.5', currency: 'NGN', transactionId: `t-${paid.id}` });
    expect(rows.get(open.id)).toMatchObject({ paid: false, amount: '2500', currency: 'NGN' });
  });

  test('lacks a fee only where it paid the payment and none is on record', async () => {
    const lacking = await attempt(noon, { state: 'PAID' });
    const known = await attempt(noon, { state: 'PAID' }, { feeAmount: '37.5' });
    const duplicate = await attempt(noon, { state: 'PAID', duplicate: true });
    const open = await attempt(noon);
    const rows = await byReference(lacking, known, duplicate, open);
    expect(rows.filter(({ lacksFee }) => lacksFee).map(({ attemptId }) => attemptId)).toEqual([lacking.id]);
  });

  test('counts what went back for it, failed refunds and those of other attempts left out', async () => {
    const paid = await attempt(noon, { state: 'PAID' });
    const other = await attempt(noon, { state: 'PAID' });
    await refund(paid);
    await refund(paid, { amount: 100n, state: 'REQUESTED', gatewayRefundId: null });
    await refund(paid, { amount: 1_000n, state: 'FAILED' });
    await refund(other, { amount: 7n });
    const rows = new Map((await byReference(paid, other)).map((row) => [row.attemptId, row.refunded]));
    expect([rows.get(paid.id), rows.get(other.id)]).toEqual(['500', '7']);
  });

  test('says whether its money waits for review', async () => {
    const reviewed = await attempt(noon, {}, { review: 'OPEN' });
    const plain = await attempt(noon);
    const rows = new Map((await byReference(reviewed, plain)).map((row) => [row.attemptId, row.underReview]));
    expect([rows.get(reviewed.id), rows.get(plain.id)]).toEqual([true, false]);
  });

  test('is found by its own account and merchant alone', async () => {
    const paid = await attempt(noon, { state: 'PAID' });
    const read = (key: { merchantId: string; accountId: string }) => readLedgerAttempts(context.database, key, [paid.reference]);
    expect(await read(keyOf())).toHaveLength(1);
    expect(await read({ ...keyOf(), accountId: merchant.flutterwave })).toEqual([]);
    expect(await read({ ...keyOf(), merchantId: context.newId() })).toEqual([]);
  });
});

describe('the paid attempts of a day', () => {
  test('are each read once over pages, oldest first, from the first moment of the day to before the next', async () => {
    const paid = { state: 'PAID' } as const;
    const at = (ms: number) => new Date(DAY.from.getTime() + ms);
    await attempt(new Date(DAY.from.getTime() - 1), paid);
    await attempt(DAY.to, paid);
    await attempt(noon);
    // Several of the same moment must not be lost or repeated between two pages.
    const expected = [];
    for (const ms of [0, 1, 1, 1, 1, 3_600_000, 3_600_000]) expected.push(await attempt(at(ms), paid));
    expected.push(await attempt(new Date(DAY.to.getTime() - 1), paid));
    const seen: LedgerPayment[] = [];
    for (let after: LedgerPayment | null = null; seen.length <= expected.length; ) {
      const page: LedgerPayment[] = await readPaidAttempts(context.database, keyOf(), DAY, after, 3);
      seen.push(...page);
      after = page.at(-1) ?? null;
      if (page.length < 3) break;
    }
    expect(seen.map(({ attemptId }) => attemptId).sort()).toEqual(expected.map(({ id }) => id).sort());
    const times = seen.map(({ createdAt }) => createdAt.getTime());
    expect(times).toEqual([...times].sort((one, other) => one - other));
  });
});

describe('the refunds of a day', () => {
  test('are those made in it, and those that the statement names by id or reference, of this account', async () => {
    const paid = await attempt(noon, { state: 'PAID' });
    const before = new Date(DAY.from.getTime() - 1);
    const made = await refund(paid, { createdAt: DAY.from });
    const byId = await refund(paid, { createdAt: before });
    const byName = await refund(paid, { createdAt: DAY.to });
    await refund(paid, { createdAt: before });
    await refund(paid, { accountId: merchant.flutterwave });
    const named = { gatewayRefundIds: [byId.gatewayRefundId ?? ''], references: [byName.reference] };
    const rows = await readLedgerRefunds(context.database, keyOf(), DAY, named);
    expect(rows.map(({ refundId }) => refundId)).toEqual([byId.id, made.id, byName.id]);
    expect(rows[0]).toMatchObject({ amount: '400', currency: 'NGN', state: 'SUCCEEDED', reference: byId.reference });
  });
});

describe('duplicate charges', () => {
  test('are found by the transaction, of this account', async () => {
    const paid = await attempt(noon, { state: 'PAID' });
    const charge = (transactionId: string, accountId = merchant.paystack) =>
      context.database.prisma.duplicateCharge.create({
        data: {
          merchantId: merchant.merchantId,
          id: context.newId(),
          mode: 'test',
          paymentId: paid.paymentId,
          attemptId: paid.id,
          accountId,
          gateway: 'paystack',
          reference: paid.reference,
          transactionId,
          amount: '2500.10',
          currency: 'NGN',
          state: 'OPEN',
          createdAt: noon,
          updatedAt: noon,
        },
      });
    await charge('9001');
    await charge('9002');
    await charge('9001', merchant.flutterwave);
    expect(await readLedgerDuplicates(context.database, keyOf(), ['9001', '9003'])).toEqual([
      {
        paymentId: paid.paymentId,
        attemptId: paid.id,
        reference: paid.reference,
        transactionId: '9001',
        amount: '2500.1',
        currency: 'NGN',
        state: 'OPEN',
      },
    ]);
  });
});
