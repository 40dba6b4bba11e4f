import { openTestHealth, type TestHealth } from '@switchyard/provider-health/testing';
import { createTestMerchant, publish, reloadConfiguration, type TestMerchant } from '@switchyard/runtime/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { describeRouting, type EvaluateRulesQuery, evaluateRules } from './evaluate.ts';

let context: TestHealth;
let merchant: TestMerchant;

beforeAll(async () => {
  context = await openTestHealth();
  merchant = await createTestMerchant(context, { 'paystack-main': {}, 'flutterwave-main': { maxAmount: 1_000 } });
  await publish(context, merchant.merchantId, document('flutterwave-main'));
  const { merchantId } = merchant;
  const words = { reason: 'Settlement is late.', actor: 'staff:ada', createdAt: context.now() };
  await context.database.prisma.routingOverride.create({
    data: { merchantId, id: context.newId(), accountId: id('flutterwave-main'), action: 'drain', ...words },
  });
  await reloadConfiguration(context, merchantId);
});
afterAll(() => context.close());

function id(label: string): string {
  return merchant.accounts[label] ?? '';
}

function document(label: string) {
  const when = { currency: 'NGN', methods: ['CARD' as const], amount: { from: 0, to: 5_000 } };
  const then = { strategy: 'priority' as const, accounts: [id(label)] };
  return { rules: [{ ruleId: 'small', name: 'Small cards', enabled: true, when, then }], defaultOrder: [id('paystack-main')] };
}

const payment = {
  currency: 'NGN',
  amount: 900,
  method: 'CARD',
  customerCountry: null,
  requestedGateway: null,
  paymentId: null,
} as const;

async function evaluate(change: Partial<EvaluateRulesQuery> = {}) {
  const query = {
    merchantId: merchant.merchantId,
    mode: 'test',
    document: document('paystack-main'),
    payment,
    conditions: 'calm',
  } as const;
  const outcome = await evaluateRules(context, { ...query, ...change });
  if (outcome.kind !== 'evaluated') throw new Error(outcome.kind);
  return outcome;
}

describe('one example payment', () => {
  test('is checked against every rule and account of the draft, and compared with the live rules', async () => {
    const { draft, live, comparison } = await evaluate();
    expect(draft.rules.map(({ verdict }) => verdict)).toEqual(['wins']);
    expect(draft.accounts.map(({ label, place }) => [label, place])).toEqual([
      ['paystack-main', 0],
      ['flutterwave-main', 1],
    ]);
    expect(live.decision.ruleSetVersion).toBe(1);
    expect(comparison).toMatchObject({ recommendedBefore: id('flutterwave-main'), recommendedNow: id('paystack-main') });
  });

  test('uses present health and overrides only on request', async () => {
    expect((await evaluate({ conditions: 'calm' })).live.decision.plan[0]?.accountId).toBe(id('flutterwave-main'));
    const { live } = await evaluate({ conditions: 'present' });
    expect(live.decision.plan[0]?.accountId).toBe(id('paystack-main'));
    const conditions = live.accounts.find(({ label }) => label === 'flutterwave-main')?.conditions;
    expect(conditions?.filter(({ outcome }) => outcome !== 'holds')).toMatchObject([{ condition: 'operator', outcome: 'fails' }]);
  });

  test('uses the live rules where no draft is given', async () => {
    const { comparison, draft } = await evaluate({ document: null });
    expect([comparison.same, draft.decision.ruleSetVersion]).toEqual([true, 1]);
  });
});

test('an overview shows the rules in force with the accounts and overrides they work on', async () => {
  const found = await describeRouting(context, { merchantId: merchant.merchantId, mode: 'test' });
  expect(found).toMatchObject({ ruleSet: { version: 1, rules: [{ ruleId: 'small' }] } });
  expect(found?.accounts.map(({ label, gatewayTitle, configured }) => [label, gatewayTitle, configured])).toEqual([
    ['paystack-main', 'Paystack', true],
    ['flutterwave-main', 'Flutterwave', true],
  ]);
  expect(found?.overrides).toMatchObject([{ action: 'drain', accountId: id('flutterwave-main') }]);
  expect(await describeRouting(context, { merchantId: context.newId(), mode: 'test' })).toBeNull();
});

test('an invalid document and an unknown merchant are refused', async () => {
  const query = { merchantId: merchant.merchantId, mode: 'test', payment, conditions: 'calm' } as const;
  expect(await evaluateRules(context, { ...query, document: { rules: 1 } })).toMatchObject({ kind: 'invalid' });
  expect(await evaluateRules(context, { ...query, document: [] })).toMatchObject({ kind: 'invalid' });
  expect(await evaluateRules(context, { ...query, merchantId: context.newId(), document: null })).toEqual({ kind: 'not_found' });
});
