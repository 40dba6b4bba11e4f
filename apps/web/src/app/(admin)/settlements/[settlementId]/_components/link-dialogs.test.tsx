// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import type { SettlementLine } from '#/copy/settlements.ts';
import { button, expectCalls, field, openDashboard } from '#/testing/dashboard.tsx';
import { LinkDialog } from './link-dialogs.tsx';

const page = openDashboard('?mode=test');
const LINE: SettlementLine = {
  lineId: 'l-1',
  position: 0,
  kind: 'PAYMENT',
  amount: '2500',
  currency: 'NGN',
  reference: 'terminal-1',
  transactionId: null,
  description: null,
  occurredAt: null,
  paymentId: null,
  refundId: null,
  disputeId: null,
  subjects: [],
  linkedBy: null,
  merchantOrderId: null,
  discrepancyId: null,
};
const ENTRY = { kind: 'payment', paymentId: 'p-1', merchantOrderId: 'A-1', currency: 'NGN', fee: null, occurredAt: new Date() };

test('what a line is of is searched for, selected and matched', async () => {
  page.on('settlements.linkable', () => [
    { ...ENTRY, subject: 'payment/p-1', amount: '2500' },
    { ...ENTRY, subject: 'refund/r-1', kind: 'refund', amount: '-400' },
  ]);
  page.on('settlements.linkLine', () => ({ changed: true }));
  const onClose = vi.fn();
  const user = page.show(<LinkDialog merchantId="m-1" line={LINE} onClose={onClose} />);
  await user.type(field('Payment or refund'), 'A-1');
  await user.click(await screen.findByRole('radio', { name: 'Payment of A-1, NGN 2,500.00' }));
  await user.click(button('Match'));
  await waitFor(() => expect(onClose).toHaveBeenCalled());
  expect(page.calls('settlements.linkable').at(-1)).toEqual({ lineId: 'l-1', text: 'A-1' });
  const entry = { subject: 'payment/p-1', paymentId: 'p-1' };
  await expectCalls(page, 'settlements.linkLine', [{ merchantId: 'm-1', lineId: 'l-1', entry }]);
});

test('where nothing is found it says so, and nothing can be matched', async () => {
  page.on('settlements.linkable', () => []);
  const user = page.show(<LinkDialog merchantId="m-1" line={LINE} onClose={vi.fn()} />);
  await user.type(field('Payment or refund'), 'A-9');
  await screen.findByText('This account has nothing under “A-9”.');
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Match' }).disabled).toBe(true);
});

test('what is missing of its amount is offered before anything is searched for', async () => {
  page.on('settlements.linkable', (input) =>
    Object(input).text === '' ? [{ ...ENTRY, subject: 'payment/p-1', amount: '2500' }] : [],
  );
  page.on('settlements.linkLine', () => ({ changed: true }));
  const onClose = vi.fn();
  const user = page.show(<LinkDialog merchantId="m-1" line={LINE} onClose={onClose} />);
  await screen.findByRole('group', { name: 'Missing, of this amount' });
  await user.click(screen.getByRole('radio', { name: 'Payment of A-1, NGN 2,500.00' }));
  await user.click(button('Match'));
  await waitFor(() => expect(onClose).toHaveBeenCalled());
});
