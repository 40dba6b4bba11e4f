// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { useDiscrepancyActions } from '#/app/(admin)/reconciliation/_components/discrepancies/use-discrepancy-actions.ts';
import type { Discrepancy } from '#/copy/discrepancies.ts';
import { button, expectCalls, expectProblem, expectRefusal, field, openDashboard, radio } from '#/testing/dashboard.tsx';
import { OwnerAndNote } from './owner-and-note.tsx';
import { ResolutionForm } from './resolution-form.tsx';

const page = openDashboard('?mode=live&merchant=m-1');
const DISCREPANCY: Discrepancy = {
  discrepancyId: 'd-1',
  merchantId: 'm-1',
  merchantName: 'Balogun Books',
  mode: 'live',
  accountId: 'acc-1',
  accountLabel: 'paystack-main',
  gateway: 'paystack',
  gatewayTitle: 'Paystack',
  day: '2026-11-20',
  about: 'payment',
  kind: 'AMOUNT',
  state: 'OPEN',
  amount: '500',
  paymentId: null,
  refundId: null,
  reference: null,
  transactionId: null,
  ownerId: null,
  ownerName: null,
  note: 'Asked the bank',
  resolution: null,
  resolvedBy: null,
  resolvedByName: null,
  resolvedAt: null,
  createdAt: new Date(0),
  ledger: null,
  statement: null,
};
const KEY = { merchantId: 'm-1', discrepancyId: 'd-1' };
beforeEach(() => page.on('reconciliation.owners', () => [{ staffId: 's-1', name: 'Ada', merchantIds: ['m-1'] }]));

test('a discrepancy is closed with a reason, not without', async () => {
  page.on('reconciliation.resolve', () => ({ kind: 'changed' }));
  const user = page.show(<ResolutionForm discrepancy={DISCREPANCY} useActions={useDiscrepancyActions} />);
  await user.click(radio(/Explained/));
  await user.click(button('Close as explained'));
  await expectProblem('textbox', 'Reason', 'Must not be empty.');
  await user.type(field('Reason'), ' Bank fee ');
  await user.click(button('Close as explained'));
  await expectCalls(page, 'reconciliation.resolve', [{ ...KEY, as: 'EXPLAINED', why: 'Bank fee' }]);
});

test('why it could not be closed is said at the form, and the reason stays', async () => {
  page.on('reconciliation.resolve', () => {
    throw new Error('It is already closed.');
  });
  const user = page.show(<ResolutionForm discrepancy={DISCREPANCY} useActions={useDiscrepancyActions} />);
  await user.type(field('Reason'), 'Bank fee');
  await user.click(button('Close as resolved'));
  await expectRefusal('It is already closed.');
  expect(field('Reason').value).toBe('Bank fee');
});

test('one that is closed is opened again', async () => {
  page.on('reconciliation.reopen', () => ({ kind: 'changed' }));
  const user = page.show(
    <ResolutionForm discrepancy={{ ...DISCREPANCY, state: 'RESOLVED' }} useActions={useDiscrepancyActions} />,
  );
  await user.click(button('Open again'));
  await expectCalls(page, 'reconciliation.reopen', [KEY]);
});

test('a note is saved once it is changed, and removed', async () => {
  page.on('reconciliation.note', () => ({ kind: 'changed' }));
  const user = page.show(<OwnerAndNote discrepancy={DISCREPANCY} useActions={useDiscrepancyActions} may />);
  expect(screen.queryByRole('button', { name: 'Save note' })).toBeNull();
  await user.clear(field('Note'));
  await user.click(button('Save note'));
  await expectCalls(page, 'reconciliation.note', [{ ...KEY, note: null }]);
  await user.type(field('Note'), ' They answered ');
  await waitFor(() => expect(button('Save note').disabled).toBe(false));
  await user.click(button('Save note'));
  await waitFor(() => expect(page.calls('reconciliation.note')[1]).toEqual({ ...KEY, note: 'They answered' }));
});

test('the owner is changed at once', async () => {
  page.on('reconciliation.assign', () => ({ kind: 'changed' }));
  const user = page.show(<OwnerAndNote discrepancy={DISCREPANCY} useActions={useDiscrepancyActions} may />);
  await user.click(screen.getByRole('combobox', { name: /Owner/ }));
  await user.click(await screen.findByRole('option', { name: 'Ada' }));
  await expectCalls(page, 'reconciliation.assign', [{ ...KEY, ownerId: 's-1' }]);
});
