import type { AccountHealth, RoutableAccount } from '@switchyard/routing';
import { compileRuleSet } from '@switchyard/routing/decide';
import { describe, expect, test } from 'vitest';
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
