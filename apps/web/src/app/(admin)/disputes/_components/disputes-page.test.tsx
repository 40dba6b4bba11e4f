// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import {
  button,
  expectCalls,
  expectProblem,
  expectRefusal,
  field,
  openDashboard,
  tableOf,
  textOf,
} from '#/testing/dashboard.tsx';
import { DisputesPage } from './disputes-page.tsx';

const page = openDashboard('?mode=live&merchant=m-1', '/disputes');
const PAYMENT = '01a21990-6213-729d-aca5-093a1a05851f';
const NAMES = { merchantId: 'm-1', merchantName: 'Balogun Books' };
const KORA = {
  ...NAMES,
  accountId: 'acc-2',
  accountLabel: 'kora-main',
  gateway: 'kora',
  gatewayTitle: 'Kora',
  road: 'hand',
  failure: null,
};
const PAYSTACK = {
  ...KORA,
  accountId: 'acc-1',
  accountLabel: 'paystack-main',
  gateway: 'paystack',
  gatewayTitle: 'Paystack',
  road: 'list',
};

const DISPUTE = {
  ...NAMES,
  disputeId: 'd-1',
  paymentId: 'p-1',
  accountId: 'acc-2',
  accountLabel: 'kora-main',
  gatewayDisputeId: 'dp-1',
  state: 'WON',
  currency: 'NGN',
  amount: '2500',
  category: null,
  stage: null,
  dueAt: null,
  openedAt: new Date('2026-11-20T10:00:00Z'),
  closedAt: new Date('2026-11-21T10:00:00Z'),
};

beforeEach(() => {
  page.allow('payment:read', 'reconciliation:resolve');
  page.on('disputes.list', () => ({ items: [], next: null }));
  page.on('disputes.counts', () => [
    { state: 'NEEDS_RESPONSE', currency: 'NGN', count: 3, amount: '4000.5' },
    { state: 'UNDER_REVIEW', currency: 'NGN', count: 1, amount: '2500' },
    { state: 'WON', currency: 'NGN', count: 9, amount: '90000' },
  ]);
  page.on('disputes.accounts', () => [KORA, { ...PAYSTACK, failure: 'The key was refused.' }]);
  page.on('payments.byId', () => ({ merchantId: 'm-1' }));
});

test('open disputes are summed to the kobo, and accounts that cannot be read or have no list are named', async () => {
  page.show(<DisputesPage />);
  await screen.findByText('3');
  expect(textOf(document.body)).toContain('3 to respond to, NGN 4,000.50 · 1 under review, NGN 2,500.00');
  expect(textOf(document.body)).toContain('Disputes of paystack-main could not be read: The key was refused.');
  expect(textOf(document.body)).toContain('Kora documents no list of disputes.');
});

test('status and gateway filter the list, and an empty list says whether it is filtered', async () => {
  const user = page.show(<DisputesPage />);
  expect(await screen.findByText('No open disputes')).toBeTruthy();
  await user.click(button(/^Status/));
  await user.click(await screen.findByRole('checkbox', { name: 'Won' }));
  await user.keyboard('{Escape}');
  await user.click(button(/^Gateway/));
  await user.click(await screen.findByRole('checkbox', { name: 'Kora' }));
  await waitFor(() => expect(page.calls('disputes.list').at(-1)).toMatchObject({ states: ['WON'], gateways: ['kora'] }));
  expect(await screen.findByText('No disputes match these filters')).toBeTruthy();
});

test('a search looks among disputes of any state, and says what other filters hide', async () => {
  page.goTo('?mode=live&merchant=m-1&q=dp-1&gateway=kora');
  page.on('disputes.list', (input) => ({ items: Object(input).gateways.length === 0 ? [DISPUTE] : [], next: null }));
  page.on('disputes.counts', () => []);
  page.on('disputes.accounts', () => [KORA]);
  const user = page.show(<DisputesPage />);
  await screen.findByRole('heading', { name: 'The filters hide 1 dispute' });
  expect(page.calls('disputes.list')[0]).toMatchObject({ search: 'dp-1', states: [], gateways: ['kora'] });
  await user.click(button('Show it'));
  await tableOf('Disputes');
  expect(page.search()).not.toContain('gateway=');
});

async function enterOpened(user: ReturnType<typeof page.show>) {
  const opened = within(await screen.findByRole('group', { name: 'Opened' }));
  await user.type(opened.getByRole('textbox', { name: 'Date' }), '25 Nov 2026');
}

async function openDialog() {
  const user = page.show(<DisputesPage />);
  await user.click(await screen.findByRole('button', { name: 'Record a dispute…' }));
  await screen.findByRole('dialog', { name: 'Record a dispute' });
  return user;
}

test('a dispute is recorded with what was entered, and its page opens', async () => {
  page.on('disputes.open', () => ({ kind: 'opened', disputeId: 'd-1' }));
  const user = await openDialog();
  await user.type(field('Payment id'), PAYMENT);
  await user.type(field('The gateway’s reference of the dispute'), 'KPY-CB-1');
  await user.type(field('Disputed amount'), '1000.5');
  await enterOpened(user);
  await user.click(button('Record dispute'));
  await waitFor(() => expect(page.navigations()).toEqual(['/disputes/d-1?mode=live&merchant=m-1']));
  const entered = {
    merchantId: 'm-1',
    paymentId: PAYMENT,
    gatewayDisputeId: 'KPY-CB-1',
    amount: '1000.5',
    category: 'chargeback',
  };
  expect(page.calls('disputes.open')).toMatchObject([{ ...entered, fee: null, dueAt: null }]);
});

test('what is missing is beside its field, and nothing is sent; what the server refuses as well', async () => {
  const user = await openDialog();
  await user.click(button('Record dispute'));
  await expectProblem('textbox', 'Payment id', 'Must be the id of a payment.');
  await expectCalls(page, 'disputes.open', []);
  page.on('disputes.open', () => ({ kind: 'refused', field: null, why: 'This gateway lists its disputes.' }));
  await user.type(field('Payment id'), PAYMENT);
  await user.type(field('The gateway’s reference of the dispute'), 'KPY-CB-1');
  await enterOpened(user);
  await user.click(button('Record dispute'));
  await expectRefusal('This gateway lists its disputes.');
});

test('without the right to resolve there is no dispute to record', async () => {
  page.allow('payment:read');
  page.show(<DisputesPage />);
  await screen.findByText('No open disputes');
  await waitFor(() => expect(page.calls('me').length).toBeGreaterThan(0));
  expect(screen.queryByRole('button', { name: 'Record a dispute…' })).toBeNull();
});
