// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { button, expectProblem, expectRefusal, field, openDashboard, radio } from '#/testing/dashboard.tsx';
import { RefundDialog } from './refund-dialog.tsx';

const page = openDashboard('?mode=live');
const onClose = vi.fn();
// An amount that a floating-point number does not hold.
const PAID = 9_007_199_254_993n;

const CONTROL = {
  secondPersonAbove: null,
  alone: null,
  dailyLimit: null,
  leftToday: null,
  reasonCodes: [],
};

const PAYMENT = {
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
  control: CONTROL,
};

beforeEach(() => {
  onClose.mockReset();
  page.on('refunds.refundable', () => PAYMENT);
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
    { merchantId: 'm-1', paymentId: 'p-1', refundId: expect.any(String), amount: PAID, reason: 'Returned', reasonCode: null },
  ]);
  expect(page.toasts()).toEqual(['Refund requested: NGN 9,007,199,254,993.00 of order A-1.']);
});

test('a part is named with its consequence before it is refunded', async () => {
  page.on('refunds.request', () => ({ kind: 'requested', refund: { amount: 2_500n } }));
  const user = await showDialog();
  await user.click(radio('Partial'));
  await user.type(field('Amount'), '2500');
  screen.getByText(/NGN 2,500.00 is returned to the customer/);
  await user.click(button('Refund NGN 2,500.00'));
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
  await expectProblem('textbox', 'Amount', 'Must be at most NGN 1,000.00, the amount that can still be refunded.');
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

describe('where the merchant keeps control', () => {
  const answer = (control: object) => {
    page.on('refunds.refundable', () => ({ ...PAYMENT, control: { ...CONTROL, ...control } }));
  };

  test('a reason code has to be chosen, and is sent', async () => {
    answer({ reasonCodes: [{ code: 'cancelled', title: 'Order cancelled' }] });
    page.on('refunds.request', () => ({ kind: 'requested', refund: { amount: PAID } }));
    const user = await showDialog();
    await user.click(button(/^Refund NGN/));
    await screen.findByText('Must be chosen.');
    expect(page.calls('refunds.request')).toEqual([]);
    await user.click(screen.getByRole('combobox', { name: /^Reason code/ }));
    await user.click(await screen.findByRole('option', { name: /Order cancelled/ }));
    await user.click(button(/^Refund NGN/));
    await waitFor(() => expect(page.calls('refunds.request')).toMatchObject([{ reasonCode: 'cancelled' }]));
  });

  test('more than one person may refund is asked for, and not confirmed as refunded', async () => {
    answer({ secondPersonAbove: 50_000n, alone: 50_000n });
    page.on('refunds.request', () => ({ kind: 'needs_approval', approval: { amount: PAID } }));
    const user = await showDialog();
    screen.getByText(/^Refunds above NGN 50,000.00 of a payment need a second person\. Nothing is returned until/);
    await user.click(button(/^Request approval to refund NGN/));
    await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
    expect(page.toasts()).toEqual([
      'Another person has to approve the refund of NGN 9,007,199,254,993.00 of order A-1. It is under Approvals.',
    ]);
  });

  test('what one person has refunded of a payment counts towards the amount', async () => {
    answer({ secondPersonAbove: 50_000n, alone: 10_000n });
    const user = await showDialog();
    screen.getByText(/one person can refund only NGN 10,000.00 more of this one/);
    await user.click(radio('Partial'));
    await user.type(field('Amount'), '10000');
    button('Refund NGN 10,000.00');
  });

  test('the daily limit and what is left of it are shown, and more is refused beside the amount', async () => {
    answer({ dailyLimit: 50_000n, leftToday: 2_000n });
    page.on('refunds.request', () => ({ kind: 'over_daily_limit', limit: 50_000n, left: 2_000n }));
    const user = await showDialog();
    screen.getByText('You may request NGN 50,000.00 a day; NGN 2,000.00 is left today.');
    await user.click(button(/^Refund NGN/));
    await expectProblem(
      'textbox',
      'Amount',
      'Must be at most NGN 2,000.00, what your daily limit of NGN 50,000.00 leaves today.',
    );
  });
});
