// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { button, expectRefusal, field, openDashboard, tableOf } from '#/testing/dashboard.tsx';
import { ChangesSection, WithdrawPayout } from './settlement-page.tsx';

const page = openDashboard('?mode=test&merchant=m-1', '/settlements/s-1');
const PAYOUT = { settlementId: 's-1', merchantId: 'm-1', reference: 'P-1', road: 'FILE', status: 'PAID' } as const;
const FIGURES = { currency: 'NGN', net: '1000', settledOn: '2026-11-25', lines: 2 };
const PREVIEW = {
  kind: 'preview',
  payouts: [{ settlementId: 's-1', reference: 'P-1', before: FIGURES, after: null }],
  count: 1,
  lines: 2,
  sums: [],
  hash: 'w-1',
};

beforeEach(() => {
  page.allow('report:read', 'reconciliation:resolve');
  page.on('settlements.withdrawals.preview', () => PREVIEW);
  page.on('settlements.withdrawals.effect', () => ({ kind: 'effect', opened: [], closed: [], books: [] }));
});

test('a payout of a file is withdrawn as its preview said; where that holds no more, it is reviewed again', async () => {
  page.on('settlements.withdrawals.withdraw', () => ({ kind: 'changed', preview: { ...PREVIEW, hash: 'w-2' } }));
  const user = page.show(<WithdrawPayout settlement={PAYOUT} />);
  await user.click(await screen.findByRole('button', { name: 'Withdraw…' }));
  expect((await tableOf('Payouts that are withdrawn'))[1]).toEqual(['P-1', '2', 'NGN 1,000.00', 'Nothing']);
  await user.type(field('Reason'), 'Recorded twice');
  page.on('settlements.withdrawals.preview', () => ({ ...PREVIEW, hash: 'w-2' }));
  await user.click(button('Withdraw payout'));
  await expectRefusal('Nothing was withdrawn: something has changed since. Review it again.');
  page.on('settlements.withdrawals.withdraw', () => ({ kind: 'withdrawn', payouts: 1 }));
  await user.click(button('Withdraw payout'));
  await waitFor(() => expect(page.toasts()).toEqual(['The payout P-1 is withdrawn.']));
  expect(page.calls('settlements.withdrawals.withdraw')).toMatchObject([{ hash: 'w-1' }, { hash: 'w-2' }]);
});

test('a payout that the gateway reported, one that is withdrawn, and all of it to others, have nothing to withdraw', async () => {
  page.show(<WithdrawPayout settlement={{ ...PAYOUT, road: 'POLLED' }} />);
  page.show(<WithdrawPayout settlement={{ ...PAYOUT, status: 'WITHDRAWN' }} />);
  page.allow('report:read');
  page.show(<WithdrawPayout settlement={PAYOUT} />);
  await waitFor(() => expect(page.calls('me').length).toBeGreaterThan(0));
  expect(screen.queryByRole('button', { name: 'Withdraw…' })).toBeNull();
});

test('what people changed of a payout is listed with its figures before and after, and why', async () => {
  const change = { changeId: 'c-1', before: FIGURES, changedByName: 'Ada', changedAt: new Date('2026-11-26T08:00:00Z') };
  page.on('settlements.changes', () => [
    { ...change, action: 'withdrawn', after: null, reason: 'Recorded twice', fileName: null },
    {
      ...change,
      changeId: 'c-0',
      action: 'replaced',
      after: { ...FIGURES, net: '900', lines: 1 },
      reason: 'A new export',
      fileName: 'b.csv',
    },
  ]);
  page.show(<ChangesSection settlementId="s-1" />);
  expect((await tableOf('Corrections')).slice(1).map((cells) => cells.slice(1))).toEqual([
    ['Withdrawn', 'NGN 1,000.00, 2026-11-25, 2 lines', 'Nothing', 'Recorded twice', 'Ada'],
    ['Replaced by a fileb.csv', 'NGN 1,000.00, 2026-11-25, 2 lines', 'NGN 900.00, 2026-11-25, 1 line', 'A new export', 'Ada'],
  ]);
});
