// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { button, expectRefusal, hrefOf, openDashboard, tableOf } from '#/testing/dashboard.tsx';
import { MonthPage } from './month-page.tsx';

const page = openDashboard('?mode=test&merchant=m-1', '/month-close/2026-10');
const NONE = { count: 0, amount: '0' };
const FIGURES = {
  payment: { count: 2, amount: '3300' },
  duplicate: NONE,
  fee: { count: 2, amount: '-49.75' },
  stamp_duty: NONE,
  refund: NONE,
  dispute: NONE,
  reversal: NONE,
  adjustment: NONE,
  payout: { count: 1, amount: '-2458.5' },
};
const BALANCE = {
  currency: 'NGN',
  opening: '1000',
  previousClosing: '990',
  figures: FIGURES,
  closing: '1791.75',
  bank: { count: 1, amount: '2458.5' },
};
const NOTHING = { count: 0, amounts: [], items: [] };
const UNSETTLED = {
  subject: 'payment/p-1',
  accountId: 'a-1',
  accountLabel: 'paystack-main',
  currency: 'NGN',
  amount: '800',
  day: '2026-10-31',
  about: 'order-9',
  paymentId: 'p-1',
  settlementId: null,
  discrepancyId: null,
};
const LINE = {
  ...UNSETTLED,
  subject: 'line/l-1',
  amount: '-4',
  about: 'RESIDUE',
  paymentId: null,
  settlementId: 's-1',
};
const MONTH = {
  merchantId: 'm-1',
  mode: 'test',
  month: '2026-10',
  merchantName: 'Balogun Books',
  merchantNumber: 'M-1',
  state: 'ended',
  timeZone: 'Africa/Lagos',
  from: new Date('2026-09-30T23:00:00Z'),
  until: new Date('2026-10-31T23:00:00Z'),
  figures: {
    accounts: [{ ...BALANCE, accountId: 'a-1', accountLabel: 'paystack-main', gateway: 'paystack', gatewayTitle: 'Paystack' }],
    totals: [BALANCE],
    unexplained: {
      discrepancies: NOTHING,
      payoutsNotAtBank: NOTHING,
      unmatchedLines: { count: 1, amounts: [{ currency: 'NGN', amount: '4' }], items: [LINE] },
      unsettledPayments: { count: 1, amounts: [{ currency: 'NGN', amount: '800' }], items: [UNSETTLED] },
    },
    items: { count: 5, hash: 'x' },
  },
  close: null,
  needsReview: true,
};
const HASH = 'ab'.repeat(32);
const CLOSE = {
  closeId: 'c-1',
  hash: HASH,
  closed: { name: 'Ada', at: new Date('2026-11-02T08:00:00Z') },
  reviewed: null,
  signed: null,
  adjustments: {
    sums: [{ accountId: 'a-1', accountLabel: 'paystack-main', currency: 'NGN', kind: 'refund', count: 1, difference: '-300' }],
    items: [
      {
        kind: 'refund',
        subject: 'r-1',
        accountId: 'a-1',
        accountLabel: 'paystack-main',
        currency: 'NGN',
        day: '2026-10-06',
        frozen: null,
        today: '-300',
        difference: '-300',
        paymentId: 'p-2',
        merchantOrderId: 'order-2',
        settlementId: null,
      },
    ],
  },
  late: [],
  lateJournals: [],
};
const CLOSED = { ...MONTH, state: 'closed', close: CLOSE };
const KEY = { merchantId: 'm-1', mode: 'test', month: '2026-10' };

beforeEach(() => {
  page.allow('report:read', 'report:export', 'month:close');
  page.on('monthClose.read', () => MONTH);
});

test('a month adds up from what was held to what is held, with what has changed of earlier months', async () => {
  page.show(<MonthPage month="2026-10" />);
  expect(await tableOf('Balance, NGN')).toEqual([
    ['Figure', 'paystack-main', 'Number'],
    ['Closing of the month before', '990.00', ''],
    ['Adjustments of earlier months', '10.00', ''],
    ['Opening balance', '1,000.00', ''],
    ['Payments', '3,300.00', '2'],
    ['Fees', '−49.75', '2'],
    ['Paid out', '−2,458.50', '1'],
    ['Closing balance', '1,791.75', ''],
    ['Reached the bank', '2,458.50', '1'],
  ]);
});

test('what is unexplained has its amount, and leads to where it is worked on', async () => {
  page.show(<MonthPage month="2026-10" />);
  expect((await tableOf('Payments not settled')).at(-1)).toEqual(['Sat 31 Oct', 'order-9', 'paystack-main', '800.00']);
  expect(hrefOf('order-9')).toBe('/payments/p-1?mode=test&merchant=m-1');
  expect(await tableOf('Unmatched lines')).toContainEqual(['Sat 31 Oct', 'Residue', 'paystack-main', '−4.00']);
  expect(hrefOf('Residue')).toBe('/settlements/s-1?mode=test&merchant=m-1&unmatched=true');
});

test('a month is closed after a question that says what is frozen', async () => {
  page.on('monthClose.close', () => ({ hash: HASH }));
  const user = page.show(<MonthPage month="2026-10" />);
  await user.click(await screen.findByRole('button', { name: 'Close month…' }));
  await screen.findByText(/2 payments of NGN 3,300.00; NGN 1,791.75 held by gateways at its end/);
  await user.click(button('Close month'));
  await waitFor(() => expect(page.toasts()).toEqual(['Oct 2026 of Balogun Books is closed.']));
  expect(page.calls('monthClose.close')).toEqual([KEY]);
});

test('a closed month shows each adjustment beside the frozen figures', async () => {
  page.on('monthClose.read', () => CLOSED);
  page.show(<MonthPage month="2026-10" />);
  expect((await tableOf('Adjustments one by one')).at(-1)).toEqual([
    'Tue 6 Oct',
    'Refunds',
    'order-2',
    'paystack-main',
    '–',
    '−300.00',
    '−300.00',
  ]);
  expect(hrefOf('order-2')).toBe('/payments/p-2?mode=test&merchant=m-1');
});

test('it is signed off by the hash that was seen; a refusal stays in sight', async () => {
  page.on('monthClose.read', () => CLOSED);
  page.on('monthClose.signOff', () => {
    throw new Error('Another person has to review it first.');
  });
  const user = page.show(<MonthPage month="2026-10" />);
  await user.click(await screen.findByRole('button', { name: 'Sign off…' }));
  await screen.findByText('1 amount has changed since: it is an adjustment');
  await user.click(button('Sign off'));
  await expectRefusal('Another person has to review it first.');
  page.on('monthClose.signOff', () => ({ changed: true }));
  await user.click(button('Sign off'));
  await waitFor(() => expect(page.toasts()).toEqual(['Oct 2026 of Balogun Books is signed off.']));
  expect(page.calls('monthClose.signOff').at(-1)).toEqual({ ...KEY, hash: HASH });
});

test('a second look is recorded with its note', async () => {
  page.on('monthClose.read', () => CLOSED);
  page.on('monthClose.review', () => ({ changed: true }));
  const user = page.show(<MonthPage month="2026-10" />);
  await user.click(await screen.findByRole('button', { name: 'Review…' }));
  await user.type(await screen.findByRole('textbox', { name: 'Note' }), 'Agrees with the bank.');
  await user.click(button('Record review'));
  await waitFor(() => expect(page.toasts()).toEqual(['Oct 2026 is reviewed.']));
  expect(page.calls('monthClose.review')).toEqual([{ ...KEY, hash: HASH, note: 'Agrees with the bank.' }]);
});

const POSTED = { currency: 'NGN', entries: 1, debit: '300.00', credit: '300.00', accounts: [] };

test('late arrivals are posted as a journal of their own, after a question, and downloaded', async () => {
  const made = {
    journalId: 'j-1',
    number: 1,
    month: '2026-10',
    postedOn: '2026-11-20',
    madeAt: new Date('2026-11-20T08:00:00Z'),
  };
  page.on('monthClose.read', () => ({
    ...CLOSED,
    close: { ...CLOSE, late: [POSTED], lateJournals: [{ ...made, madeByName: 'Ada', summaries: [POSTED] }] },
  }));
  page.on('monthClose.makeLateJournal', () => ({ journalId: 'j-2', number: 2 }));
  page.on('monthClose.lateFiles', () => ({ kind: 'files', files: [{ name: 'late.csv', content: 'a', entries: 1, lines: 2 }] }));
  const user = page.show(<MonthPage month="2026-10" />);
  expect((await tableOf('Journals of late arrivals')).at(-1)?.slice(0, 4)).toEqual([
    'Late journal 1',
    'Fri 20 Nov',
    'Ada',
    'NGN 300.00',
  ]);
  await user.click(await screen.findByRole('button', { name: 'Make journal…' }));
  await user.click(await screen.findByRole('button', { name: 'Make journal' }));
  await waitFor(() => expect(page.toasts()).toEqual(['Late journal 2 of Balogun Books is made.']));
  expect(page.calls('monthClose.makeLateJournal')).toEqual([KEY]);
  await user.click(button('Download late journal 1'));
  await user.click(await screen.findByRole('radio', { name: 'Xero' }));
  expect(screen.getByText(/Xero takes no journal on a bank account/)).toBeTruthy();
  await user.click(button('Download CSV'));
  await waitFor(() => expect(page.toasts().at(-1)).toBe('2 lines for Xero in 1 file.'));
  expect(page.calls('monthClose.lateFiles')).toEqual([
    { merchantId: 'm-1', mode: 'test', journalId: 'j-1', software: 'xero', currency: 'NGN' },
  ]);
});

test('without permission nothing is closed, signed or downloaded', async () => {
  page.allow('report:read');
  page.on('monthClose.read', () => CLOSED);
  page.show(<MonthPage month="2026-10" />);
  await tableOf('Balance, NGN');
  for (const name of ['Sign off…', 'Review…', 'JSON', 'CSV']) expect(screen.queryByRole('button', { name })).toBeNull();
});
