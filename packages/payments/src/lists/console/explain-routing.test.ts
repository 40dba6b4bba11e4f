import type { Rule } from '@switchyard/routing';
import { readDecision } from '@switchyard/rule-sets/read-inputs';
import { packDecision } from '@switchyard/rule-sets/store-inputs';
import { createTestMerchant, publish, reloadConfiguration, type TestMerchant } from '@switchyard/runtime/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openTestPayments, type TestPayments } from '../../testing/context.ts';
import { type PastPaymentOptions, recordPayment } from '../../testing/past.ts';
import { explainRouting, type RoutingExplanation } from './explain-routing.ts';

let context: TestPayments;
let merchant: TestMerchant;
let version: number;

beforeAll(async () => {
  context = await openTestPayments();
});
afterAll(() => context.close());

beforeEach(async () => {
  merchant = await createTestMerchant(context, { 'paystack-main': {}, 'flutterwave-main': {} });
  version = await publish(context, merchant.merchantId, {
    rules: [rule('small-cards', 5_000, 'paystack-main'), rule('cards', null, 'flutterwave-main')],
    defaultOrder: [id('flutterwave-main'), id('paystack-main')],
  });
});

function id(label: string): string {
  return merchant.accounts[label] ?? '';
}

function rule(ruleId: string, to: number | null, label: string): Rule {
  const when = { currency: 'NGN', methods: ['CARD'], amount: { from: 0, to } } as const;
  return { ruleId, name: ruleId, enabled: true, when, then: { strategy: 'priority', accounts: [id(label)] } };
}

async function explainNew(options: PastPaymentOptions = {}): Promise<RoutingExplanation> {
  const { paymentId } = await recordPayment(context, merchant.merchantId, options);
  return explain(paymentId);
}

async function explain(paymentId: string): Promise<RoutingExplanation> {
  const found = await explainRouting(context, { merchantIds: [merchant.merchantId], paymentId });
  if (found === null) throw new Error('the payment was not found');
  return found;
}

async function setOverride(action: 'drain' | 'force', label: string): Promise<void> {
  const { merchantId } = merchant;
  const words = { reason: 'Settlement is late.', actor: 'staff:ada', createdAt: context.now() };
  await context.database.prisma.routingOverride.create({
    data: { merchantId, id: context.newId(), accountId: id(label), action, ...words },
  });
  await reloadConfiguration(context, merchantId);
}

describe('recomputation', () => {
  test('a stored decision is reproduced, despite later changes of the record, the rules and the accounts', async () => {
    const cases: PastPaymentOptions[] = [
      {},
      { amount: 7_500 },
      { method: null },
      { method: 'USSD' },
      { requestedGateway: 'flutterwave' },
      { fellBack: true },
      { customerCountry: 'NG', amount: 1 },
    ];
    const made = [];
    for (const options of cases) made.push(await recordPayment(context, merchant.merchantId, options));
    await setOverride('drain', 'paystack-main');
    made.push(await recordPayment(context, merchant.merchantId));
    await publish(context, merchant.merchantId, { rules: [], defaultOrder: [id('flutterwave-main')] });
    await context.database.prisma.gatewayAccount.updateMany({
      where: { id: id('paystack-main') },
      data: { enabled: false, maxAmount: 10 },
    });
    await reloadConfiguration(context, merchant.merchantId);
    for (const { paymentId, decision } of made) {
      const { recomputed, stored } = await explain(paymentId);
      expect(recomputed).toMatchObject({ kind: 'same', differences: [] });
      expect(stored).toEqual(JSON.parse(JSON.stringify(decision)));
    }
  });

  test('a payment from before the first rules is recomputed from its accounts alone', async () => {
    merchant = await createTestMerchant(context, { 'paystack-main': {}, 'flutterwave-main': {} });
    const { recomputed } = await explainNew();
    expect(recomputed.kind).toBe('same');
    expect(recomputed.message).toMatch(/no rules had been published/);
  });

  test('a modified row is reported, with its differences', async () => {
    const { paymentId, decision } = await recordPayment(context, merchant.merchantId);
    const { inputs } = readDecision(await context.database.prisma.payment.findFirstOrThrow({ where: { id: paymentId } }));
    const modified = packDecision({ ...decision.record, rationale: 'Because.' }, JSON.parse(JSON.stringify(inputs)));
    await context.database.pool.query('UPDATE payment SET packed_decision = $2 WHERE id = $1', [paymentId, modified]);
    expect((await explain(paymentId)).recomputed).toMatchObject({
      kind: 'differs',
      differences: ['What was stored as rationale is different when recomputed.'],
    });
    await context.database.pool.query('UPDATE payment SET rule_id = $2 WHERE id = $1', [paymentId, 'cards']);
    expect((await explain(paymentId)).recomputed.differences).toEqual([
      'It followed rule cards and now follows rule small-cards.',
    ]);
  });

  test('a draw that the customer’s address does not make is reported, until the address is erased', async () => {
    const { paymentId, decision } = await recordPayment(context, merchant.merchantId);
    const { payment } = context.database.prisma;
    const { inputs } = readDecision(await payment.findFirstOrThrow({ where: { id: paymentId } }));
    const drawn = { salt: 'salt', percent: 100 };
    const holdout = { ...drawn, percent: 0, heldOut: true };
    const canary = { ...drawn, canaryId: context.newId(), arm: 'live' };
    const differencesWith = async (assignment: object): Promise<readonly string[]> => {
      const stored = JSON.parse(JSON.stringify({ ...Object(inputs), assignment }));
      const packedDecision = packDecision(decision.record, stored);
      await context.database.pool.query('UPDATE payment SET packed_decision = $2 WHERE id = $1', [paymentId, packedDecision]);
      return (await explain(paymentId)).recomputed.differences;
    };
    expect(await differencesWith({ holdout })).toContain(
      'The customer is not drawn for the hold-out, and the payment was held out.',
    );
    const notTried = 'The customer is drawn for the trial, and the payment was not routed by the rules on trial.';
    expect(await differencesWith({ canary })).toEqual([notTried]);
    expect(await differencesWith({ canary: { ...canary, percent: 0 } })).toEqual([]);
    await payment.updateMany({ where: { id: paymentId }, data: { customerErasedAt: context.now() } });
    expect(await differencesWith({ canary })).toEqual([]);
  });

  test('missing rules and unreadable inputs are reported', async () => {
    const { paymentId, decision } = await recordPayment(context, merchant.merchantId);
    await context.database.pool.query('UPDATE payment SET rule_set_version = 99 WHERE id = $1', [paymentId]);
    expect((await explain(paymentId)).recomputed.message).toMatch(/Version 99 of the rules is not on record/);
    const unreadable = packDecision(decision.record, {});
    await context.database.pool.query('UPDATE payment SET packed_decision = $2 WHERE id = $1', [paymentId, unreadable]);
    expect(await explain(paymentId)).toMatchObject({ stored: null, now: null, recomputed: { kind: 'impossible' } });
  });
});

describe('why', () => {
  test('each skipped rule names its failed conditions, and each account its failed checks', async () => {
    const { recomputed } = await explainNew({ amount: 7_500 });
    const [first, second] = recomputed.evaluation?.rules ?? [];
    expect(first).toMatchObject({ ruleId: 'small-cards', verdict: 'fails' });
    expect(first?.conditions.filter(({ holds }) => !holds)).toEqual([
      { condition: 'amount', holds: false, message: 'NGN 0 to NGN 5,000, and the payment is NGN 7,500.00' },
    ]);
    expect(second).toMatchObject({ ruleId: 'cards', verdict: 'wins' });
    expect(recomputed.evaluation?.accounts.map(({ label, place }) => [label, place])).toEqual([
      ['paystack-main', 1],
      ['flutterwave-main', 0],
    ]);
  });
});

describe('now', () => {
  test('without a change, the payment would be routed the same way', async () => {
    const { now } = await explainNew();
    expect(now).toMatchObject({ message: 'It would be routed the same way now.', comparison: { same: true, differences: [] } });
  });

  test('new rules and an override each route it elsewhere, and the difference is named', async () => {
    const { paymentId } = await recordPayment(context, merchant.merchantId);
    await publish(context, merchant.merchantId, { rules: [rule('cards', null, 'flutterwave-main')], defaultOrder: [] });
    const elsewhere = 'It would go to flutterwave-main now, and not to paystack-main.';
    expect((await explain(paymentId)).now).toMatchObject({
      message: elsewhere,
      comparison: { recommendedBefore: id('paystack-main'), recommendedNow: id('flutterwave-main') },
    });
    await setOverride('force', 'paystack-main');
    expect((await explain(paymentId)).now?.message).not.toBe(elsewhere);
  });

  test('an account that has gone down since is named, with its former state', async () => {
    const { paymentId } = await recordPayment(context, merchant.merchantId);
    const where = { merchantId: merchant.merchantId, accountId: id('paystack-main'), method: 'CARD' };
    const call = { method: 'POST', url: '', httpStatus: 500, latencyMs: 9, request: null, answer: null, retryAfterMs: null };
    const failure = { class: 'provider_fault', code: 'http_5xx', message: 'x' } as const;
    for (let n = 0; n < 12; n++) context.health.beginOpening(where)({ outcome: 'unknown', failure, call });
    await context.health.tick();
    const { now } = await explain(paymentId);
    expect(now?.comparison.differences).toContain('paystack-main was healthy and is now down.');
  });
});

test('another merchant’s payments and invalid ids are not found', async () => {
  const { paymentId } = await recordPayment(context, merchant.merchantId);
  expect(await explainRouting(context, { merchantIds: [context.newId()], paymentId })).toBeNull();
  expect(await explainRouting(context, { merchantIds: [merchant.merchantId], paymentId: 'no id' })).toBeNull();
  expect(version).toBe(1);
});
