// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import type { Settlement, SettlementDiscrepancy } from '#/copy/settlements.ts';
import { button, expectCalls, hrefOf, openDashboard, tableOf, textOf } from '#/testing/dashboard.tsx';
import { SettlementsPage } from './settlements-page.tsx';

const page = openDashboard('?mode=live&merchant=m-1', '/settlements');

const OF_ACCOUNT = {
  merchantId: 'm-1',
  merchantName: 'Balogun Books',
  mode: 'live',
  accountId: 'acc-1',
  accountLabel: 'paystack-main',
  gateway: 'paystack',
  gatewayTitle: 'Paystack',
  currency: 'NGN',
  createdAt: new Date('2026-11-20T01:00:00Z'),
} as const;

const SETTLEMENT: Settlement = {
  ...OF_ACCOUNT,
  settlementId: 's-1',
  reference: '3090024',
  road: 'POLLED',
  status: 'PAID',
  gross: '100000',
  fees: '1500.5',
  deductions: '200',
  net: '98299.5',
  settledOn: '2026-11-20',
  periodFrom: null,
  periodTo: null,
  lineCount: 4,
  explained: '101500.5',
  unexplained: '200',
  unmatched: '-200',
  openDiscrepancies: 1,
  unrecognised: null,
};

const DISCREPANCY: SettlementDiscrepancy = {
  ...OF_ACCOUNT,
  discrepancyId: 'd-1',
  kind: 'UNDER',
  about: 'payment',
  state: 'OPEN',
  amount: '37.5',
  expected: '2462.5',
  settled: '2425',
  expectedOn: '2026-11-20',
  ageDays: 3,
  settlementId: 's-1',
  settlementReference: '3090024',
  lineId: null,
  lineKind: null,
  reference: 'sy-1',
  transactionId: '4099260516',
  paymentId: 'p-1',
  merchantOrderId: 'order-1',
  refundId: null,
  disputeId: null,
  ownerId: null,
  ownerName: null,
  note: null,
  resolvedBy: null,
  resolvedByName: null,
  resolvedAt: null,
  resolution: null,
};

const MONEY = {
  currency: 'NGN',
  settled: '98299.5',
  explained: '101500.5',
  unexplained: '200',
  share: '0.9999',
  onTheWay: '5000',
  late: '0',
  missing: '750',
};

beforeEach(() => {
  const server = page.server();
  page.allow('reconciliation:resolve');
  server.on('settlements.accounts', () => []);
  server.on('settlements.explained', () => [MONEY]);
  server.on('settlements.list', () => ({ items: [SETTLEMENT], next: null }));
  server.on('settlements.discrepancies.list', () => ({ items: [DISCREPANCY], next: null }));
  server.on('settlements.discrepancies.byId', () => DISCREPANCY);
  server.on('settlements.discrepancies.resolve', () => ({ changed: true }));
  server.on('reconciliation.owners', () => []);
});

test('the headline is the share that is explained, never rounded up to all of it, with what is not and what is missing', async () => {
  page.show(<SettlementsPage />);
  const money = within(await screen.findByRole('region', { name: 'Settled money, NGN' }));
  expect(money.getByText('99.9%')).toBeTruthy();
  expect(money.getByText('NGN 750.00')).toBeTruthy();
  expect(hrefOf('Show missing')).toBe('/settlements?mode=live&merchant=m-1&view=discrepancies&kind=MISSING');
});

test('a settlement is shown with what was taken off, and leads to its lines and to what is open', async () => {
  page.show(<SettlementsPage />);
  const [, row] = await tableOf('Settlements');
  expect(row).toEqual(
    expect.arrayContaining(['paystack-main', '100,000.00', '−1,500.50', '−200.00', 'NGN 98,299.50', '−200.00', '1']),
  );
  expect(hrefOf('Fri 20 Nov')).toBe('/settlements/s-1?mode=live&merchant=m-1');
  expect(hrefOf('1 open discrepancies of 3090024')).toContain('view=discrepancies&settlement=s-1');
});

test('a discrepancy shows both amounts and their difference, and is closed with a reason', async () => {
  const user = page.show(<SettlementsPage />);
  await user.click(await screen.findByRole('tab', { name: 'Discrepancies' }));
  await user.click(await screen.findByRole('link', { name: 'Less than expected' }));
  const panel = await screen.findByRole('complementary', { name: 'Discrepancy' });
  await waitFor(() => expect(textOf(panel)).toContain('NGN −37.50'));
  expect(textOf(panel)).toContain('NGN 2,462.50');
  await user.click(await screen.findByRole('radio', { name: /^Explained/ }));
  await user.type(within(panel).getByLabelText('Reason'), 'Agreed.');
  await user.click(button('Close as explained'));
  await expectCalls(page, 'settlements.discrepancies.resolve', [
    { merchantId: 'm-1', discrepancyId: 'd-1', as: 'EXPLAINED', why: 'Agreed.' },
  ]);
});

test('discrepancies are exported with the filters of the list, those of the bank alone as well', async () => {
  page.allow('report:export');
  const user = page.show(<SettlementsPage />);
  await user.click(await screen.findByRole('tab', { name: 'Discrepancies' }));
  await tableOf('Discrepancies');
  await user.click(screen.getByRole('combobox', { name: /^In/ }));
  await user.click(await screen.findByRole('option', { name: 'The bank' }));
  await waitFor(() =>
    expect(page.calls('settlements.discrepancies.list').at(-1)).toMatchObject({ abouts: ['payout', 'bank'], states: ['OPEN'] }),
  );
  await user.click(button('Export'));
  await screen.findByRole('dialog', { name: 'Export' });
  const url = new URL(hrefOf(/^CSV/) ?? '', 'https://x.example');
  expect(url.pathname).toBe('/api/export/settlement-discrepancies');
  expect(JSON.parse(url.searchParams.get('filter') ?? '')).toMatchObject({ abouts: ['payout', 'bank'], states: ['OPEN'] });
});
