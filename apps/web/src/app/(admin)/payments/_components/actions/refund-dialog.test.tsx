// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { button, expectProblem, expectRefusal, field, openDashboard, radio } from '#/testing/dashboard.tsx';
import { RefundDialog } from './refund-dialog.tsx';

const page = openDashboard('?mode=live');
const onClose = vi.fn();
// An amount that a floating-point number does not hold.
const PAID = 9_007_199_254_993n;

beforeEach(() => {
  onClose.mockReset();
  page.on('refunds.refundable', () => ({
    merchantId: 'm-1',
    paymentId: 'p-1',
    merchantOrderId: 'A-1',
    status: 'SUCCESS',
    gateway: 'paystack',
    currency: 'NGN',
    amount: PAID,
    refunded: 0n,
    underWay: 0n,
    refundable: PAID,
  }));
});

async function showDialog() {
  const user = page.show(<RefundDialog paymentId="p-1" onClose={onClose} />);
  await screen.findByRole('radio', { name: /Full/ });
  return user;
}

test('all of it is refunded, exact to the unit, with the reason', async () => {
  page.on('refunds.request', () => ({ kind: 'requested', refund: { amount: PAID } }));
  const user = await showDialog();
  await user.type(field('Reason (optional)'), ' Returned {Enter}');
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
  expect(page.calls('refunds.request')).toEqual([
    { merchantId: 'm-1', paymentId: 'p-1', refundId: expect.any(String), amount: PAID, reason: 'Returned' },
  ]);
  expect(page.toasts()).toEqual(['Refund requested: NGN 9,007,199,254,993 of order A-1.']);
});

test('a part is named with its consequence before it is refunded', async () => {
  page.on('refunds.request', () => ({ kind: 'requested', refund: { amount: 2_500n } }));
  const user = await showDialog();
  await user.click(radio('Partial'));
  await user.type(field('Amount'), '2500');
  screen.getByText(/NGN 2,500 is returned to the customer/);
  await user.click(button('Refund NGN 2,500'));
  await waitFor(() => expect(page.calls('refunds.request')).toMatchObject([{ amount: 2_500n, reason: null }]));
});

test.each([
  ['nothing', '', 'Must not be empty.'],
  ['zero', '0', 'Must be a whole number above 0.'],
  ['more than was paid', '9007199254994', 'Must be at most 9,007,199,254,993.'],
])('%s is not refunded', async (_, entered, problem) => {
  const user = await showDialog();
  await user.click(radio('Partial'));
  await user.type(field('Amount'), `${entered}{Enter}`);
  await expectProblem('textbox', 'Amount', problem);
  expect(page.calls('refunds.request')).toEqual([]);
});

test('less is refundable by now: the amount that is left is beside the field, and the next request is another one', async () => {
  page.on('refunds.request', () => ({ kind: 'too_much', refundable: 1_000n }));
  const user = await showDialog();
  await user.click(button(/^Refund NGN/));
  await expectProblem('textbox', 'Amount', 'Must be at most NGN 1,000, the amount that can still be refunded.');
  await user.type(field('Amount'), '1000{Enter}');
  await waitFor(() => expect(page.calls('refunds.request')).toHaveLength(2));
  const [first, second] = page.calls('refunds.request').map((input) => Reflect.get(Object(input), 'refundId'));
  expect(first).not.toBe(second);
});

test('a request that may have arrived is sent again as the same refund', async () => {
  page.on('refunds.request', () => {
    throw new Error('The server did not answer.');
  });
  const user = await showDialog();
  await user.click(button(/^Refund NGN/));
  await expectRefusal('The server did not answer.');
  await user.click(button(/^Refund NGN/));
  await waitFor(() => expect(page.calls('refunds.request')).toHaveLength(2));
  const [first, second] = page.calls('refunds.request');
  expect(first).toEqual(second);
});
