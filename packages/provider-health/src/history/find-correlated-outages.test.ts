import { describe, expect, test } from 'vitest';
import type { AccountOverview } from './describe-health.ts';
import { findCorrelatedOutages, troubleOf } from './find-correlated-outages.ts';

const START = Date.parse('2026-11-20T14:00:00Z');
const NONE = {
  succeeded: 0,
  faulted: 0,
  lookups: { answered: 0, failed: 0 },
  probesLeft: 0,
  answersSince: null,
  paid: 0,
  unpaid: 0,
};

function account(
  accountId: string,
  merchantId: string,
  gateway: string,
  {
    minute = 0,
    state = 'down' as const,
    ...change
  }: { minute?: number; state?: 'down' | 'degraded' | 'healthy' } & Partial<AccountOverview> = {},
): AccountOverview {
  const why = { code: 'unused' } as const;
  const since = new Date(START + minute * 60_000);
  const health = [{ method: null, judgedBy: 'method', state, why, since, ...NONE }] as const;
  const of = { merchantId, merchantName: merchantId, accountId, label: accountId, gateway, gatewayTitle: gateway };
  return { ...of, enabled: true, isProbed: true, fault: null, health, overrides: [], planned: [], ...change };
}

const membersOf = (accounts: readonly AccountOverview[], trouble: Parameters<typeof findCorrelatedOutages>[0]['trouble'] = []) =>
  findCorrelatedOutages({ accounts, trouble }).map(({ members }) => members.map((member) => member.account.accountId));

describe('an outage of several accounts', () => {
  test('is one where a method fails at several gateways', () => {
    const accounts = [
      account('a', 'm1', 'Paystack', { minute: 3 }),
      account('b', 'm1', 'Flutterwave'),
      account('c', 'm1', 'Kora', { state: 'healthy' }),
    ];
    const trouble = [{ method: null, gateways: [], accountIds: ['a', 'b'], since: START }];
    expect(membersOf(accounts, trouble)).toEqual([['b', 'a']]);
  });

  test('is one where a gateway fails for several merchants within ten minutes', () => {
    const accounts = [
      account('a', 'm1', 'Paystack'),
      account('b', 'm2', 'Paystack', { minute: 9 }),
      account('c', 'm3', 'Paystack', { minute: -2 }),
    ];
    expect(membersOf(accounts)).toEqual([['a', 'b']]);
  });

  test('is none at one gateway of one merchant, nor at different gateways of different merchants', () => {
    expect(membersOf([account('a', 'm1', 'Paystack'), account('b', 'm1', 'Paystack')])).toEqual([]);
    expect(membersOf([account('a', 'm1', 'Paystack'), account('b', 'm2', 'Kora')])).toEqual([]);
  });

  test('is one where two causes share an account', () => {
    const accounts = [account('a', 'm1', 'Paystack'), account('b', 'm2', 'Paystack'), account('c', 'm1', 'Kora')];
    const trouble = [{ method: 'CARD' as const, gateways: [], accountIds: ['a', 'c'], since: START }];
    expect(findCorrelatedOutages({ accounts, trouble })).toMatchObject([{ methods: ['CARD'], members: [{}, {}, {}] }]);
  });

  test('leaves out accounts that are switched off or out of rotation', () => {
    const fault = { kind: 'credentials', since: new Date(START), sentence: '', message: '' } as const;
    const accounts = [
      account('a', 'm1', 'Paystack', { enabled: false }),
      account('b', 'm2', 'Paystack', { fault }),
      account('c', 'm3', 'Paystack'),
    ];
    const trouble = [{ method: null, gateways: [], accountIds: ['a', 'b', 'c'], since: START }];
    expect(membersOf(accounts, trouble)).toEqual([]);
  });
});

test('the trouble of an account is its worst state, since the first of its methods', () => {
  expect(troubleOf(account('a', 'm1', 'Paystack', { state: 'degraded' }))?.state).toBe('degraded');
  expect(troubleOf(account('a', 'm1', 'Paystack', { state: 'healthy' }))).toBeNull();
});
