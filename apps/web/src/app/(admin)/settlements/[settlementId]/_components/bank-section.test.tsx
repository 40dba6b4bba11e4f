// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import type { MatchedBankLine, WholeSettlement } from '#/copy/settlements.ts';
import { button, expectCalls, openDashboard, tableOf } from '#/testing/dashboard.tsx';
import { BankSection } from './bank-section.tsx';

const page = openDashboard('?mode=test&merchant=m-1', '/settlements/s-1');
const SETTLEMENT = { settlementId: 's-1', merchantId: 'm-1', status: 'PAID', currency: 'NGN', net: '1000' } as WholeSettlement;
const LINE: MatchedBankLine = {
  bankLineId: 'b-1',
  bankAccount: 'GTB 0123',
  bookedOn: '2026-11-24',
  amount: '700',
  currency: 'NGN',
  text: 'PAYSTACK 1',
  by: 'reference',
  byName: null,
};

beforeEach(() => {
  page.allow('report:read', 'reconciliation:resolve');
  page.on('settlements.bank.linesOf', () => [LINE, { ...LINE, bankLineId: 'b-2', amount: '300', by: 'staff', byName: 'Ada' }]);
});

test('the lines of a payout say by what they were matched, and each is undone after a question', async () => {
  page.on('settlements.bank.unlink', () => ({ changed: true }));
  const user = page.show(<BankSection settlement={SETTLEMENT} />);
  expect((await tableOf('Bank lines')).slice(1)).toEqual([
    ['Tue 24 Nov', 'GTB 0123', 'PAYSTACK 1', '700.00', 'By reference', 'Undo…'],
    ['Tue 24 Nov', 'GTB 0123', 'PAYSTACK 1', '300.00', 'By Ada', 'Undo…'],
  ]);
  await user.click(screen.getAllByRole('button', { name: 'Undo…' })[1] as HTMLElement);
  await user.click(await screen.findByRole('button', { name: 'Undo match' }));
  await expectCalls(page, 'settlements.bank.unlink', [{ merchantId: 'm-1', settlementId: 's-1', bankLineId: 'b-2' }]);
});

test('a line that is proposed or searched for is matched with it', async () => {
  page.on('settlements.bank.linesFor', () => [{ ...LINE, bankLineId: 'b-3' }]);
  page.on('settlements.bank.link', () => ({ changed: true }));
  const user = page.show(<BankSection settlement={SETTLEMENT} />);
  await user.click(await screen.findByRole('button', { name: 'Match a bank line…' }));
  await user.type(await screen.findByRole('textbox', { name: 'Bank line' }), 'pay');
  await user.click(await screen.findByRole('radio', { name: 'NGN 700.00 of Tue 24 Nov, PAYSTACK 1, GTB 0123' }));
  await user.click(button('Match'));
  await expectCalls(page, 'settlements.bank.link', [{ merchantId: 'm-1', settlementId: 's-1', bankLineId: 'b-3' }]);
  expect(page.calls('settlements.bank.linesFor').at(-1)).toEqual({ settlementId: 's-1', text: 'pay' });
});

test('a person who may not resolve discrepancies is offered no match, and a payout of nothing has none', async () => {
  page.allow('report:read');
  page.show(<BankSection settlement={SETTLEMENT} />);
  await tableOf('Bank lines');
  await waitFor(() => expect(screen.queryAllByRole('button')).toEqual([]));
});
