// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { button, expectCalls, expectProblem, expectRefusal, field, openDashboard, radio } from '#/testing/dashboard.tsx';
import { describeClose, describeMismatched, describeRefund, ReviewDialog, reviewChoices } from './review-dialog.tsx';
import type { ReviewRow } from './use-refunds.ts';

describe('review dialog', () => {
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
});

type Mismatched = ReviewRow['mismatched'][number];

const first: Mismatched = {
  attemptId: 'a-1',
  accountId: 'acc-1',
  gateway: 'paystack',
  reference: 'pay_1',
  transactionId: 't-1',
  receivedAmount: '2600.25',
  receivedCurrency: 'NGN',
  refundable: 2_600n,
  remainder: '0.25',
  state: 'open',
  failureMessage: null,
};
const second: Mismatched = {
  ...first,
  attemptId: 'a-2',
  gateway: 'flutterwave',
  reference: 'flw_2',
  receivedAmount: '2000',
  receivedCurrency: 'USD',
  refundable: 2_000n,
  remainder: '0',
};

/** A review of an order of NGN 2,500.00. */
function reviewOf(mismatched: readonly Mismatched[], status: ReviewRow['status'] = 'PENDING'): ReviewRow {
  return {
    merchantId: 'm-1',
    paymentId: 'p-1',
    mode: 'test',
    merchantOrderId: 'order-7',
    status,
    amount: 2_500n,
    currency: 'NGN',
    gateway: 'paystack',
    reviewReason: 'Expected NGN 2,500.00, received USD 2,000.00.',
    receivedAmount: '2000',
    receivedCurrency: 'USD',
    createdAt: new Date(0),
    mismatched,
    refunding: false,
    failureMessage: null,
  };
}

describe('two mismatched amounts of one payment', () => {
  test('are named each with its gateway, reference, and amounts received and expected', () => {
    const review = reviewOf([first, second]);
    expect(review.mismatched.map((each) => describeMismatched(each, review))).toEqual([
      'Paystack, reference pay_1: received NGN 2,600.25, expected NGN 2,500.00.',
      'Flutterwave, reference flw_2: received USD 2,000.00, expected NGN 2,500.00.',
    ]);
  });

  test('are choices of their own, and are left together by closing', () => {
    expect(reviewChoices(reviewOf([first, second]))).toEqual({
      refunds: [
        { attemptId: 'a-1', amount: 2_600n, money: 'NGN 2,600.00', at: 'Paystack, reference pay_1', rest: 'NGN 0.25' },
        { attemptId: 'a-2', amount: 2_000n, money: 'USD 2,000.00', at: 'Flutterwave, reference flw_2', rest: null },
      ],
      close: ['a-1', 'a-2'],
    });
  });

  test('cannot be refunded again, nor the review closed, while a refund of one is processing', () => {
    const refunding: Mismatched = { ...first, refundable: 0n, state: 'refunding' };
    const review = reviewOf([refunding, second]);
    const { refunds, close } = reviewChoices(review);
    expect([refunds.map(({ attemptId }) => attemptId), close]).toEqual([['a-2'], null]);
    expect(describeMismatched(refunding, review)).toContain('expected NGN 2,500.00; a refund is processing.');
  });

  test('leave the other when one was returned', () => {
    const returned: Mismatched = { ...first, refundable: 0n, state: 'returned' };
    const { refunds, close } = reviewChoices(reviewOf([returned, second]));
    expect([refunds.map(({ attemptId }) => attemptId), close]).toEqual([['a-2'], ['a-2']]);
    expect(describeMismatched(returned, reviewOf([returned]))).toContain('; returned.');
  });

  test('a refund says that the review stays open for the other, and the last one that it closes', () => {
    const both = reviewOf([first, second]);
    const [refund] = reviewChoices(both).refunds;
    if (refund === undefined) throw new Error('there is nothing to refund');
    expect(describeRefund(both, refund)).toBe(
      "NGN 2,600.00 is returned to the customer through Paystack, reference pay_1. This cannot be undone. Refunds are in whole units: refund the remaining NGN 0.25 in the gateway's dashboard. The review stays open for the other amount received.",
    );
    expect(describeRefund(reviewOf([first]), { ...refund, rest: null })).toBe(
      'NGN 2,600.00 is returned to the customer through Paystack, reference pay_1. This cannot be undone. Once it succeeds, the review closes, the payment is marked Failed and its merchant is notified.',
    );
    expect(describeRefund(reviewOf([first], 'FAILED'), { ...refund, rest: null })).toMatch(
      /Once it succeeds, the review closes[.]$/,
    );
  });
});

test('less than one unit is nothing to refund, and closing leaves it', () => {
  const fraction: Mismatched = { ...first, receivedAmount: '0.75', refundable: 0n, remainder: '0.75' };
  expect(reviewChoices(reviewOf([fraction]))).toEqual({ refunds: [], close: ['a-1'] });
});

test('a failed refund is told with its reason, and the money can be refunded again', () => {
  const failed: Mismatched = { ...first, failureMessage: 'The card is closed.' };
  const review = reviewOf([failed]);
  expect(describeMismatched(failed, review)).toContain('; its refund failed: The card is closed.');
  expect(reviewChoices(review).refunds).toHaveLength(1);
});

test('closing names what was expected, and what becomes of the payment', () => {
  const never = 'It is never marked Succeeded, because NGN 2,500.00 was not received.';
  expect(describeClose(reviewOf([first]))).toBe(
    `No money is returned. The payment is marked Failed, and its merchant is notified. ${never}`,
  );
  expect(describeClose(reviewOf([first], 'FAILED'))).toBe(`No money is returned. The payment does not change. ${never}`);
});

test('closing where no gateway named money asks to look at its dashboard first', () => {
  expect(describeClose(reviewOf([]))).toBe(
    "Close it only when the gateway's dashboard shows that nothing was paid. The payment is marked Failed, and its merchant is notified.",
  );
});
