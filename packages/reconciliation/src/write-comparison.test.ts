import { recordPayment, type TestPayments } from '@switchyard/payments/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { resolveDiscrepancy } from './discrepancies.ts';
import type { Comparison, FoundDiscrepancy } from './ledger.ts';
import { RECONCILIATION_ACTOR } from './resolve-discrepancies.ts';
import { lockReconciliationRun, requestReconciliation } from './runs-queries.ts';
import { createReconciledMerchant, openTestReconciliation } from './testing/open.ts';
import { writeComparison } from './write-comparison.ts';

const ADA = 'staff:0193471e-8a3b-7c21-9f4e-2b6d5a7c9e10';
const LEASE_MS = 300_000;

let context: TestPayments;
let merchant: Awaited<ReturnType<typeof createReconciledMerchant>>;
beforeAll(async () => {
  context = await openTestReconciliation();
});
beforeEach(async () => {
  context.setClock(new Date('2026-11-21T08:00:00Z'));
  merchant = await createReconciledMerchant(context);
});
afterAll(() => context.close());

const keyOf = () => ({ merchantId: merchant.merchantId, accountId: merchant.paystack, day: '2026-11-20' });

/** Requests the day and leases it, as a process does before it reads the statement. */
async function lease() {
  const request = { ...keyOf(), runId: context.newId(), mode: 'test', gateway: 'paystack', zone: 'Africa/Lagos' } as const;
  await context.database.prisma.$transaction((transaction) => requestReconciliation(transaction, request, context.now()));
  const run = await lockReconciliationRun(context.database, keyOf(), { now: context.now(), leaseMs: LEASE_MS });
  if (run === null) throw new Error('the lease was not given');
  return run;
}

async function write(comparison: Partial<Comparison>): Promise<boolean> {
  const whole = { discrepancies: [], totals: [], fees: [], attemptsToVerify: [], ...comparison };
  return writeComparison(context, { ...keyOf(), mode: 'test', gateway: 'paystack' }, await lease(), whole);
}

function found(subject: string, statement = '2400'): FoundDiscrepancy {
  return {
    kind: 'AMOUNT',
    about: 'payment',
    subject,
    paymentId: null,
    refundId: null,
    reference: null,
    transactionId: null,
    ledger: { amount: '2500', currency: 'NGN' },
    statement: { amount: statement, currency: 'NGN' },
    counted: { ledger: null, statement: null },
  };
}

const stored = () =>
  context.database.prisma.reconciliationDiscrepancy.findMany({
    where: { merchantId: merchant.merchantId },
    orderBy: { subject: 'asc' },
  });
const summary = async () => (await stored()).map(({ subject, state, resolvedBy }) => [subject, state, resolvedBy]);
const audited = async (objectId: string) =>
  (await context.database.prisma.auditEntry.findMany({ where: { objectId }, orderBy: { position: 'asc' } })).map(
    ({ action, actor }) => [action, actor],
  );

describe('the result of a comparison', () => {
  test('is written once, however often the same is found', async () => {
    const discrepancies = [found('transaction/1'), found('transaction/2')];
    expect(await write({ discrepancies })).toBe(true);
    const first = await stored();
    context.setClock(new Date('2026-11-21T09:00:00Z'));
    expect(await write({ discrepancies })).toBe(true);
    expect(await stored()).toEqual(first);
    expect(first.map(({ state }) => state)).toEqual(['OPEN', 'OPEN']);
  });

  test('closes what a later comparison no longer finds, and reopens it when it is found again', async () => {
    await write({ discrepancies: [found('transaction/1')] });
    await write({});
    expect(await summary()).toEqual([['transaction/1', 'RESOLVED', RECONCILIATION_ACTOR]]);
    await write({ discrepancies: [found('transaction/1')] });
    expect(await summary()).toEqual([['transaction/1', 'OPEN', null]]);
  });

  test('keeps what staff resolved; other facts reopen it, which is audited', async () => {
    await write({ discrepancies: [found('transaction/1')] });
    const [one] = await stored();
    const command = { merchantId: merchant.merchantId, discrepancyId: one?.id ?? '', actor: ADA };
    await resolveDiscrepancy(context, { ...command, as: 'EXPLAINED', why: 'Agreed discount.' });
    await write({ discrepancies: [found('transaction/1')] });
    expect(await summary()).toEqual([['transaction/1', 'EXPLAINED', ADA]]);
    await write({ discrepancies: [found('transaction/1', '2300')] });
    expect(await summary()).toEqual([['transaction/1', 'OPEN', null]]);
    expect(await audited(one?.id ?? '')).toEqual([
      ['reconciliation.explained', ADA],
      ['reconciliation.reopened', RECONCILIATION_ACTOR],
    ]);
  });

  test('of a process whose lease was taken over is not written at all', async () => {
    const late = await lease();
    context.setClock(new Date('2026-11-21T09:00:00Z'));
    await lease();
    const { paymentId } = await recordPayment(context, merchant.merchantId);
    const whole = {
      discrepancies: [found('transaction/1')],
      totals: [],
      fees: [{ paymentId, fee: '12.5' }],
      attemptsToVerify: [],
    };
    expect(await writeComparison(context, { ...keyOf(), mode: 'test', gateway: 'paystack' }, late, whole)).toBe(false);
    expect(await stored()).toEqual([]);
    expect(await feeOf(paymentId)).toBeNull();
  });
});

async function feeOf(paymentId: string): Promise<string | null> {
  const key = { merchantId: merchant.merchantId, id: paymentId };
  const { feeAmount } = await context.database.prisma.payment.findUniqueOrThrow({ where: { merchantId_id: key } });
  return feeAmount?.toFixed() ?? null;
}

describe('what the statement adds to a payment', () => {
  test('is its fee, where none is on record, and nothing else', async () => {
    const { paymentId } = await recordPayment(context, merchant.merchantId);
    const key = { merchantId: merchant.merchantId, id: paymentId };
    const before = await context.database.prisma.payment.findUniqueOrThrow({ where: { merchantId_id: key } });
    await write({ fees: [{ paymentId, fee: '37.5' }] });
    expect(await feeOf(paymentId)).toBe('37.5');
    await write({ fees: [{ paymentId, fee: '99' }] });
    const after = await context.database.prisma.payment.findUniqueOrThrow({ where: { merchantId_id: key } });
    expect({ ...after, feeAmount: null }).toEqual(before);
    expect(await feeOf(paymentId)).toBe('37.5');
  });

  test('is one verification of each attempt that is paid there and not here, however often it is found', async () => {
    const attemptId = context.newId();
    const attemptsToVerify = [{ attemptId, transactionId: '1001' }];
    await write({ attemptsToVerify });
    await write({ attemptsToVerify });
    const { rows } = await context.database.pool.query(
      "SELECT task_identifier AS task FROM graphile_worker.jobs WHERE key LIKE 'check-attempt:' || $1 || '%'",
      [attemptId],
    );
    expect(rows).toEqual([{ task: 'check-attempt' }]);
  });
});
