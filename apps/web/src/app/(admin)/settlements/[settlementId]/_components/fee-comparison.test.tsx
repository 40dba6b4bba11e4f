// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { FeeSums } from '#/copy/fees.ts';
import type { WholeSettlement } from '#/copy/settlements.ts';
import { expectCalls, hrefOf, openDashboard, tableOf } from '#/testing/dashboard.tsx';
import { FeeComparison } from './fee-comparison.tsx';

const page = openDashboard('?mode=live&merchant=m-1', '/settlements/s-1');
const SETTLEMENT = { settlementId: 's-1', merchantId: 'm-1', mode: 'live' } as WholeSettlement;
const SUMS: FeeSums = {
  currency: 'NGN',
  payments: 12,
  amount: '25000',
  compared: 10,
  expected: '1200',
  charged: '1577.5',
  difference: '377.5',
  overcharged: 3,
  overcharge: '380.5',
  undercharged: 1,
  undercharge: '3',
  withoutContract: 2,
  withoutFee: 0,
};

test('fees by contract are beside those charged, and the overcharges one click away', async () => {
  page.on('fees.sums', () => [SUMS]);
  page.show(<FeeComparison settlement={SETTLEMENT} />);
  expect((await tableOf('Fees by contract and as charged')).slice(1)).toEqual([
    ['NGN', '10 of 12', '1,200.00', '1,577.50', '377.50', 'NGN 380.50 on 3 payments'],
  ]);
  expect(hrefOf('NGN 380.50 on 3 payments')).toBe('/fees?mode=live&merchant=m-1&settlement=s-1');
  await expectCalls(page, 'fees.sums', [{ mode: 'live', merchantIds: ['m-1'], settlementId: 's-1' }]);
});

test('a settlement whose fees are as agreed has no link, and one without a contract says so', async () => {
  page.on('fees.sums', () => [{ ...SUMS, difference: '0', overcharged: 0, overcharge: '0' }]);
  page.show(<FeeComparison settlement={SETTLEMENT} />);
  expect((await tableOf('Fees by contract and as charged'))[1]?.slice(4)).toEqual(['0.00', 'None']);
  expect(screen.queryAllByRole('link')).toEqual([]);
});

test('without a contract nothing is compared, and one can be entered', async () => {
  page.on('fees.sums', () => [{ ...SUMS, compared: 0 }]);
  page.show(<FeeComparison settlement={SETTLEMENT} />);
  expect(await screen.findByText(/No fee of this settlement is compared/)).toBeTruthy();
  expect(hrefOf('Enter a contract')).toContain('view=contracts');
});
