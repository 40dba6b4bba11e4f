// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import type { ContractAccount, ExplainedFee, FeeMonth, FeeRate, FeeSums, PaymentFee } from '#/copy/fees.ts';
import { button, factsIn, hrefOf, openDashboard, radio, tableOf } from '#/testing/dashboard.tsx';
import { FeesPage } from './fees-page.tsx';

const page = openDashboard('?mode=live&merchant=11111111-1111-4111-8111-111111111111', '/fees');
const MERCHANT = '11111111-1111-4111-8111-111111111111';
const ACCOUNT = '22222222-2222-4222-8222-222222222222';

const SUMS: FeeSums = {
  currency: 'NGN',
  payments: 40,
  amount: '100000',
  compared: 38,
  expected: '1500',
  charged: '1877.5',
  difference: '377.5',
  overcharged: 2,
  overcharge: '380.5',
  undercharged: 1,
  undercharge: '3',
  withoutContract: 1,
  withoutFee: 1,
};
const NAMES = { merchantId: MERCHANT, merchantName: 'Balogun Books', accountId: ACCOUNT, accountLabel: 'paystack-main' };
const MONTH: FeeMonth = { ...SUMS, ...NAMES, gateway: 'paystack', month: '2026-02' };
const RATE: FeeRate = {
  ...NAMES,
  gateway: 'paystack',
  method: 'CARD',
  currency: 'NGN',
  band: { from: 2_500, to: 9_999 },
  payments: 12,
  amount: '60000',
  charged: '900.5',
  rate: '0.015008',
  contractRate: null,
};
const FEE: PaymentFee = {
  ...NAMES,
  paymentId: 'p-1',
  gateway: 'paystack',
  gatewayTitle: 'Paystack',
  merchantOrderId: 'order-1',
  method: 'CARD',
  currency: 'NGN',
  amount: '2500',
  expected: '37.5',
  reported: '37.5',
  settled: '50',
  charged: '50',
  excess: '12.5',
  settlementId: 's-1',
  settledOn: '2026-02-03',
  createdAt: new Date('2026-02-02T09:00:00Z'),
  paidAt: new Date('2026-02-02T09:03:00Z'),
  discrepancyId: 'd-1',
  discrepancyState: 'OPEN',
};
const CONTRACTS: ContractAccount = {
  ...NAMES,
  gateway: 'paystack',
  gatewayTitle: 'Paystack',
  methods: ['CARD', 'TRANSFER'],
  currency: 'NGN',
  contracts: [],
};

beforeEach(() => {
  page.allow('report:read', 'report:export', 'fee:configure');
  page.on('fees.sums', () => [SUMS]);
  page.on('fees.months', () => [MONTH]);
  page.on('fees.rates', () => [RATE]);
  page.on('fees.list', () => ({ items: [FEE], next: null }));
  page.on('fees.contracts', () => [CONTRACTS]);
});

const lastInput = (procedure: string) => page.calls(procedure).at(-1);

test('the audit shows what was charged beyond the contracts, with all decimals of the currency', async () => {
  page.show(<FeesPage />);
  const sums = await screen.findByRole('region', { name: 'Fees, NGN' });
  expect(factsIn(sums)).toMatchObject({
    Overcharged: 'NGN 380.50',
    'By contract': 'NGN 1,500.00',
    Charged: 'NGN 1,877.50',
    'Less than agreed': 'NGN 3.00',
    'Not compared': '2 payments',
  });
  expect((await tableOf('By account and month'))[1]?.slice(0, 7)).toEqual([
    'Feb 2026',
    'paystack-main',
    '40',
    '1,500.00',
    '1,877.50',
    '377.50',
    'NGN 380.50',
  ]);
  const rows = await tableOf('Fees');
  expect(rows[1]).toEqual(expect.arrayContaining(['order-1', 'paystack-main', 'NGN 37.50', 'NGN 50.00', 'NGN 12.50']));
});

test('the overcharges of an account and month are a file of that month alone, for whoever may export', async () => {
  page.show(<FeesPage />);
  await screen.findByRole('link', { name: 'CSV of the overcharges of paystack-main, Feb 2026' });
  const href = hrefOf('CSV of the overcharges of paystack-main, Feb 2026') ?? '';
  const query = new URLSearchParams(href.split('?')[1]);
  expect(href).toMatch(/^\/api\/export\/fees\?/);
  expect([query.get('format'), query.get('bom')]).toEqual(['csv', 'true']);
  expect(JSON.parse(query.get('filter') ?? '')).toEqual({
    merchantIds: [MERCHANT],
    accountIds: [ACCOUNT],
    date: 'paid',
    from: '2026-02-01',
    to: '2026-02-28',
    mode: 'live',
    overchargedOnly: true,
  });
  expect(hrefOf('XLSX of the overcharges of paystack-main, Feb 2026')).toContain('format=xlsx');
});

test('without the right to export there is no file', async () => {
  page.allow('report:read');
  page.show(<FeesPage />);
  await tableOf('By account and month');
  await waitFor(() => expect(page.calls('me').length).toBeGreaterThan(0));
  expect(screen.queryByRole('link', { name: /of the overcharges/ })).toBeNull();
});

test('account and date filter sums, months and payments alike, and are cleared together', async () => {
  const user = page.show(<FeesPage />);
  await user.click(await screen.findByRole('button', { name: /^Account/ }));
  await user.click(await screen.findByRole('checkbox', { name: 'paystack-main' }));
  await waitFor(() => expect(lastInput('fees.sums')).toMatchObject({ accountIds: [ACCOUNT], date: 'paid' }));
  await user.keyboard('{Escape}');
  await user.click(button(/^Date/));
  await screen.findByRole('radio', { name: 'Settled' });
  await user.click(radio('Settled'));
  for (const procedure of ['fees.sums', 'fees.months', 'fees.list']) {
    await waitFor(() => expect(lastInput(procedure)).toMatchObject({ accountIds: [ACCOUNT], date: 'settled' }));
  }
  expect((await tableOf('By account and month'))[0]?.[0]).toBe('Month settled');
  await user.keyboard('{Escape}');
  await user.click(button(/^Clear/));
  await waitFor(() => expect(lastInput('fees.list')).toMatchObject({ accountIds: [], date: 'paid' }));
});

test('payments that were not overcharged are one click away', async () => {
  const user = page.show(<FeesPage />);
  expect(await screen.findByRole('heading', { name: 'Overcharged payments' })).toBeTruthy();
  expect(lastInput('fees.list')).toMatchObject({ overchargedOnly: true });
  await user.click(button('All payments'));
  await waitFor(() => expect(lastInput('fees.list')).toMatchObject({ overchargedOnly: false }));
  expect(await screen.findByRole('heading', { name: 'Payments' })).toBeTruthy();
});

test('before any contract the page says what to do, and with filters that nothing matches', async () => {
  page.on('fees.sums', () => []);
  const user = page.show(<FeesPage />);
  expect(await screen.findByText('No fee was compared yet')).toBeTruthy();
  expect(hrefOf('Enter a contract')).toContain('view=contracts');
  await user.click(button(/^Account/));
  await user.click(await screen.findByRole('checkbox', { name: 'paystack-main' }));
  expect(await screen.findByText('No payment matches these filters')).toBeTruthy();
});

test('a payment opens beside the list with each step of its fee, and leads to its payment, settlement and case', async () => {
  const contract: ExplainedFee['contract'] = {
    appliesFrom: new Date('2026-01-01T00:00:00Z'),
    tolerance: '0.01',
    terms: { percentBasisPoints: 150, flat: 0, flatWaivedBelow: null, cap: null, vatBasisPoints: 0 },
    exception: null,
    origin: 'local',
    onTop: false,
    steps: [{ step: 'percentage', amount: '37.5' }],
  } as never;
  page.on('fees.ofPayment', () => ({ ...FEE, contract }));
  const user = page.show(<FeesPage />);
  await user.click(within(await screen.findByRole('table', { name: 'Fees' })).getAllByRole('link')[0] as HTMLElement);
  const panel = await screen.findByRole('complementary', { name: 'Fee' });
  expect(await within(panel).findByRole('heading', { name: 'Overcharged by NGN 12.50' })).toBeTruthy();
  expect(await tableOf('Computation')).toEqual([
    ['Step', 'Amount, NGN'],
    ['1.5% of the amount', '37.50'],
    ['By contract', '37.50'],
    ['Charged', '50.00'],
  ]);
  expect(factsIn(panel)).toMatchObject({ 'By contract': 'NGN 37.50', Settled: 'NGN 50.00', Difference: 'NGN 12.50' });
  expect(within(panel).getByRole('link', { name: 'order-1' }).getAttribute('href')).toContain('/payments/p-1');
  expect(within(panel).getByRole('link', { name: 'Open the settlement' }).getAttribute('href')).toContain('/settlements/s-1');
  expect(within(panel).getByRole('link', { name: 'Assign, note or resolve' }).getAttribute('href')).toContain('discrepancy=d-1');
});

test('effective rates are by method and band, beside the contract where there is one', async () => {
  const user = page.show(<FeesPage />);
  await user.click(await screen.findByRole('tab', { name: 'Effective rates' }));
  expect((await tableOf('Effective rates')).slice(1)).toEqual([
    ['paystack-main', 'Card', 'NGN 2,500 to 9,999', '12', '60,000.00', '900.50', '1.50%', '–'],
  ]);
});

test('contracts are listed by account, the one that applies among them, and only who may configure enters one', async () => {
  const schedule = { percentBasisPoints: 150, flat: 100, flatWaivedBelow: 2_500, cap: 2_000, vatBasisPoints: 0 };
  const contract = { contractId: 'c-1', accountId: ACCOUNT, tolerance: '0.01', note: 'No. 7', schedule };
  const begins = new Date('2026-01-01T00:00:00Z');
  page.on('fees.contracts', () => [
    { ...CONTRACTS, contracts: [{ ...contract, appliesFrom: begins, appliesTo: null }] },
    { ...CONTRACTS, accountId: 'acc-2', accountLabel: 'squad-main' },
  ]);
  const user = page.show(<FeesPage />);
  await user.click(await screen.findByRole('tab', { name: 'Contracts' }));
  const [, row] = await tableOf('Contracts of paystack-main');
  expect([row?.[1], row?.[3], row?.[4]]).toEqual(['Applies', '0.01', 'No. 7']);
  expect(screen.getByText(/^No contract: its fees are not compared/)).toBeTruthy();
  expect(screen.getAllByRole('button', { name: /^Enter a contract of/ })).toHaveLength(2);
  await user.click(button('Enter a contract of squad-main'));
  expect(await screen.findByRole('dialog', { name: 'Contract of squad-main' })).toBeTruthy();
});
