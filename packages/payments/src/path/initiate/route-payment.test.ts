import type { AccountHealth, RoutableAccount, Rule } from '@switchyard/routing';
import { compileRuleSet } from '@switchyard/routing/decide';
import { recompute } from '@switchyard/routing/recompute';
import { createTestMerchant, publish, reloadConfiguration } from '@switchyard/runtime/testing';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { differencesFromStored } from '../../lists/decisions/decide-again.ts';
import { findPaymentDecision, readStoredDecision } from '../../record/decisions/stored-decision.ts';
import type { Order } from '../../record/order.ts';
import { openTestPayments, type TestPayments, TIMED_OUT, withGateways } from '../../testing/context.ts';
import { initiate } from './initiate.ts';
import { routePayment } from './route-payment.ts';

function account(accountId: string): RoutableAccount {
  const [gateway = ''] = accountId.split('-');
  const takes = { currencies: ['NGN'], methods: ['CARD'], minAmount: 1, maxAmount: null, fees: null } as const;
  return { accountId, gateway, label: accountId, enabled: true, configured: true, ...takes };
}

function probing(accountId: string, method: 'CARD' | null): AccountHealth {
  const counts = { succeeded: 0, faulted: 0, paid: 0, unpaid: 0 };
  return {
    accountId,
    method,
    state: 'probing',
    why: { code: 'unused' },
    since: '2026-11-20T14:00:00.000Z',
    probeSlot: true,
    ...counts,
  };
}

function route(health: readonly AccountHealth[], isFree: boolean) {
  const claimed: [string, string | null][] = [];
  const paymentId = '0193471e-8a3b-7c21-9f4e-2b6d5a7c9e10';
  const decision = routePayment(
    {
      payment: { paymentId, currency: 'NGN', amount: 2_500, method: 'CARD', customerCountry: null, requestedGateway: null },
      ruleSet: compileRuleSet({ version: 1, rules: [], defaultOrder: ['paystack-main', 'monnify-main', 'flutterwave-main'] }),
      accounts: [account('paystack-main'), account('monnify-main'), account('flutterwave-main')],
      health,
      overrides: [],
      decidedAt: '2026-11-20T14:05:00.000Z',
    },
    (accountId, method) => {
      claimed.push([accountId, method]);
      return isFree;
    },
  );
  return { plan: decision.plan.map(({ accountId }) => accountId), claimed, decision };
}

describe('a payment that may lead at a recovering account', () => {
  test("takes the account's slot and leads there", () => {
    const { plan, claimed } = route([probing('paystack-main', 'CARD')], true);
    expect(plan).toEqual(['paystack-main', 'monnify-main', 'flutterwave-main']);
    expect(claimed).toEqual([['paystack-main', 'CARD']]);
  });

  test('goes to the healthy accounts first once the slot is taken, and the stored inputs record it', () => {
    const { plan, claimed, decision } = route([probing('paystack-main', null)], false);
    expect(plan).toEqual(['monnify-main', 'flutterwave-main', 'paystack-main']);
    expect(claimed).toEqual([['paystack-main', null]]);
    expect(decision.inputs.health).toMatchObject([{ accountId: 'paystack-main', probeSlot: false }]);
  });

  test('tries the slot of the next recovering account, once', () => {
    const health = [probing('paystack-main', null), probing('monnify-main', null)];
    const { plan, claimed } = route(health, false);
    expect(plan).toEqual(['flutterwave-main', 'paystack-main', 'monnify-main']);
    expect(claimed).toEqual([
      ['paystack-main', null],
      ['monnify-main', null],
    ]);
  });

  test('takes no slot where it only falls back on the account, or does not reach it at all', () => {
    expect(route([probing('monnify-main', 'CARD')], true).claimed).toEqual([]);
    expect(route([], true).claimed).toEqual([]);
  });
});

let context: TestPayments;
beforeAll(async () => {
  context = await openTestPayments();
});
afterEach(() => vi.restoreAllMocks());
afterAll(() => context.close());

const KEYS = [{ name: 'tier', label: 'Tier', type: 'enum', values: ['gold', 'silver'], ignoreCase: true }] as const;

/** A merchant whose cards go to `paystack-b` by a rule with these conditions. */
async function merchantWith(conditions: Partial<Rule['when']>) {
  const { merchantId, accounts } = await createTestMerchant(context, { 'paystack-a': {}, 'paystack-b': {} });
  const [a = '', b = ''] = [accounts['paystack-a'], accounts['paystack-b']];
  const when: Rule['when'] = { currency: 'NGN', methods: ['CARD'], amount: { from: 0, to: null }, ...conditions };
  const rule: Rule = { ruleId: 'keyed', name: 'Keyed', enabled: true, when, then: { strategy: 'priority', accounts: [b] } };
  const ruleSet = { keys: KEYS, rules: [rule], defaultOrder: [a] };
  await publish(context, merchantId, ruleSet);
  await reloadConfiguration(context, merchantId);
  return { merchantId, ruleSet: { ...ruleSet, version: 1 } };
}

/** Initiates a payment; the rule that decided it, the keys it kept, and the statements that read who had paid. */
async function pay(merchantId: string, change: Partial<Order> = {}) {
  const configuration = context.resources.configuration.merchant(merchantId) ?? expect.fail();
  const order: Order = {
    merchantOrderId: context.newId(),
    amount: 2_500n,
    currency: 'NGN',
    metadata: null,
    redirectUrl: null,
    customer: { email: 'ada@example.com', id: null, phone: null },
    paymentMethod: 'CARD',
    customerCountry: null,
    requestedGateway: null,
    ...change,
  };
  const query = vi.spyOn(context.resources.database.pool, 'query').mockClear();
  const paymentId = context.newId();
  const silent = withGateways(context, () => ({ open: async () => TIMED_OUT }));
  await initiate(silent, { configuration, mode: 'test' }, order, paymentId, { add: () => undefined });
  const history = query.mock.calls.filter(([statement]) => JSON.stringify(statement).includes('customer-has-paid')).length;
  const stored = (await findPaymentDecision(context.database, [merchantId], paymentId)) ?? expect.fail();
  const decision = (await readStoredDecision(context.database, stored)) ?? expect.fail();
  return { paymentId, decision, ruleId: stored.ruleId, keys: decision.inputs.payment.keys, history };
}

test('metadata is compared as it was declared, and its value is kept for a decision taken again', async () => {
  const { merchantId, ruleSet } = await merchantWith({ metadata: [{ key: 'tier', is: 'one_of', values: ['gold'] }] });
  const gold = await pay(merchantId, { metadata: { tier: 'GOLD', other: 1 } });
  expect(gold).toMatchObject({ ruleId: 'keyed', keys: { metadata: { tier: 'gold' } }, history: 0 });
  await context.database.prisma.payment.update({
    where: { merchantId_id: { merchantId, id: gold.paymentId } },
    data: { metadata: { tier: 'silver' } },
  });
  const again = recompute({ inputs: gold.decision.inputs, ruleSet });
  expect(differencesFromStored({ customerEmail: null }, gold.decision, again)).toEqual([]);
  expect(await pay(merchantId, { metadata: { tier: 'silver' } })).toMatchObject({ ruleId: null });
  expect(await pay(merchantId, { metadata: { tier: 7 } })).toMatchObject({ ruleId: null, keys: { metadata: {} } });
});

test("a customer's history is read by one statement where rules compare it, and only then", async () => {
  const { merchantId } = await merchantWith({ customer: 'returning' });
  const first = await pay(merchantId);
  expect(first).toMatchObject({ ruleId: null, keys: { customer: 'new' }, history: 1 });
  await context.database.prisma.payment.update({
    where: { merchantId_id: { merchantId, id: first.paymentId } },
    data: { status: 'REFUNDED', failureReason: null },
  });
  const email = 'Ada@Example.com';
  expect(await pay(merchantId, { customer: { email, id: null, phone: null } })).toMatchObject({
    ruleId: 'keyed',
    keys: { customer: 'returning' },
    history: 1,
  });
  expect(await pay(merchantId, { requestedGateway: 'paystack' })).toMatchObject({ keys: undefined, history: 0 });
  expect(await pay(merchantId, { paymentMethod: null })).toMatchObject({ keys: undefined, history: 0 });
});

test('hours and weekdays are those of the zone, and rules without keys keep none', async () => {
  const timed = await merchantWith({ weekdays: ['mon'] });
  const { prisma } = context.database;
  await prisma.merchant.update({ where: { id: timed.merchantId }, data: { timeZone: 'Pacific/Auckland' } });
  await reloadConfiguration(context, timed.merchantId);
  const { keys, decision, history } = await pay(timed.merchantId);
  const at = new Intl.DateTimeFormat('en-GB', { timeZone: 'Pacific/Auckland', weekday: 'short' });
  expect(keys?.time?.slice(0, 3)).toBe(at.format(new Date(decision.inputs.decidedAt)).slice(0, 3).toLowerCase());
  expect(history).toBe(0);
  const plain = await merchantWith({});
  expect(await pay(plain.merchantId, { metadata: { tier: 'gold' } })).toMatchObject({
    ruleId: 'keyed',
    keys: undefined,
    history: 0,
  });
});
