import { openTestHealth, type TestHealth } from '@switchyard/provider-health/testing';
import { createTestMerchant, reloadConfiguration, type TestMerchant } from '@switchyard/runtime/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { routingSnapshot } from '../snapshot/routing-snapshot.ts';
import { recordPayment } from '../testing/past-payments.ts';
import { cardRule, rulesOf } from '../testing/rules.ts';
import { updateSuccessRates } from './success-rates.ts';

let context: TestHealth;
let merchant: TestMerchant;

beforeAll(async () => {
  context = await openTestHealth();
  merchant = await createTestMerchant(context, { 'paystack-main': {}, 'flutterwave-main': {} });
});
afterAll(() => context.close());

const DAY_MS = 86_400_000;

async function pay(amount: number, status: 'SUCCESS' | 'FAILED' | 'PENDING', ageMs = DAY_MS): Promise<void> {
  const createdAt = new Date(context.now().getTime() - ageMs);
  const about = { paymentId: context.newId(), method: 'CARD', requestedGateway: null } as const;
  await recordPayment(context, merchant.merchantId, { ...about, amount, createdAt, status });
}

function ratesOf(label: string) {
  const configuration = context.resources.configuration.merchant(merchant.merchantId);
  if (configuration === undefined) throw new Error('there is no such merchant');
  const { accounts } = routingSnapshot(context.resources, configuration, 'test', context.now());
  return accounts.find((account) => account.label === label)?.successRates;
}

test('finished payments are counted for rules that rank by expected value, by size, and for no others', async () => {
  const { publish } = rulesOf(context, merchant.merchantId);
  const account = merchant.accounts['paystack-main'] ?? '';
  await publish({ rules: [], defaultOrder: [account] }, 0);
  await reloadConfiguration(context, merchant.merchantId);
  for (const status of ['SUCCESS', 'SUCCESS', 'FAILED', 'PENDING'] as const) await pay(2_500, status);
  await pay(5_000, 'SUCCESS');
  await pay(5_001, 'FAILED');
  await pay(600_000, 'SUCCESS');
  await pay(2_500, 'FAILED', 29 * DAY_MS);
  await pay(2_500, 'FAILED', 60_000);
  await updateSuccessRates(context);
  expect(ratesOf('paystack-main')).toBeUndefined();

  const rule = { ...cardRule(account), then: { strategy: 'expected_value' as const, accounts: [account] } };
  await publish({ rules: [rule], defaultOrder: [account] }, 1);
  await reloadConfiguration(context, merchant.merchantId);
  expect(await updateSuccessRates(context)).toBe(1);
  const rate = { currency: 'NGN', method: 'CARD' };
  expect(ratesOf('paystack-main')).toEqual([
    { ...rate, amount: { from: 0, to: 5_000 }, paid: 3, finished: 4 },
    { ...rate, amount: { from: 5_001, to: 20_000 }, paid: 0, finished: 1 },
    { ...rate, amount: { from: 500_001, to: null }, paid: 1, finished: 1 },
  ]);
  expect(ratesOf('flutterwave-main')).toBeUndefined();

  const revision = () => context.resources.configuration.merchant(merchant.merchantId)?.revision;
  const before = revision();
  await updateSuccessRates(context);
  expect(revision()).toBe(before);

  await publish({ rules: [], defaultOrder: [account] }, 2);
  await reloadConfiguration(context, merchant.merchantId);
  expect(await updateSuccessRates(context)).toBe(0);
  expect(ratesOf('paystack-main')).toBeUndefined();
});
