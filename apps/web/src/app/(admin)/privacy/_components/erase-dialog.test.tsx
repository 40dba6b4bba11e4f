// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { button, expectCalls, expectProblem, field, openDashboard } from '#/testing/dashboard.tsx';
import { EraseDialog, type Preview } from './erase-dialog.tsx';

const page = openDashboard('?mode=live');
const onDone = vi.fn();
const SUBJECT = { merchantId: 'm-1', mode: 'live', email: 'ada@shop.example', phone: '', customerId: '' } as const;
const PREVIEW: Preview = {
  identifiers: ['ada@shop.example'],
  firstAt: null,
  lastAt: null,
  payments: 3,
  attempts: 4,
  gatewayWebhooks: 5,
  refunds: 0,
  notes: 0,
  savedViews: 0,
  sums: [{ currency: 'NGN', amount: 7_500 }],
  blockers: [],
  confirmation: 'erase 3 payments',
};
const showDialog = (preview = PREVIEW) =>
  page.show(<EraseDialog subject={SUBJECT} preview={preview} onDone={onDone} onClose={() => undefined} />);
const confirmation = () => field(/Type “erase 3 payments”/);

test('a customer is erased once that is typed', async () => {
  page.on('privacy.eraseCustomer', () => ({ kind: 'erased', counts: { payments: 3 } }));
  const user = showDialog();
  expect(button('Erase from 3 payments').disabled).toBe(true);
  await user.type(confirmation(), 'erase 3 payments');
  await user.click(button('Erase from 3 payments'));
  await expectCalls(page, 'privacy.eraseCustomer', [{ ...SUBJECT, confirmation: 'erase 3 payments' }]);
  await waitFor(() => expect(page.toasts()).toEqual(['The customer was erased from 3 payments.']));
  expect(onDone).toHaveBeenCalledOnce();
});

test('another text is refused beside the field', async () => {
  page.on('privacy.eraseCustomer', () => ({ kind: 'not_confirmed', confirmation: 'erase 3 payments' }));
  const user = showDialog();
  await user.type(confirmation(), 'erase{Enter}');
  await expectProblem('textbox', /Type “erase 3 payments”/, 'Must be “erase 3 payments”.');
});

test('what stands against it is named, and then it cannot be done', async () => {
  page.on('privacy.eraseCustomer', () => ({ kind: 'blocked', blockers: ['A refund is processing.'] }));
  const user = showDialog();
  await user.type(confirmation(), 'erase 3 payments{Enter}');
  await screen.findByText('A refund is processing.');
  expect(screen.queryByRole('button', { name: /^Erase/ })).toBeNull();
});
