// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { loadSettlementsPage } from '#/app/(admin)/settlements/filters.ts';
import { button, expectCalls, openDashboard, textOf } from '#/testing/dashboard.tsx';
import { DiscrepancyPanel } from './discrepancy-panel.tsx';

const page = openDashboard('?mode=live&merchant=m-1', '/settlements');
const DISCREPANCY = {
  discrepancyId: 'x-1',
  merchantId: 'm-1',
  merchantName: 'Balogun Books',
  mode: 'live',
  accountLabel: 'paystack-main',
  kind: 'MISSING',
  about: 'payment',
  state: 'OPEN',
  currency: 'NGN',
  expected: '2462.5',
  settled: null,
  expectedOn: null,
  paymentId: 'p-1',
  merchantOrderId: 'A-1',
  settlementId: null,
  lineKind: null,
  reference: null,
  transactionId: null,
  ownerId: null,
  ownerName: null,
  note: null,
  resolvedAt: null,
  resolvedBy: null,
  resolvedByName: null,
  resolution: null,
  createdAt: new Date('2026-11-25T08:00:00Z'),
};
const PAIR = {
  lineId: 'l-1',
  settlementId: 's-1',
  settlementReference: 'TRF_9',
  settledOn: '2026-11-25',
  entry: { subject: 'payment/p-1', kind: 'payment', paymentId: 'p-1', merchantOrderId: 'A-1', amount: '2500', currency: 'NGN' },
};

beforeEach(() => {
  page.allow('report:read', 'reconciliation:resolve');
  page.on('settlements.discrepancies.list', () => ({ items: [DISCREPANCY], next: null }));
  page.on('settlements.linkLine', () => ({ changed: true }));
});
async function show(change: Partial<typeof DISCREPANCY> = {}) {
  page.on('settlements.discrepancies.byId', () => ({ ...DISCREPANCY, ...change }));
  const filters = await loadSettlementsPage({});
  return page.show(<DiscrepancyPanel discrepancyId="x-1" filters={filters} onOpen={vi.fn()} onClose={vi.fn()} />);
}
const offered = async () => textOf(await screen.findByRole('region', { name: 'Of equal amounts' }));

test('a missing payment is offered the lines of its amount that are not matched, and is matched by one click', async () => {
  page.on('settlements.discrepancies.pairs', () => [PAIR]);
  const user = await show();
  expect(await offered()).toBe('Not matched, of this amountLine of TRF_9, Wed 25 NovMatch');
  await user.click(button('Match'));
  const entry = { subject: 'payment/p-1', paymentId: 'p-1' };
  await expectCalls(page, 'settlements.linkLine', [{ merchantId: 'm-1', lineId: 'l-1', entry }]);
  await waitFor(() => expect(page.toasts()).toEqual(['The line is matched with A-1.']));
});

test('a line that is not matched is offered what is missing of its amount', async () => {
  page.on('settlements.discrepancies.pairs', () => [PAIR]);
  await show({ kind: 'UNMATCHED', about: 'line', paymentId: '' });
  expect(await offered()).toBe('Missing, of this amountPayment of A-1, NGN 2,500.00Match');
});

test('nothing is offered for what is closed', async () => {
  await show({ state: 'RESOLVED' });
  await screen.findByText('Balogun Books · paystack-main');
  expect(page.calls('settlements.discrepancies.pairs')).toEqual([]);
});
