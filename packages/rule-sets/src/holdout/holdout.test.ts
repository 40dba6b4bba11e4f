import { openTestHealth, type TestHealth } from '@switchyard/provider-health/testing';
import { isDrawn } from '@switchyard/routing/decide';
import { createTestMerchant, publish, reloadConfiguration, type TestMerchant } from '@switchyard/runtime/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startCanary } from '../canary/canary.ts';
import { eraseHoldoutCustomers } from '../rows/holdouts.ts';
import { recordPayment } from '../testing/past-payments.ts';
import { aDocument, cardRule, rulesOf } from '../testing/rules.ts';
import { readEarned } from './read-earned.ts';
import { takeHoldoutPayments } from './take-holdout-payments.ts';

const START = new Date('2026-11-20T10:00:00Z');
const MINUTE_MS = 60_000;

let context: TestHealth;
let merchant: TestMerchant;
let made = 0;

beforeAll(async () => {
  context = await openTestHealth();
});
beforeEach(async () => {
  context.setClock(START);
  merchant = await createTestMerchant(context, { 'paystack-main': {}, 'flutterwave-main': {} });
  const document = aDocument(account('paystack-main'), cardRule(account('flutterwave-main'), 1_000_000));
  await publish(context, merchant.merchantId, document);
  await holdOut(5);
});
afterAll(() => context.close());

const account = (label: string) => merchant.accounts[label] ?? '';
const minutes = (after: number) => new Date(START.getTime() + after * MINUTE_MS);
const scope = () => ({ merchantId: merchant.merchantId, mode: 'test' as const });
const email = (place: number) => `customer-${place}@example.com`;
const draw = () => ({ salt: `holdout ${merchant.merchantId}`, percent: 5 });
const isHeldOut = (place: number) => isDrawn(draw(), email(place));

async function holdOut(holdoutPercent: number): Promise<void> {
  await context.database.prisma.merchant.update({
    where: { id: merchant.merchantId },
    data: { holdoutPercent, updatedAt: START },
  });
  await reloadConfiguration(context, merchant.merchantId);
}

async function pay(place: number, at: Date, status: 'SUCCESS' | 'FAILED' = 'SUCCESS', amount = 2_500) {
  made += 1;
  const paymentId = `0193471e-8a3b-7c21-9f4f-${made.toString(16).padStart(12, '0')}`;
  const options = { paymentId, amount, method: 'CARD', requestedGateway: null, createdAt: at, status } as const;
  return recordPayment(context, merchant.merchantId, { ...options, customerEmail: email(place) });
}
/** Places of so many customers who are held out, and of those who are not. */
function placesOf(heldOut: boolean, count: number): number[] {
  return Array.from({ length: 4_000 }, (_, place) => place)
    .filter((place) => isHeldOut(place) === heldOut)
    .slice(0, count);
}
const earned = () => readEarned(context.database.pool, { merchantIds: [merchant.merchantId], mode: 'test' }, context.now());
async function only() {
  const [month, ...others] = await earned();
  if (month === undefined || others.length > 0) throw new Error(`${others.length} other months`);
  return month;
}

describe('customers who are held out', () => {
  test('are routed by the default order, always the same ones, and their decisions say so', async () => {
    for (const [heldOut, first] of [
      [true, 'paystack-main'],
      [false, 'flutterwave-main'],
    ] as const) {
      for (const place of placesOf(heldOut, 3)) {
        const { decision } = await pay(place, minutes(1));
        expect(decision.inputs.assignment).toEqual({ holdout: { ...draw(), heldOut } });
        expect(decision.plan[0]?.accountId).toBe(account(first));
        expect([decision.ruleId, decision.record.rationaleCode]).toEqual(
          heldOut ? [null, 'default_provider_order'] : ['up-to-1000000', 'smart_routing_rule'],
        );
        expect(decision.record.reasons.some(({ code }) => code === 'held_out')).toBe(heldOut);
      }
    }
  });

  test('are in no trial of a version', async () => {
    const draft = await rulesOf(context, merchant.merchantId).draft(aDocument(account('paystack-main')));
    const terms = { percent: 50, toleratedLoss: 100, days: 7, reason: null, actor: 'staff:ada' };
    expect((await startCanary(context, { ...draft, ...terms })).kind).toBe('started');
    const [held = 0] = placesOf(true, 1);
    const [routed = 0] = placesOf(false, 1);
    expect((await pay(held, minutes(1))).decision.inputs.assignment).toEqual({ holdout: { ...draw(), heldOut: true } });
    const { assignment } = (await pay(routed, minutes(1))).decision.inputs;
    expect(assignment).toMatchObject({ holdout: { heldOut: false }, canary: { percent: 50 } });
  });

  test('are none where a merchant holds none out', async () => {
    await holdOut(0);
    const [held = 0] = placesOf(true, 1);
    expect((await pay(held, minutes(1))).decision.inputs.assignment).toBeUndefined();
    context.setClock(minutes(200));
    await takeHoldoutPayments(context);
    expect(await earned()).toEqual([]);
  });
});

describe('what routing earned', () => {
  test('counts each customer once a month, by the first payment, when the time to pay is over', async () => {
    await takeHoldoutPayments(context);
    const [held = 0] = placesOf(true, 1);
    const [first = 0, second = 0] = placesOf(false, 2);
    await pay(held, minutes(1), 'FAILED');
    await pay(held, minutes(2));
    await pay(first, minutes(1), 'SUCCESS', 1_000);
    await pay(first, minutes(3), 'SUCCESS', 9_000);
    await pay(second, minutes(3), 'FAILED');
    context.setClock(minutes(60));
    expect(await takeHoldoutPayments(context)).toBe(0);
    context.setClock(minutes(80));
    const beside = await context.beside();
    const other = { ...context, resources: { ...context.resources, ...beside.resources } };
    await Promise.all([takeHoldoutPayments(context, { batch: 2 }), takeHoldoutPayments(other, { batch: 2 })]);
    await takeHoldoutPayments(context);
    expect(await only()).toMatchObject({
      month: '2026-11',
      currency: 'NGN',
      percent: 5,
      routed: { customers: 2, paid: 1, amount: '1000' },
      heldOut: { customers: 1, paid: 0, amount: '0' },
      payments: 3,
      difference: null,
      earned: null,
      weeksLeft: null,
    });
    await pay(held, new Date('2026-11-30T23:30:00Z'));
    context.setClock(new Date('2026-12-01T12:00:00Z'));
    await takeHoldoutPayments(context);
    // In Lagos it is December by then.
    expect((await earned()).map(({ month, heldOut }) => [month, heldOut.customers])).toEqual([
      ['2026-12', 1],
      ['2026-11', 1],
    ]);
  });

  test('is money once the interval says so, else about how many weeks are missing', async () => {
    const sums = { sum: 0, squares: 0, spread: 0, reach: 1 / 0.05, promote: 0, rollBack: 0 };
    const row = { ...scope(), currency: 'NGN', percent: 5, routedPayments: 20_000, routedFees: '800', heldOutFees: '200' };
    const money = { routedAmount: 80_000n, heldOutAmount: 20_000n };
    const arms = { draft: { customers: 950, paid: 800 }, live: { customers: 50, paid: 30 } };
    const small = { ...sums, ...arms, sum: 150, spread: 6_500 };
    const large = {
      ...sums,
      draft: { customers: 95_000, paid: 80_000 },
      live: { customers: 5_000, paid: 3_900 },
      sum: 6_000,
      spread: 300_000,
    };
    const { holdoutMonth } = context.database.prisma;
    await holdoutMonth.create({ data: { ...row, ...money, month: '2026-10', sums: small } });
    await holdoutMonth.create({ data: { ...row, ...money, month: '2026-11', sums: large } });
    const [november, october] = await earned();
    expect(october).toMatchObject({ earned: null, difference: { estimate: 0.15 } });
    expect(october?.weeksLeft).toBeGreaterThan(4);
    // 6 points of 20,000 payments, of which one that is paid leaves (100,000 − 1,000) / 83,900 naira.
    expect(november?.difference?.estimate).toBeCloseTo(0.06, 9);
    expect(november?.earned?.estimate).toBe(Math.round((0.06 * 20_000 * 99_000) / 83_900));
    expect(november?.earned?.from).toBeLessThan(november?.earned?.estimate ?? 0);
    expect(november?.earned?.to).toBeGreaterThan(november?.earned?.estimate ?? 0);
    expect(november?.weeksLeft).toBeNull();
  });

  test('is counted by hashes of addresses, which erasing removes', async () => {
    await takeHoldoutPayments(context);
    const [held = 0] = placesOf(true, 1);
    const { paymentId } = await pay(held, minutes(1));
    context.setClock(minutes(100));
    await takeHoldoutPayments(context);
    const where = { where: { merchantId: merchant.merchantId } };
    const customers = async () => (await context.database.prisma.holdoutCustomer.findMany(where)).map(({ customer }) => customer);
    expect(await customers()).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/)]);
    await context.database.prisma.$transaction((transaction) =>
      eraseHoldoutCustomers(transaction, merchant.merchantId, [paymentId]),
    );
    expect(await customers()).toEqual([paymentId]);
  });
});
