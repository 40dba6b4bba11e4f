// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { button, expectCalls, expectProblem, expectRefusal, field, openDashboard, radio } from '#/testing/dashboard.tsx';
import { ReviewDialog } from './review-dialog.tsx';
import type { ReviewRow } from './use-refunds.ts';

const page = openDashboard('?mode=test&merchant=m-1');
const onClose = vi.fn();
const REVIEW: ReviewRow = {
  merchantId: 'm-1',
  paymentId: 'p-1',
  mode: 'test',
  merchantOrderId: 'order-7',
  status: 'PENDING',
  amount: 2_500n,
  currency: 'NGN',
  gateway: 'paystack',
  reviewReason: 'Expected NGN 2,500.00, received NGN 2,600.00.',
  receivedAmount: '2600',
  receivedCurrency: 'NGN',
  createdAt: new Date(0),
  mismatched: [
    {
      attemptId: 'a-1',
      accountId: 'acc-1',
      gateway: 'paystack',
      reference: 'pay_1',
      transactionId: 't-1',
      receivedAmount: '2600',
      receivedCurrency: 'NGN',
      refundable: 2_600n,
      remainder: '0',
      state: 'open',
      failureMessage: null,
    },
  ],
  refunding: false,
  failureMessage: null,
};
const KEY = { merchantId: 'm-1', paymentId: 'p-1' };

beforeEach(() => {
  onClose.mockReset();
  page.on('me', () => ({ access: [{ merchantId: 'm-1', permissions: ['payment:refund', 'payment:review'] }] }));
  page.on('refunds.reviews.list', () => ({ items: [REVIEW], next: null }));
});

async function showDialog() {
  const user = page.show(<ReviewDialog review={REVIEW} onClose={onClose} />);
  await screen.findByRole('radio', { name: 'Refund NGN 2,600.00' });
  return user;
}

test('the money of an attempt is refunded with a reason, not without', async () => {
  page.on('refunds.reviews.refund', () => ({ kind: 'requested', refund: { currency: 'NGN', amount: 2_600n } }));
  const user = await showDialog();
  await user.click(radio('Refund NGN 2,600.00'));
  await user.click(button('Refund NGN 2,600.00'));
  await expectProblem('textbox', 'Reason', 'Must not be empty.');
  await user.type(field('Reason'), 'Too much');
  await user.click(button('Refund NGN 2,600.00'));
  await expectCalls(page, 'refunds.reviews.refund', [{ ...KEY, attemptId: 'a-1', amount: 2_600n, note: 'Too much' }]);
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
});

test('the review is closed without a refund', async () => {
  page.on('refunds.reviews.close', () => ({ kind: 'closed' }));
  const user = await showDialog();
  await user.click(radio(/Close without a refund/));
  await user.type(field('Reason'), 'Settled by phone');
  await user.click(button('Close the review'));
  await expectCalls(page, 'refunds.reviews.close', [{ ...KEY, attemptIds: ['a-1'], note: 'Settled by phone' }]);
  await waitFor(() => expect(page.toasts()).toEqual(['The review of order order-7 is closed.']));
});

test('what another person decided is said at the form until something else is chosen', async () => {
  page.on('refunds.reviews.close', () => ({ kind: 'refunding' }));
  const user = await showDialog();
  await user.click(radio(/Close without a refund/));
  await user.type(field('Reason'), 'Settled');
  await user.click(button('Close the review'));
  const refusal = 'A refund is processing. The review can be closed when that has ended.';
  await expectRefusal(refusal);
  await user.click(radio('Refund NGN 2,600.00'));
  expect(screen.queryByText(refusal)).toBeNull();
});
