// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { button, expectRefusal, hrefOf, openDashboard, tableOf } from '#/testing/dashboard.tsx';
import { JournalPage } from './journal-page.tsx';

const page = openDashboard('?mode=test&merchant=m-1&from=2026-10-01&to=2026-10-31', '/journal');
const NONE = { code: '', name: '', trackingClass: '' };
const SETTING = {
  timeZone: 'Africa/Lagos',
  mapping: {
    postings: {
      sales: { code: '4000', name: 'Income:Online', trackingClass: 'Web' },
      refunds: NONE,
      fees: NONE,
      stamp_duty: NONE,
      chargebacks: NONE,
      adjustments: NONE,
      bank: NONE,
      bank_clearing: NONE,
    },
    clearing: {},
    trackingCategory: '',
    taxRate: '',
  },
  accounts: [{ accountId: 'a-1', accountLabel: 'paystack-main', gatewayTitle: 'Paystack', currencies: ['NGN'] }],
};
const SUMMARY = {
  currency: 'NGN',
  entries: 2,
  debit: '2500.00',
  credit: '2500.00',
  accounts: [
    { to: { posting: 'clearing', accountId: 'a-1' }, debit: '2500.00', credit: '0.00' },
    { to: { posting: 'sales' }, debit: '0.00', credit: '2500.00' },
  ],
};
const DAYS = { from: '2026-10-01', to: '2026-10-31' };
const BOOKS = { merchantId: 'm-1', mode: 'test' };

beforeEach(() => {
  page.allow('report:read', 'report:export', 'accounting:configure');
  page.on('journal.setting', () => SETTING);
  page.on('journal.summary', () => [SUMMARY]);
  page.on('monthClose.closedIn', () => []);
});

test('a closed month of the period is named, with where its late arrivals are', async () => {
  page.on('monthClose.closedIn', () => [{ merchantId: 'm-1', month: '2026-10', closedAt: new Date('2026-11-02T08:00:00Z') }]);
  page.show(<JournalPage />);
  await screen.findByText(/What arrived later is in the journals of late arrivals there/);
  expect(hrefOf('Oct 2026')).toBe('/month-close/2026-10?mode=test&merchant=m-1');
});

test('what is posted shows the account of the books, or that it has none, with equal totals', async () => {
  page.show(<JournalPage />);
  expect(await tableOf('Accounts, NGN')).toEqual([
    ['Posting', 'Account in the books', 'Class', 'Debit, NGN', 'Credit, NGN'],
    ['Clearing of paystack-main', 'Not mapped', '–', '2,500.00', '–'],
    ['Sales', '4000 Income:Online', 'Web', '–', '2,500.00'],
    ['Total', '', '', '2,500.00', '2,500.00'],
  ]);
  expect(page.calls('journal.summary')).toEqual([{ ...BOOKS, ...DAYS }]);
});

test('a refused file says what is missing, and a made one is saved', async () => {
  const why = 'No file was made. Xero needs the account code of Refunds. Enter it in the account mapping.';
  page.on('journal.files', () => ({ kind: 'refused', why, missing: ['the account code of Refunds'] }));
  const user = page.show(<JournalPage />);
  await user.click(await screen.findByRole('radio', { name: 'Xero' }));
  await user.click(button('Download CSV'));
  await expectRefusal(why);
  page.on('journal.files', () => ({
    kind: 'files',
    files: [{ name: 'journal.csv', content: 'a', entries: 2, lines: 4 }],
  }));
  await user.click(button('Download CSV'));
  await waitFor(() => expect(page.toasts()).toEqual(['4 lines for Xero in 1 file.']));
  expect(page.calls('journal.files').at(-1)).toEqual({ ...BOOKS, ...DAYS, software: 'xero', currency: 'NGN' });
});

test('the mapping is entered for each posting and gateway account; what a spreadsheet would compute is refused beside its field', async () => {
  page.on('journal.changeSetting', () => ({ changed: true }));
  const user = page.show(<JournalPage />);
  await user.click(await screen.findByRole('button', { name: 'Account mapping…' }));
  const clearing = within(await screen.findByRole('group', { name: /Clearing of paystack-main/ }));
  await user.type(clearing.getByLabelText('Code'), '1200');
  const fees = within(screen.getByRole('group', { name: /Gateway fees/ }));
  await user.type(fees.getByLabelText('Name'), '=1+1');
  await user.click(button('Save mapping'));
  await fees.findByRole('textbox', { name: 'Name', description: 'Must not begin with =, +, - or @.' });
  await user.clear(fees.getByLabelText('Name'));
  await user.type(fees.getByLabelText('Name'), 'Fees');
  await user.click(button('Save mapping'));
  await waitFor(() => expect(page.toasts()).toEqual(['Account mapping saved.']));
  const { accounts: _, mapping, ...rest } = SETTING;
  const postings = { ...mapping.postings, fees: { ...NONE, name: 'Fees' } };
  expect(page.calls('journal.changeSetting')).toEqual([
    { ...BOOKS, ...rest, mapping: { ...mapping, postings, clearing: { 'a-1': { ...NONE, code: '1200' } } } },
  ]);
});

test('without permission nothing is changed or downloaded', async () => {
  page.allow('report:read');
  page.show(<JournalPage />);
  await tableOf('Accounts, NGN');
  expect(screen.queryByRole('button', { name: 'Account mapping…' })).toBeNull();
  expect(screen.queryByRole('button', { name: 'Download CSV' })).toBeNull();
});
