// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, test } from 'vitest';
import { button, expectCalls, hrefOf, openDashboard, tableOf, textOf } from '#/testing/dashboard.tsx';
import { partial } from '#/testing/partial.ts';
import { RefundsPage } from './refunds-page.tsx';
import type { ChargeRow, RefundRow, ReviewRow } from './use-refunds.ts';

type Mismatched = ReviewRow['mismatched'][number];

const page = openDashboard('?mode=live', '/refunds');

const AT = new Date('2024-11-21T13:02:00Z');
const REFUND: RefundRow = {
  merchantId: 'm-1',
  refundId: 'r-1',
  paymentId: 'p-1',
  merchantOrderId: 'order-7',
  amount: 1_000n,
  paymentAmount: 2_500n,
  currency: 'NGN',
  gateway: 'paystack',
  state: 'PROCESSING',
  reason: null,
  reasonCode: null,
  reasonTitle: null,
  reference: 'ref_1',
  gatewayRefundId: null,
  requestedBy: 'api',
  duplicate: false,
  mismatched: false,
  failureMessage: null,
  held: false,
  unresolved: false,
  note: null,
  sentAt: AT,
  nextCheckAt: AT,
  createdAt: AT,
  updatedAt: AT,
};
const CHARGE: Partial<ChargeRow> = {
  merchantId: 'm-1',
  duplicateChargeId: 'c-1',
  paymentId: 'p-1',
  merchantOrderId: 'order-7',
  amount: '2500.5',
  currency: 'NGN',
  gateway: 'kora',
  state: 'OPEN',
  reference: 'pay_2',
  transactionId: 't-2',
  failureMessage: null,
  note: null,
  createdAt: AT,
};
const REVIEW: Partial<ReviewRow> = {
  merchantId: 'm-1',
  paymentId: 'p-1',
  merchantOrderId: 'order-7',
  amount: 2_500n,
  currency: 'NGN',
  gateway: 'paystack',
  reviewReason: 'Expected NGN 2,500.00, received NGN 2,600.50.',
  receivedAmount: '2600.5',
  receivedCurrency: 'NGN',
  mismatched: [],
  refunding: false,
  failureMessage: null,
  createdAt: AT,
};
const none = { count: 0, more: false };
const lists =
  (...rows: readonly unknown[]) =>
  () => ({ items: rows, next: null });

beforeEach(() => {
  page.allow('payment:read');
  page.on('merchants.list', () => [{ merchantId: 'm-1', name: 'Balogun Books' }]);
  page.on('system.health', () => ({ gateways: [{ gateway: 'kora', mode: 'live' }] }));
  page.on('refunds.counts', () => ({
    all: { count: 7, more: false },
    byState: {
      REQUESTED: none,
      PROCESSING: { count: 4, more: false },
      SUCCEEDED: { count: 2, more: false },
      FAILED: { count: 1, more: false },
      NEEDS_ATTENTION: none,
    },
  }));
  page.on('refunds.duplicates.counts', () => ({
    all: { count: 3, more: false },
    byState: { OPEN: { count: 2, more: false }, REFUNDING: none, REFUNDED: none, DISMISSED: { count: 1, more: false } },
  }));
  page.on('payments.counts', () => ({ all: { count: 1, more: false }, byStatus: {} }));
  page.on('refunds.list', lists(REFUND));
  page.on('refunds.duplicates.list', lists(CHARGE));
  page.on('refunds.reviews.list', lists(REVIEW));
});

const showPage = () => page.show(<RefundsPage />);
async function showTab(name: string) {
  const user = showPage();
  await user.click(screen.getByRole('tab', { name }));
  return user;
}
const bodyOf = async (name: string) => (await tableOf(name)).slice(1);

describe('refunds', () => {
  test('have their amount, of which payment, where and when', async () => {
    showPage();
    await screen.findByText('Balogun Books');
    const [header, row] = await tableOf('Refunds');
    expect(header).toEqual(['Status', 'Amount, NGN', 'Order', 'Gateway', 'Details', 'Merchant', 'Created', 'Actions']);
    expect(row?.slice(0, -1)).toEqual([
      'Processing',
      'NGN 1,000.00',
      'order-7',
      'Paystack',
      'No reason given',
      'Balogun Books',
      '21 Nov 2024, 14:02',
    ]);
    expect(hrefOf('order-7')).toBe('/payments/p-1?mode=live');
    screen.getByTitle('Of NGN 2,500.00');
    screen.getByTitle('No reason given. Requested by: Merchant.');
  });

  test('of several currencies name that of each', async () => {
    page.on(
      'refunds.list',
      lists(REFUND, { ...REFUND, refundId: 'r-2', currency: 'KES', amount: 2_500n, paymentAmount: 2_500n }),
    );
    showPage();
    const [header, first, second] = await tableOf('Refunds');
    expect([header?.[1], first?.[1], second?.[1]]).toEqual(['Amount', 'NGN 1,000.00', 'KES 2,500.00']);
    expect(screen.queryByTitle('Of KES 2,500.00')).toBeNull();
  });

  test.each<[string, Partial<RefundRow>, string]>([
    ['why, as the merchant said', { reason: 'Wrong size' }, 'Wrong size'],
    ['that a second payment is returned', { duplicate: true, reason: 'x' }, 'Duplicate payment'],
    ['that a wrong amount is returned', { mismatched: true, reason: 'x' }, 'Amount mismatch'],
    ['what the gateway answered', { failureMessage: 'Balance too low.', reason: 'x' }, 'Balance too low.'],
    ['why a failed one was dismissed', { failureMessage: 'Balance too low.', note: 'Paid in cash' }, 'Dismissed: Paid in cash'],
  ])('say %s', async (_what, change, details) => {
    page.on('refunds.list', lists({ ...REFUND, ...change }));
    showPage();
    expect((await bodyOf('Refunds'))[0]?.[4]).toBe(details);
  });

  test('offer nothing to those who may only read', async () => {
    page.on(
      'refunds.list',
      lists({ ...REFUND, state: 'FAILED', unresolved: true }, { ...REFUND, refundId: 'r-2', state: 'NEEDS_ATTENTION' }),
    );
    showPage();
    await screen.findAllByText('Balogun Books');
    expect((await bodyOf('Refunds')).map((row) => row.at(-1))).toEqual(['', '']);
  });

  test('are checked at their gateway, while there is anything to be checked', async () => {
    page.allow('payment:refund');
    page.on('refunds.list', lists(REFUND, { ...REFUND, refundId: 'r-2', merchantOrderId: 'order-8', nextCheckAt: null }));
    page.on('refunds.look', () => ({ state: 'SUCCEEDED', gateway: 'Paystack' }));
    const user = showPage();
    await user.click(await screen.findByRole('button', { name: 'Check now: refund of order-7' }));
    await expectCalls(page, 'refunds.look', [{ refundId: 'r-1' }]);
    await waitFor(() => expect(page.toasts()).toEqual(['Checked at Paystack: the refund is succeeded.']));
    expect(screen.queryByRole('button', { name: 'Check now: refund of order-8' })).toBeNull();
  });

  test('that could not be checked say why in the corner', async () => {
    page.allow('payment:refund');
    page.on('refunds.look', () => {
      throw new Error('Paystack does not answer.');
    });
    const user = showPage();
    await user.click(await screen.findByRole('button', { name: 'Check now: refund of order-7' }));
    await waitFor(() => expect(page.toasts()).toEqual(['Paystack does not answer.']));
  });

  test('that failed are tried again or dismissed, and stuck ones recorded, each by the role that may', async () => {
    const failed = { ...REFUND, state: 'FAILED' as const, unresolved: true, nextCheckAt: null };
    page.on('refunds.list', lists(failed, { ...REFUND, refundId: 'r-2', merchantOrderId: 'order-8', state: 'NEEDS_ATTENTION' }));
    page.allow('payment:review');
    showPage();
    await screen.findByRole('button', { name: 'Dismiss… the failed refund of order-7' });
    button('Record… the result of the refund of order-8');
    expect(screen.queryByRole('button', { name: /Try again|Check now/ })).toBeNull();
  });

  test('that failed are tried again by those who may refund', async () => {
    page.on('refunds.list', lists({ ...REFUND, state: 'FAILED', unresolved: true }));
    page.on('refunds.refundable', () => new Promise(() => undefined));
    page.allow('payment:refund');
    const user = showPage();
    await user.click(await screen.findByRole('button', { name: 'Try again… to refund order-7' }));
    await screen.findByRole('dialog', { name: 'Refund this payment' });
    expect(page.calls('refunds.refundable')).toEqual([{ paymentId: 'p-1' }]);
    expect(screen.queryByRole('button', { name: /Dismiss|Check now/ })).toBeNull();
  });

  test('are counted by state, and listed by it', async () => {
    const user = showPage();
    await screen.findByText('1 refund');
    const states = within(screen.getByRole('group', { name: 'Status' }));
    await waitFor(() =>
      expect(states.getAllByRole('button').map(textOf)).toEqual([
        'All7',
        'Requested0',
        'Processing4',
        'Succeeded2',
        'Failed1',
        'Needs attention0',
      ]),
    );
    await user.click(states.getByRole('button', { name: /^Failed/ }));
    await waitFor(() => expect(page.calls('refunds.list').at(-1)).toMatchObject({ mode: 'live', states: ['FAILED'] }));
    expect(page.calls('refunds.counts').at(-1)).toMatchObject({ states: [] });
  });

  test('are sorted by amount at the server', async () => {
    const user = showPage();
    await user.click(await screen.findByRole('button', { name: 'Amount, NGN' }));
    await waitFor(() => expect(page.calls('refunds.list').at(-1)).toMatchObject({ sort: { by: 'amount', descending: true } }));
  });

  test('that are none say how one is made; that match no filter are shown again', async () => {
    page.on('refunds.list', lists());
    const user = showPage();
    await screen.findByRole('heading', { name: 'No refunds yet' });
    await user.click(within(screen.getByRole('group', { name: 'Status' })).getByRole('button', { name: /^Failed/ }));
    await screen.findByRole('heading', { name: 'No refunds match these filters' });
    await user.click(button('Clear the filters'));
    await screen.findByRole('heading', { name: 'No refunds yet' });
    expect(page.search()).toBe('?mode=live');
  });

  test('that could not be read say why', async () => {
    page.on('refunds.list', () => {
      throw new Error('The database is unavailable.');
    });
    const user = showPage();
    await screen.findByText('The database is unavailable.');
    page.on('refunds.list', lists(REFUND));
    await user.click(button('Try again'));
    await tableOf('Refunds');
  });

  test('are filtered by the gateways of the mode; one payment is named as a filter', async () => {
    const user = showPage();
    await user.click(button('Gateway'));
    await user.click(await screen.findByRole('checkbox', { name: 'Kora' }));
    await waitFor(() => expect(page.calls('refunds.list').at(-1)).toMatchObject({ gateways: ['kora'] }));
    expect(screen.queryByText('One payment')).toBeNull();
  });
});

describe('duplicate payments', () => {
  test('are decided while they are open: refunded or dismissed, by the role that may', async () => {
    page.allow('payment:refund', 'payment:review');
    page.on('refunds.duplicates.list', lists(CHARGE, { ...CHARGE, duplicateChargeId: 'c-2', state: 'REFUNDING' }));
    await showTab('Duplicate payments');
    await screen.findByRole('button', { name: 'Refund…' });
    expect((await bodyOf('Duplicate payments')).map((row) => [row[0], row[1], row[4], row.at(-1)])).toEqual([
      ['Open', 'NGN 2,500.50', 'Transaction t-2', 'Refund…Dismiss…'],
      ['Refunding', 'NGN 2,500.50', 'Transaction t-2', ''],
    ]);
    expect(screen.getAllByTitle('Under reference pay_2')).toHaveLength(2);
  });

  test('say why their refund failed while they are open, and why they were dismissed', async () => {
    page.on(
      'refunds.duplicates.list',
      lists(
        { ...CHARGE, failureMessage: 'Balance too low.' },
        { ...CHARGE, duplicateChargeId: 'c-2', state: 'DISMISSED', failureMessage: 'x', note: 'Agreed' },
      ),
    );
    await showTab('Duplicate payments');
    expect((await bodyOf('Duplicate payments')).map((row) => row[4])).toEqual(['Refund failed: Balance too low.', 'Agreed']);
  });

  test('have states of their own; those of refunds in the address are no filter', async () => {
    const user = await showTab('Duplicate payments');
    const states = within(await screen.findByRole('group', { name: 'Status' }));
    await waitFor(() =>
      expect(states.getAllByRole('button').map(textOf)).toEqual(['All3', 'Open2', 'Refunding0', 'Refunded0', 'Dismissed1']),
    );
    await user.click(states.getByRole('button', { name: /^Dismissed/ }));
    expect(page.search()).toContain('tab=duplicates&state=DISMISSED');
    await user.click(screen.getByRole('tab', { name: 'Refunds' }));
    await tableOf('Refunds');
    expect(page.search()).toBe('?mode=live');
    expect(page.calls('refunds.list').at(-1)).toMatchObject({ states: [] });
  });

  test('that are none say when there would be one', async () => {
    page.on('refunds.duplicates.list', lists());
    await showTab('Duplicate payments');
    await screen.findByRole('heading', { name: 'No duplicate payments' });
  });
});

describe('reviews', () => {
  test('have what was received and expected, to the fraction, and the difference', async () => {
    await showTab('Reviews');
    const [header, row] = await tableOf('Payments under review');
    expect(header?.slice(0, 2)).toEqual(['Received, NGN', 'Expected, NGN']);
    expect([row?.[0], row?.[1], row?.[4]]).toEqual(['NGN 2,600.50', 'NGN 2,500.00', '100.50 too much']);
    await screen.findByText('1 review');
  });

  test('in another currency name both, and give the reason instead of a difference', async () => {
    page.on('refunds.reviews.list', lists({ ...REVIEW, receivedCurrency: 'KES', reviewReason: 'Received KES.' }));
    await showTab('Reviews');
    const [header, row] = await tableOf('Payments under review');
    expect(header?.slice(0, 2)).toEqual(['Received, KES', 'Expected, NGN']);
    expect([row?.[0], row?.[1], row?.[4]]).toEqual(['KES 2,600.50', 'NGN 2,500.00', 'Received KES.']);
  });

  test.each<[string, Partial<ReviewRow>, string, string]>([
    ['nothing, as far as is known', { receivedAmount: null, reviewReason: 'Nobody says.' }, '–', 'Nobody says.'],
    ['a refund that failed', { failureMessage: 'Balance too low.' }, 'NGN 2,600.50', 'Refund failed: Balance too low.'],
    [
      'several amounts',
      {
        mismatched: [
          partial<Mismatched>({ receivedAmount: '1000', receivedCurrency: 'NGN' }),
          partial<Mismatched>({ receivedAmount: '1600.5', receivedCurrency: null }),
        ],
      },
      'NGN 2,600.50',
      '2 amounts received: NGN 1,000.00, NGN 1,600.50',
    ],
  ])('of %s say so', async (_what, change, received, why) => {
    page.on('refunds.reviews.list', lists({ ...REVIEW, ...change }, REVIEW));
    await showTab('Reviews');
    const [row] = await bodyOf('Payments under review');
    expect([row?.[0], row?.[4]]).toEqual([received, why]);
  });

  test('are decided by those who may, unless a refund is under way', async () => {
    page.allow('payment:review');
    page.on('refunds.reviews.list', lists(REVIEW, { ...REVIEW, paymentId: 'p-2', refunding: true }));
    await showTab('Reviews');
    await screen.findByRole('button', { name: 'Review…' });
    expect((await bodyOf('Payments under review')).map((row) => row.at(-1))).toEqual(['Review…', 'Refunding']);
  });

  test('are not offered for a decision to others, nor exported', async () => {
    page.allow('report:export');
    await showTab('Reviews');
    expect((await bodyOf('Payments under review'))[0]?.at(-1)).toBe('');
    expect(screen.queryByRole('button', { name: 'Export' })).toBeNull();
  });
});

test.each([
  ['Refunds', '/api/export/refunds', { mode: 'live', states: [] }],
  ['Duplicate payments', '/api/export/duplicate-charges', { mode: 'live', states: [] }],
])('the export of %s has the filters of the list, and every column', async (tab, path, filter) => {
  page.allow('report:export');
  const user = await showTab(tab);
  await user.click(await screen.findByRole('button', { name: 'Export' }));
  await screen.findByRole('dialog', { name: 'Export' });
  const url = new URL(hrefOf(/^CSV/) ?? '', 'https://x.example');
  expect(url.pathname).toBe(path);
  expect(JSON.parse(url.searchParams.get('filter') ?? '')).toMatchObject(filter);
  expect(url.searchParams.has('columns')).toBe(false);
});
