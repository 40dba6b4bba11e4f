// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, test } from 'vitest';
import { expectCalls, factsIn, hrefOf, openDashboard, radio, tableOf, textOf } from '#/testing/dashboard.tsx';
import { CustomerPage } from './customer-page.tsx';
import type { FoundCustomer } from './customer-tables.tsx';

const page = openDashboard('?mode=test&merchant=m-1');
const AT = new Date('2024-11-21T13:02:00Z');
const SUBJECT = { merchantId: 'm-1', mode: 'test', email: 'ada@example.com', phone: '0803 555 0199', customerId: null } as const;
const OF = { paymentId: 'p-1', merchantOrderId: 'order-7', currency: 'NGN', createdAt: AT };
const CUSTOMER: FoundCustomer = {
  kind: 'found',
  merchantId: 'm-1',
  merchantName: 'Balogun Books',
  mode: 'test',
  subject: SUBJECT,
  identifiers: { emails: ['ada@example.com', 'Ada@Example.com'], phones: ['0803 555 0199'], customerIds: [] },
  isCut: false,
  firstSeenAt: AT,
  lastSeenAt: AT,
  paymentCount: 1,
  totals: [
    { currency: 'NGN', payments: 3, paid: 2, failed: 1, paidAmount: 12_500n, refundedAmount: 500n, reversedAmount: '0' },
    { currency: 'USD', payments: 1, paid: 1, failed: 0, paidAmount: 40n, refundedAmount: 0n, reversedAmount: '40.5' },
  ],
  payments: [
    {
      ...OF,
      displayStatus: 'PARTLY_REFUNDED',
      amount: 2_500n,
      failureReason: null,
      gateway: 'paystack',
      method: 'CARD',
      cardLast4: '4081',
    },
  ],
  tries: [],
  refunds: [],
  disputes: [],
};
const TRY: FoundCustomer['tries'][number] = {
  ...OF,
  tryId: 't-1',
  kind: 'payment',
  amount: 2_500n,
  gateway: 'paystack',
  failureReason: 'declined',
  failureClass: null,
  message: 'Insufficient funds',
};

const show = (customer: Partial<FoundCustomer> = {}) => {
  page.on('customers.byPayment', () => ({ ...CUSTOMER, ...customer }));
  return page.show(<CustomerPage paymentId="p-1" />);
};
beforeEach(() => page.allow('payment:read'));

test('a customer has their identifiers, totals by currency and payments, each of which leads to its page', async () => {
  show();
  await screen.findByRole('heading', { level: 1, name: 'ada@example.com' });
  expect(factsIn(document.body)).toMatchObject({
    'E-mail': 'ada@example.comAda@Example.com',
    Phone: '0803 555 0199',
    Merchant: 'Balogun Books',
    'First seen': '21 Nov 2024, 14:02',
  });
  expect(await tableOf('Totals by currency')).toEqual([
    ['Currency', 'Payments', 'Paid', 'Failed', 'Amount paid', 'Refunded', 'Reversed'],
    ['NGN', '3', '2', '1', '12,500.00', '500.00', '0.00'],
    ['USD', '1', '1', '0', '40.00', '0.00', '40.50'],
  ]);
  expect((await tableOf('Payments'))[1]).toEqual([
    'order-7',
    'Partly refunded',
    'Paystack',
    'Card •••• 4081',
    'NGN 2,500.00',
    '21 Nov 2024, 14:02',
  ]);
  expect(hrefOf('order-7')).toBe('/payments/p-1?mode=test&merchant=m-1');
  expect(screen.queryByRole('heading', { name: 'Failed tries' })).toBeNull();
  expect(screen.queryByRole('link', { name: /Export or erase/ })).toBeNull();
});

test.each([
  [{}, 'Insufficient funds'],
  [{ message: null }, 'The last try was declined, and the customer did not pay before the session expired.'],
  [{ failureReason: 'session_expired' }, 'The customer did not pay before the session expired.'],
  [{ failureReason: null, message: null }, 'The reason is not recorded.'],
  [
    { kind: 'attempt', failureReason: null, failureClass: 'provider_fault', message: 'No answer.' },
    "The gateway's fault: No answer.",
  ],
  [{ kind: 'attempt', failureReason: null, failureClass: null, message: null }, 'No checkout opened.'],
] as const)('a failed try %j says why', async (change, reason) => {
  show({ tries: [{ ...TRY, ...change }] });
  expect((await tableOf('Failed tries'))[1]?.slice(0, 3)).toEqual(['order-7', reason, 'Paystack']);
});

test('refunds and disputes are listed with their states', async () => {
  show({
    refunds: [{ ...OF, refundId: 'r-1', amount: 500n, state: 'FAILED', failureMessage: 'No balance' }],
    disputes: [{ ...OF, disputeId: 'd-1', amount: '2500.5', state: 'NEEDS_RESPONSE', dueAt: null }],
  });
  expect((await tableOf('Refunds'))[1]).toEqual(['order-7', 'Failed', 'No balance', 'NGN 500.00', '21 Nov 2024, 14:02']);
  expect((await tableOf('Disputes'))[1]).toEqual(['NGN 2,500.50', 'Needs response', 'order-7', '21 Nov 2024, 14:02']);
  expect(hrefOf('NGN 2,500.50')).toBe('/disputes/d-1?mode=test&merchant=m-1');
});

test('a shop that sends one phone number for many is asked by another identifier, which stays in the address', async () => {
  const user = show();
  await screen.findByRole('heading', { level: 1 });
  await user.click(radio('Phone'));
  await expectCalls(page, 'customers.byPayment', [
    { paymentId: 'p-1', match: 'any' },
    { paymentId: 'p-1', match: 'phone' },
  ]);
  await waitFor(() => expect(page.search()).toContain('by=phone'));
  expect(page.search()).not.toMatch(/0803|ada/);
});

describe('to export or erase', () => {
  test('leads those who may to the form, by an address without personal data', async () => {
    page.allow('payment:read', 'customer:erase');
    show();
    await screen.findByRole('link', { name: 'Export or erase…' });
    expect(hrefOf('Export or erase…')).toBe('/privacy?mode=test&merchant=m-1&customer=p-1#customer');
  });
});

test('a customer with more payments than are listed says how many there are', async () => {
  show({ paymentCount: 5_000, isCut: true });
  await screen.findByText(/The newest 1 of 5,000\+ payments are listed/);
});

test('an erased customer has no data', async () => {
  page.on('customers.byPayment', () => ({ kind: 'erased', merchantId: 'm-1', mode: 'test', erasedAt: AT, merchantName: 'B' }));
  page.show(<CustomerPage paymentId="p-1" />);
  await screen.findByRole('heading', { level: 1, name: 'Erased customer' });
  expect(textOf(document.body)).toContain('Who paid was erased 21 Nov 2024, 14:02');
  expect(within(document.body).queryByRole('table')).toBeNull();
});
