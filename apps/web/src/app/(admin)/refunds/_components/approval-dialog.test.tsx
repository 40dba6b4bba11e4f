// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { button, expectRefusal, field, openDashboard, radio } from '#/testing/dashboard.tsx';
import { ApprovalDialog } from './approval-dialog.tsx';
import type { ApprovalRow } from './use-refunds.ts';

const page = openDashboard('?mode=test&tab=approvals');
const onClose = vi.fn();
beforeEach(() => onClose.mockReset());
const KEY = { merchantId: 'm-1', approvalId: 'a-1' };
const ROW: ApprovalRow = {
  ...KEY,
  paymentId: 'p-1',
  merchantOrderId: 'A-1',
  kind: 'own',
  amount: 120_000n,
  paymentAmount: 150_000n,
  currency: 'NGN',
  gateway: 'paystack',
  state: 'WAITING',
  reason: 'Too small',
  reasonCode: 'wrong_item',
  reasonTitle: 'Wrong item',
  note: null,
  requestedBy: 'staff:s-1',
  requesterName: 'Ada Obi',
  expiresAt: new Date(0),
  decidedBy: null,
  deciderName: null,
  decidedAt: null,
  decisionNote: null,
  createdAt: new Date(0),
  isOwn: false,
};
const show = (changes: Partial<ApprovalRow> = {}) =>
  page.show(<ApprovalDialog approval={{ ...ROW, ...changes }} onClose={onClose} />);

test('who asks, for what and why is shown, and approving names the amount', async () => {
  page.on('refunds.approvals.approve', () => ({ kind: 'approved', refund: {} }));
  const user = show();
  screen.getByText(/Requested by Ada Obi.*: Wrong item: Too small\./);
  await user.click(button('Approve the refund of NGN 120,000.00'));
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
  expect(page.calls('refunds.approvals.approve')).toEqual([KEY]);
  expect(page.toasts()).toEqual(['Refund requested: NGN 120,000.00 of order A-1.']);
});

test('it is declined with a reason', async () => {
  page.on('refunds.approvals.decline', () => ({ kind: 'declined' }));
  const user = show();
  await user.click(radio('Decline'));
  await user.type(field(/^Reason/), 'Too much');
  await user.click(button('Decline the refund'));
  await waitFor(() => expect(page.calls('refunds.approvals.decline')).toEqual([{ ...KEY, note: 'Too much' }]));
});

test.each([
  [
    { kind: 'not_refundable', refundable: 2_000n },
    'Less can be refunded by now: NGN 2,000.00 of the payment is left. Decline it, and have what is left requested again.',
  ],
  [{ kind: 'not_waiting', state: 'WITHDRAWN' }, 'It is withdrawn already.'],
])('what cannot be approved any more says why', async (outcome, sentence) => {
  page.on('refunds.approvals.approve', () => outcome);
  const user = show();
  await user.click(button(/^Approve the refund/));
  await expectRefusal(sentence);
  expect(onClose).not.toHaveBeenCalled();
});

test('one’s own can only be withdrawn', async () => {
  page.on('refunds.approvals.withdraw', () => ({ kind: 'withdrawn' }));
  const user = show({ isOwn: true });
  expect(screen.queryByRole('radio')).toBeNull();
  await user.click(button('Withdraw the refund'));
  await waitFor(() => expect(page.calls('refunds.approvals.withdraw')).toEqual([KEY]));
});
