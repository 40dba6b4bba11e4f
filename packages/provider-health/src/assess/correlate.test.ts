import { describe, expect, it } from 'vitest';
import { type AccountState, correlate } from './correlate.ts';

const TWO_PM = Date.UTC(2026, 10, 20, 14, 0, 0);

function accountState(gateway: string, minutesPastTwo: number, change: Partial<AccountState> = {}): AccountState {
  return {
    accountId: `${gateway}-main`,
    gateway,
    method: 'CARD',
    state: 'down',
    since: TWO_PM + minutesPastTwo * 60_000,
    ...change,
  };
}

describe('trouble at several gateways at once', () => {
  it('is attributed to the method', () => {
    expect(correlate([accountState('Flutterwave', 3, { state: 'degraded' }), accountState('Paystack', 2)])).toEqual([
      {
        method: 'CARD',
        gateways: [
          { gateway: 'Paystack', since: TWO_PM + 120_000 },
          { gateway: 'Flutterwave', since: TWO_PM + 180_000 },
        ],
        accountIds: ['Paystack-main', 'Flutterwave-main'],
        since: TWO_PM + 120_000,
      },
    ]);
  });

  it.each<[string, AccountState[]]>([
    ['at two accounts of one gateway', [accountState('Paystack', 0), accountState('Paystack', 1, { accountId: 'second' })]],
    ['with different methods', [accountState('Paystack', 0), accountState('Monnify', 0, { method: 'USSD' })]],
    ['begun more than ten minutes apart', [accountState('Paystack', 0), accountState('Monnify', 11)]],
    ['where the other is healthy or probing', [accountState('Paystack', 0), accountState('Monnify', 0, { state: 'probing' })]],
  ])('is not seen %s', (_, accounts) => {
    expect(correlate(accounts)).toEqual([]);
  });
});
