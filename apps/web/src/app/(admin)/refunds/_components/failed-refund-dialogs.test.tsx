// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { button, expectCalls, expectProblem, expectRefusal, field, openDashboard, radio } from '#/testing/dashboard.tsx';
import { RecordRefundDialog } from './failed-refund-dialogs.tsx';

const page = openDashboard('?mode=live');
const onClose = vi.fn();
const REFUND = {
  merchantId: 'm-1',
  refundId: 'r-1',
  merchantOrderId: 'A-1',
  amount: 2_500n,
  currency: 'NGN',
  failureMessage: 'No answer.',
  held: false,
};

test('the result is recorded with the reason', async () => {
  page.on('refunds.record', () => ({ kind: 'recorded' }));
  const user = page.show(<RecordRefundDialog refund={REFUND} onClose={onClose} />);
  await user.click(radio(/was not paid/));
  await user.type(field('Reason'), 'Seen in the dashboard');
  await user.click(button('Record the result'));
  await expectCalls(page, 'refunds.record', [
    { merchantId: 'm-1', refundId: 'r-1', state: 'FAILED', note: 'Seen in the dashboard' },
  ]);
  await waitFor(() => expect(page.toasts()).toEqual(['The refund of order A-1 is recorded as failed.']));
  expect(onClose).toHaveBeenCalledOnce();
});

test('it needs a reason, and says when another person was faster', async () => {
  page.on('refunds.record', () => ({ kind: 'not_waiting' }));
  const user = page.show(<RecordRefundDialog refund={REFUND} onClose={() => undefined} />);
  await user.click(button('Record the result'));
  await expectProblem('textbox', 'Reason', 'Must not be empty.');
  await user.type(field('Reason'), 'Seen');
  await user.click(button('Record the result'));
  await expectRefusal('It no longer needs attention: another person or the gateway has decided it.');
});

test('only one that was held back can be sent', async () => {
  page.on('refunds.record', () => ({ kind: 'recorded' }));
  const user = page.show(<RecordRefundDialog refund={{ ...REFUND, held: true }} onClose={() => undefined} />);
  await user.click(radio(/does not have it/));
  await user.type(field('Reason'), 'Not in the dashboard');
  await user.click(button('Record the result'));
  await expectCalls(page, 'refunds.record', [
    { merchantId: 'm-1', refundId: 'r-1', state: 'REQUESTED', note: 'Not in the dashboard' },
  ]);
  await waitFor(() => expect(page.toasts()).toEqual(['The refund of order A-1 is sent.']));
});

test('one that was sent cannot be sent again', () => {
  page.show(<RecordRefundDialog refund={REFUND} onClose={() => undefined} />);
  expect(screen.queryByRole('radio', { name: /does not have it/ })).toBeNull();
});
