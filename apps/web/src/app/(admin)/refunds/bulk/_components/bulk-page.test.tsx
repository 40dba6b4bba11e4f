// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { button, expectRefusal, openDashboard, tableOf } from '#/testing/dashboard.tsx';
import { BulkPage, exampleFor } from './bulk-page.tsx';

const page = openDashboard('?mode=test&merchant=m-1');
const FILE = 'payment,amount\nA-1,2500\n';
const found = { payment: 'A-1', paymentId: 'p-1', merchantOrderId: 'A-1', currency: 'NGN', refundId: 'r-1' };
const nothing = { payment: 'A-9', paymentId: null, merchantOrderId: null, currency: null, refundId: null };
const PREVIEW = {
  kind: 'preview',
  hash: 'h-1',
  lines: [
    { ...found, line: 2, fate: { kind: 'refund', amount: 2_500n } },
    { ...found, line: 3, fate: { kind: 'refund', amount: 500n } },
    { ...found, line: 4, paymentId: 'p-2', merchantOrderId: 'A-2', fate: { kind: 'needs_approval', amount: 90_000n } },
    { ...found, line: 5, fate: { kind: 'known', state: 'SUCCEEDED' } },
    { ...nothing, line: 6, fate: { kind: 'not_found' } },
    { ...nothing, line: 7, payment: '', fate: { kind: 'unreadable', column: 'amount', message: 'must be a whole number' } },
  ],
};
beforeEach(() => {
  page.allow('payment:refund');
  page.on('refunds.control.read', () => ({ secondPersonAbove: null, dailyLimits: {}, reasonCodes: [], refunders: [] }));
  page.on('refunds.bulk.preview', () => PREVIEW);
});

async function choose() {
  const user = page.show(<BulkPage merchantId="m-1" mode="test" />);
  const input = await screen.findByLabelText<HTMLInputElement>(/^Choose a/);
  await waitFor(() => expect(input.disabled).toBe(false));
  await user.upload(input, new File([FILE], 'refunds.csv', { type: 'text/csv' }));
  return user;
}

test('what becomes of each line is shown with totals, and exactly that preview is refunded', async () => {
  page.on('refunds.bulk.refund', () => ({ kind: 'done', refunds: 2, approvals: 1 }));
  const user = await choose();
  expect(await tableOf('Preview by line')).toEqual([
    ['Line', 'Payment', 'Amount', 'Result', 'Reason'],
    ['2', 'A-1', 'NGN 2,500.00', 'Refund', 'NGN 2,500.00 is returned to the customer.'],
    ['3', 'A-1', 'NGN 500.00', 'Refund', 'NGN 500.00 is returned to the customer.'],
    ['4', 'A-2', 'NGN 90,000.00', 'Second person', 'NGN 90,000.00 waits for another person’s approval.'],
    ['5', 'A-1', '–', 'Skipped', 'The same line came before: succeeded.'],
    ['6', 'A-9', '–', 'Refused', 'No payment of this merchant and mode has this id or order id.'],
    ['7', '–', '–', 'Invalid', 'amount must be a whole number.'],
  ]);
  expect(screen.getByRole('region', { name: 'Preview' }).querySelector('p')?.textContent).toBe(
    'NGN 3,000.00 of 1 payment is returned to customers. This cannot be undone. NGN 90,000.00 in 1 refund waits for a second person. 1 line skipped. 2 lines refused.',
  );
  await user.click(button('Refund 1 payment and request approval of 1 refund'));
  await waitFor(() => expect(page.toasts()).toEqual(['2 refunds requested. 1 refund waits for a second person.']));
  expect(page.calls('refunds.bulk.preview')).toEqual([{ merchantId: 'm-1', mode: 'test', file: FILE }]);
  expect(page.calls('refunds.bulk.refund')).toEqual([{ merchantId: 'm-1', mode: 'test', file: FILE, hash: 'h-1' }]);
  expect(screen.queryByRole('region', { name: 'Preview' })).toBeNull();
});

test('where something has changed nothing is said to be refunded, and the next click is of the new preview', async () => {
  const lines = PREVIEW.lines.slice(0, 1);
  page.on('refunds.bulk.refund', () => ({ kind: 'changed', preview: { ...PREVIEW, hash: 'h-2', lines } }));
  const user = await choose();
  await user.click(await screen.findByRole('button', { name: /^Refund 1 payment/ }));
  await expectRefusal('Nothing was refunded: something has changed since the preview. Below is what would be done now.');
  await user.click(button('Refund 1 payment'));
  await waitFor(() => expect(page.calls('refunds.bulk.refund')).toMatchObject([{ hash: 'h-1' }, { hash: 'h-2' }]));
});

test('a file that is none of refunds says where', async () => {
  const problem = { line: 1, column: 'order', message: 'is none of payment, amount, reason_code, reason' };
  page.on('refunds.bulk.preview', () => ({ kind: 'unreadable', problem }));
  await choose();
  await expectRefusal('refunds.csv cannot be read. Line 1: order is none of payment, amount, reason_code, reason.');
});

test('a file with nothing to refund has no button', async () => {
  page.on('refunds.bulk.preview', () => ({ ...PREVIEW, lines: PREVIEW.lines.slice(3) }));
  await choose();
  await screen.findByText('Nothing of this file is refunded.');
  expect(screen.queryByRole('button')).toBeNull();
});

test.each([
  [[], 'payment,amount,reason\nBSF-1042,2500,Too small\nBSF-1043,full,'],
  [['damaged'], 'payment,amount,reason_code,reason\nBSF-1042,2500,damaged,Too small\nBSF-1043,full,damaged,'],
  [['damaged', 'late', 'other'], 'payment,amount,reason_code,reason\nBSF-1042,2500,damaged,Too small\nBSF-1043,full,late,'],
])('the example of a file has the reason codes of its merchant: %j', (codes, example) => {
  expect(exampleFor(codes)).toBe(example);
});
