import { clockIn, type StoredHealthReason } from '@switchyard/routing';
import { packDecision } from '@switchyard/rule-sets/store-inputs';
import { createTestMerchant, type TestMerchant } from '@switchyard/runtime/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestPayments, type TestPayments } from '../../testing/context.ts';
import { recordPayment } from '../../testing/past.ts';
import { describePayment } from './describe-payment.ts';

let context: TestPayments;
let merchant: TestMerchant;

beforeAll(async () => {
  context = await openTestPayments();
  merchant = await createTestMerchant(context, {
    'paystack-main': {},
    'flutterwave-main': { maxAmount: 1_000 },
    'paystack-spare': { methods: ['USSD'], enabled: false },
  });
});
afterAll(() => context.close());

const find = (paymentId: string, merchantIds = [merchant.merchantId]) => describePayment(context, { merchantIds, paymentId });

async function record(options: Parameters<typeof recordPayment>[2] = {}) {
  const { paymentId } = await recordPayment(context, merchant.merchantId, options);
  const found = await find(paymentId);
  if (found === null) throw new Error('what was recorded is not found');
  return found;
}

/** A payment whose first gateway did not answer and whose second opened a checkout. */
async function recordWithFallback() {
  const { paymentId, merchantId, createdAt } = await record({ amount: 900, fellBack: true });
  const { prisma } = context.database;
  const attemptId = context.newId();
  const accountId = merchant.accounts['flutterwave-main'] ?? '';
  const times = { createdAt, updatedAt: createdAt };
  await prisma.attempt.create({
    data: {
      merchantId,
      paymentId,
      id: attemptId,
      position: 1,
      accountId,
      gateway: 'flutterwave',
      reference: attemptId,
      state: 'OPENED',
      ...times,
    },
  });
  await prisma.payment.update({ where: { merchantId_id: { merchantId, id: paymentId } }, data: { currentAttemptId: attemptId } });
  const found = await find(paymentId);
  if (found === null) throw new Error('what was recorded is not found');
  return found;
}

describe('the timeline of a payment', () => {
  test('has the attempts in the order tried, the current one marked, and accounts by their labels', async () => {
    const payment = await recordWithFallback();
    expect(payment.attempts.map(({ accountLabel, position, current }) => [accountLabel, position, current])).toEqual([
      ['paystack-main', 0, false],
      ['flutterwave-main', 1, true],
    ]);
    expect(payment.attempts[0]?.failure).toMatchObject({ class: 'provider_fault', code: 'timeout' });
    expect(payment.timeline[0]).toMatchObject({ type: 'payment.initiated', cause: 'api', toStatus: 'INITIATED' });
    expect(payment).toMatchObject({ amount: 900n, merchantName: 'Balogun Books', money: { received: null, refunded: 0n } });
  });

  test('checks every account of the decision against every condition', async () => {
    const { decision } = await record({ amount: 2_500, method: 'CARD' });
    const verdicts = Object.fromEntries(
      decision.candidates.map((candidate) => [
        candidate.label,
        {
          eligible: candidate.eligible,
          recommended: candidate.recommended,
          failed: candidate.conditions.filter(({ outcome }) => outcome === 'fails').map(({ condition }) => condition),
        },
      ]),
    );
    expect(verdicts).toEqual({
      'paystack-main': { eligible: true, recommended: true, failed: [] },
      'flutterwave-main': { eligible: false, recommended: false, failed: ['amount'] },
      'paystack-spare': { eligible: false, recommended: false, failed: ['enabled', 'method'] },
    });
  });

  test('an eligible account fails no condition, and an ineligible one fails some', async () => {
    for (const amount of [10, 999, 1_001]) {
      for (const method of ['CARD', 'USSD', null] as const) {
        const { decision } = await record({ amount, method });
        for (const { eligible, conditions } of decision.candidates) {
          expect(conditions.some(({ outcome }) => outcome === 'fails')).toBe(!eligible);
        }
      }
    }
  });

  test("has the times of its decision in the reader's zone", async () => {
    const { merchantId, accounts } = merchant;
    const accountId = accounts['paystack-main'] ?? '';
    const facts = {
      code: 'lookups_failed',
      gateway: 'Paystack',
      method: null,
      state: 'down',
      since: '2026-11-20T13:58:00.000Z',
      again: false,
      answered: 0,
      failed: 10,
      spanMs: 10_000,
    } as const;
    const describeWith = async (why: StoredHealthReason) => {
      const counts = { succeeded: 0, faulted: 0, paid: 0, unpaid: 0 };
      const down = { accountId, method: null, state: 'down', since: facts.since, why, ...counts } as const;
      const health = { ...context.health, snapshot: () => [down] };
      const { paymentId } = await recordPayment({ ...context, health }, merchantId, { amount: 900, fellBack: true });
      const found = await describePayment(context, { merchantIds: [merchantId], paymentId }, clockIn('Africa/Lagos'));
      const { record, candidates } = found?.decision ?? {};
      const ofHealth = record?.reasons.find(({ category }) => category === 'health')?.message;
      const fallback = record?.reasons.at(-1)?.code;
      const conditions = candidates?.find((candidate) => candidate.accountId === accountId)?.conditions;
      const condition = conditions?.find((each) => each.condition === 'health')?.detail;
      return { ofHealth, condition, fallback };
    };
    const sentence =
      'Down since 14:58: 10 of 10 status checks failed in 10 s, and no checkout was opened (Paystack, all methods).';
    expect(await describeWith(facts)).toEqual({
      ofHealth: `paystack-main goes behind the healthy accounts. ${sentence}`,
      condition: sentence,
      fallback: 'gateway_failed_timeout',
    });
  });

  test('is shown although the format of the decision is unknown', async () => {
    const { paymentId, merchantId } = await record();
    const where = { merchantId_id: { merchantId, id: paymentId } };
    await context.database.prisma.payment.update({ where, data: { packedDecision: packDecision({ version: 9 }, 'gone') } });
    expect((await find(paymentId))?.decision).toMatchObject({ record: null, candidates: [] });
  });

  test('is null for another merchant’s payment, and for an invalid id', async () => {
    const { paymentId } = await record();
    const other = await createTestMerchant(context, { 'paystack-main': {} });
    expect(await find(paymentId, [other.merchantId])).toBeNull();
    expect(await find(paymentId, [])).toBeNull();
    expect(await find("1' OR '1'='1")).toBeNull();
    expect(await find(context.newId())).toBeNull();
  });
});
